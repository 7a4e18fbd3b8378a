// The part of a graph that the stage shows. Pure: a camera is never changed, only replaced. All places are in CSS pixels.

import type { Point, Size } from "../../../charts/geometry";
import {
  centeredOn,
  clamp,
  fitZoom,
  keeping,
  middleOf,
  movedBy,
  type PlaneCamera,
  toContent,
  toStage,
  within,
  zoomedAbout,
} from "../../../charts/planecamera";

export interface Rect extends Point {
  readonly w: number;
  readonly h: number;
}

/**
 * Largest zoom of a fitted graph. Labels can be read well at LEGIBLE; below MIN_LEGIBLE many of them are cut, and
 * one begins with a part of the graph, at READABLE at least.
 */
const MAX_FIT_SCALE = 1.25;
export const LEGIBLE = 0.8;
const READABLE = 0.6;
const MIN_LEGIBLE = 0.45;
/** Less enlarged than this, a part is not shown instead of the whole. */
const MIN_ENLARGEMENT = 1.15;
const MAX_SCALE = 4;
/** A graph that is wholly visible can be made smaller by this factor. */
const MIN_FIT_SHARE = 0.5;
/** Margin of a fitted graph, and the part of a graph that stays visible, in pixels. */
const MARGIN_PX = 20;
const MIN_VISIBLE_PX = 48;
/** Gap between a fitted graph and what covers the stage, and the least share of its zoom that is left for that. */
const COVER_GAP_PX = 6;
const MIN_UNCOVERED_SHARE = 0.5;

/** The zoom at which a whole size is shown. */
function wholeZoom(content: Size, stage: Size): number {
  return clamp(fitZoom(content, stage, MARGIN_PX), 1e-4, MAX_FIT_SCALE);
}

const middle = ({ x, y, w, h }: Rect): Point => ({ x: x + w / 2, y: y + h / 2 });

/** Shows all. */
export function whole(content: Size, stage: Size): PlaneCamera {
  return centeredOn(middleOf(content), wholeZoom(content, stage), stage);
}

/**
 * Shows all, with no box below what covers the stage. `boxes`: rectangles of the layout. Where that would make all much
 * smaller, a box may be covered.
 */
export function wholeBeside(content: Size, stage: Size, boxes: readonly Rect[], covers: readonly Rect[]): PlaneCamera {
  const within = (room: Rect) => movedBy(whole(content, { width: room.w, height: room.h }), room);
  let room = rectOf(stage);
  let camera = within(room);
  const least = camera.zoom * MIN_UNCOVERED_SHARE;
  for (let count = 0; count < covers.length; count++) {
    const { zoom } = camera;
    const cover = covers.find((one) => {
      // Covers, not the many boxes, are converted.
      const inLayout = { ...toContent(camera, one), w: one.w / zoom, h: one.h / zoom };
      return boxes.some((box) => overlap(box, inLayout));
    });
    if (cover === undefined) {
      break;
    }
    // The fitted graph has a margin of its own.
    const gap = COVER_GAP_PX - MARGIN_PX;
    const [right, bottom] = [cover.x + cover.w + gap, cover.y + cover.h + gap];
    const [most, next] = [
      { ...room, h: cover.y - gap - room.y },
      { ...room, w: cover.x - gap - room.x },
      { ...room, x: right, w: room.x + room.w - right },
      { ...room, y: bottom, h: room.y + room.h - bottom },
    ]
      .map((rest) => [within(rest), rest] as const)
      .reduce((best, one) => (one[0].zoom > best[0].zoom ? one : best));
    if (most.zoom < least) {
      break;
    }
    [camera, room] = [most, next];
  }
  return camera;
}

/**
 * Where one begins: with all in sight; where that could hardly be read, with `main`, what most of the graph is in; where
 * nothing of that could be read, with the place in it at which the data come in. `all`: the camera that shows all.
 */
export function start(
  content: Size,
  begin: Rect | null,
  stage: Size,
  main: Rect = rectOf(content),
  all = whole(content, stage),
): PlaneCamera {
  const fitting = wholeZoom({ width: main.w, height: main.h }, stage);
  if (begin === null || all.zoom >= READABLE || (all.zoom >= MIN_LEGIBLE && fitting < all.zoom * MIN_ENLARGEMENT)) {
    return all;
  }
  if (fitting >= MIN_LEGIBLE) {
    return centeredOn(middle(main), Math.min(LEGIBLE, fitting), stage);
  }
  const across = (stage.width - 2 * MARGIN_PX) / main.w;
  const down = (stage.height - 2 * MARGIN_PX) / main.h;
  const zoom = Math.min(LEGIBLE, Math.max(READABLE, across, down));
  const { x, y } = middle(begin);
  // A side that fits is centered; otherwise the graph fills that side.
  const placed = (at: number, from: number, length: number, room: number) =>
    length * zoom <= room - 2 * MARGIN_PX
      ? room / 2 - zoom * (from + length / 2)
      : clamp(room / 2 - zoom * at, room - MARGIN_PX - zoom * (from + length), MARGIN_PX - zoom * from);
  return { x: placed(x, main.x, main.w, stage.width), y: placed(y, main.y, main.h, stage.height), zoom };
}

