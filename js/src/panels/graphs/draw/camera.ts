// The part of a graph that the stage shows. Pure: a camera is never changed, only replaced. All places are in CSS pixels.

/** A point of the canvas lies at x + zoom · u, where u is a place of the layout. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

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
const WORTH_ZOOMING = 1.15;
const MAX_SCALE = 4;
/** A graph that is wholly visible can be made smaller by this factor. */
const BELOW_FIT = 0.5;
/** Margin of a fitted graph, and the part of a graph that stays visible, in pixels. */
const MARGIN = 20;
const MIN_VISIBLE_PX = 48;

/** The zoom at which a whole size fits the stage. */
function fitZoom(content: Size, stage: Size): number {
  const across = (stage.width - 2 * MARGIN) / Math.max(1, content.width);
  const down = (stage.height - 2 * MARGIN) / Math.max(1, content.height);
  return Math.max(1e-4, Math.min(MAX_FIT_SCALE, across, down));
}

/** A camera of this zoom with a place of the layout in the middle of the stage. */
function centered(at: Point, zoom: number, stage: Size): Camera {
  return { x: stage.width / 2 - zoom * at.x, y: stage.height / 2 - zoom * at.y, zoom };
}

const middle = ({ x, y, w, h }: Rect): Point => ({ x: x + w / 2, y: y + h / 2 });

/** Shows all. */
export function whole(content: Size, stage: Size): Camera {
  return centered({ x: content.width / 2, y: content.height / 2 }, fitZoom(content, stage), stage);
}

/**
 * Where one begins: with all in sight; where that could hardly be read, with `main`, what most of the graph is in; where
 * nothing of that could be read, with the place in it at which the data come in.
 */
export function start(content: Size, begin: Rect | null, stage: Size, main: Rect = rectOf(content)): Camera {
  const all = whole(content, stage);
  const fitting = fitZoom({ width: main.w, height: main.h }, stage);
  if (begin === null || all.zoom >= READABLE || (all.zoom >= MIN_LEGIBLE && fitting < all.zoom * WORTH_ZOOMING)) {
    return all;
  }
  if (fitting >= MIN_LEGIBLE) {
    return centered(middle(main), Math.min(LEGIBLE, fitting), stage);
  }
  const across = (stage.width - 2 * MARGIN) / main.w;
  const down = (stage.height - 2 * MARGIN) / main.h;
  const zoom = Math.min(LEGIBLE, Math.max(READABLE, across, down));
  const { x, y } = middle(begin);
  // A side that fits is centered; otherwise the graph fills that side.
  const placed = (at: number, from: number, length: number, room: number) =>
    length * zoom <= room - 2 * MARGIN
      ? room / 2 - zoom * (from + length / 2)
      : Math.min(MARGIN - zoom * from, Math.max(room - MARGIN - zoom * (from + length), room / 2 - zoom * at));
  return { x: placed(x, main.x, main.w, stage.width), y: placed(y, main.y, main.h, stage.height), zoom };
}

function rectOf({ width, height }: Size): Rect {
  return { x: 0, y: 0, w: width, h: height };
}

/** Zooms about a point of the stage. */
export function zoomAt(camera: Camera, factor: number, at: Point, content: Size, stage: Size): Camera {
  const least = Math.min(camera.zoom, fitZoom(content, stage) * BELOW_FIT);
  const zoom = Math.min(MAX_SCALE, Math.max(least, camera.zoom * factor));
  const by = zoom / camera.zoom;
  return bounded({ x: at.x - (at.x - camera.x) * by, y: at.y - (at.y - camera.y) * by, zoom }, content, stage);
}

export function panBy(camera: Camera, by: Point, content: Size, stage: Size): Camera {
  return bounded({ x: camera.x + by.x, y: camera.y + by.y, zoom: camera.zoom }, content, stage);
}

/** Keeps a part of the graph visible. */
export function bounded({ x, y, zoom }: Camera, content: Size, stage: Size): Camera {
  const within = (from: number, length: number, room: number) => {
    const kept = Math.min(MIN_VISIBLE_PX, length * zoom, room / 2);
    return Math.min(room - kept, Math.max(kept - length * zoom, from));
  };
  return { x: within(x, content.width, stage.width), y: within(y, content.height, stage.height), zoom };
}

/** A box in the middle, at a zoom at which its label can be read; all of it if that is possible. */
export function centerOn(camera: Camera, box: Rect, stage: Size): Camera {
  const fitting = fitZoom({ width: box.w, height: box.h }, stage);
  const zoom = Math.min(Math.max(camera.zoom, LEGIBLE), Math.max(fitting, LEGIBLE));
  const at = centered(middle(box), zoom, stage);
  // A box that is too large shows its upper end with the title.
  return box.h * zoom > stage.height ? { ...at, y: MARGIN - zoom * box.y } : at;
}

/** Moved as little as brings a box into sight; of one that is too large, its upper left corner. */
export function intoSight(camera: Camera, box: Rect, stage: Size): Camera {
  const moved = (origin: number, from: number, length: number, room: number) => {
    const [least, most] = [origin + camera.zoom * from, origin + camera.zoom * (from + length)];
    const by = Math.max(MARGIN - least, Math.min(0, room - MARGIN - most));
    return least < MARGIN || most > room - MARGIN ? origin + by : origin;
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
}

export function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** What of a box is at this place of the stage is there afterwards, too, wherever the box has moved and grown. */
export function keepBelow(camera: Camera, at: Point, before: Rect, after: Rect): Camera {
  const kept = (point: number, origin: number, from: number, length: number, to: number, grown: number) => {
    const share = Math.min(1, Math.max(0, (point - origin - camera.zoom * from) / (camera.zoom * length || 1)));
    return point - camera.zoom * (to + share * grown) - (point - origin - camera.zoom * (from + share * length));
  };
  return {
    x: kept(at.x, camera.x, before.x, before.w, after.x, after.w),
    y: kept(at.y, camera.y, before.y, before.h, after.y, after.h),
    zoom: camera.zoom,
  };
}

/** On the way from one camera to another, from 0 to 1: zooming at a steady rate about one place. */
export function between(from: Camera, to: Camera, share: number): Camera {
  const zoom = from.zoom ** (1 - share) * to.zoom ** share;
  const progress = Math.abs(to.zoom - from.zoom) < 1e-9 ? share : (zoom - from.zoom) / (to.zoom - from.zoom);
  return { x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress, zoom };
}

/** The place of the layout at a point of the stage. */
export function placeAt(camera: Camera, at: Point): Point {
  return { x: (at.x - camera.x) / camera.zoom, y: (at.y - camera.y) / camera.zoom };
}