function rectOf({ width, height }: Size): Rect {
  return { x: 0, y: 0, w: width, h: height };
}

/** Zooms about a point of the stage. */
export function zoomAt(camera: PlaneCamera, factor: number, at: Point, content: Size, stage: Size): PlaneCamera {
  const least = Math.min(camera.zoom, wholeZoom(content, stage) * MIN_FIT_SHARE);
  const zoom = clamp(camera.zoom * factor, least, MAX_SCALE);
  return bounded(zoomedAbout(camera, zoom, at), content, stage);
}

export function panBy(camera: PlaneCamera, by: Point, content: Size, stage: Size): PlaneCamera {
  return bounded(movedBy(camera, by), content, stage);
}

/** Keeps a part of the graph visible. */
export function bounded(camera: PlaneCamera, content: Size, stage: Size): PlaneCamera {
  return within(camera, content, stage, keeping(MIN_VISIBLE_PX));
}

/** Where on the stage a rectangle of the layout is. */
export function onStage(camera: PlaneCamera, rect: Rect): Rect {
  return { ...toStage(camera, rect), w: camera.zoom * rect.w, h: camera.zoom * rect.h };
}

/** A box in the middle, at a zoom at which its label can be read; all of it if that is possible. */
export function centerOn(camera: PlaneCamera, box: Rect, stage: Size): PlaneCamera {
  const fitting = wholeZoom({ width: box.w, height: box.h }, stage);
  const zoom = clamp(camera.zoom, LEGIBLE, Math.max(fitting, LEGIBLE));
  const at = centeredOn(middle(box), zoom, stage);
  // A box that is too large shows its upper end with the title.
  return box.h * zoom > stage.height ? { ...at, y: MARGIN_PX - zoom * box.y } : at;
}

/** Moved as little as brings a box into sight; of one that is too large, its upper left corner. */
export function intoSight(camera: PlaneCamera, box: Rect, stage: Size): PlaneCamera {
  const moved = (origin: number, from: number, length: number, room: number) => {
    const [least, most] = [origin + camera.zoom * from, origin + camera.zoom * (from + length)];
    const by = Math.max(MARGIN_PX - least, Math.min(0, room - MARGIN_PX - most));
    return least < MARGIN_PX || most > room - MARGIN_PX ? origin + by : origin;
  };
  return {
    x: moved(camera.x, box.x, box.w, stage.width),
    y: moved(camera.y, box.y, box.h, stage.height),
    zoom: camera.zoom,
  };
}

/** Areas of the stage that other elements cover, in CSS pixels. */
export interface Covered {
  /** The card about the selected box; null where there is none. */
  readonly card: Rect | null;
  /** Width of what a search has found, at the left. */
  readonly left: number;
  /** These two, buttons, keys to colors and notices. */
  readonly all: readonly Rect[];
}

export function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** What of a box is at this place of the stage is there afterwards, too, wherever the box has moved and grown. */
export function keepBelow(camera: PlaneCamera, at: Point, before: Rect, after: Rect): PlaneCamera {
  const kept = (point: number, origin: number, from: number, length: number, to: number, grown: number) => {
    const share = clamp((point - origin - camera.zoom * from) / (camera.zoom * length || 1), 0, 1);
    return point - camera.zoom * (to + share * grown) - (point - origin - camera.zoom * (from + share * length));
  };
  return {
    x: kept(at.x, camera.x, before.x, before.w, after.x, after.w),
    y: kept(at.y, camera.y, before.y, before.h, after.y, after.h),
    zoom: camera.zoom,
  };
}

/** On the way from one camera to another, from 0 to 1: zooming at a steady rate about one place. */
export function between(from: PlaneCamera, to: PlaneCamera, share: number): PlaneCamera {
  const zoom = from.zoom ** (1 - share) * to.zoom ** share;
  const progress = Math.abs(to.zoom - from.zoom) < 1e-9 ? share : (zoom - from.zoom) / (to.zoom - from.zoom);
  return { x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress, zoom };
}
