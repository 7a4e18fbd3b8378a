// From where a graph is seen: the camera, what is kept in sight when the layout changes, and the ways between. No page is
// needed for it.

import type { Point, Size } from "../../../charts/geometry";
import { centeredOn, middleOf, type PlaneCamera, toContent } from "../../../charts/planecamera";
import { Area } from "../layout/types";
import {
  bounded,
  type Covered,
  centerOn,
  intoSight,
  keepBelow,
  onStage,
  overlap,
  panBy,
  type Rect,
  start,
  wholeBeside,
  zoomAt,
} from "./camera";
import { type Prepared, prepare, type Scene, type Shown } from "./scene";
import { firstBox, mainComponent } from "./steps";
import { motion, type Sight, Travel } from "./transitions";

/** With more boxes than this, a layout changes without a transition. */
const MAX_ANIMATED_BOXES = 20_000;

/** Least visible width of an opened box's title where its whole bar has no room. */
const MIN_TITLE_PX = 160;

/** The camera that shows all of a scene, or where one begins, beside what covers the stage. */
type Fit = (scene: Scene, size: Size, covers: readonly Rect[]) => PlaneCamera;

export class Viewpoint {
  readonly #reduced: () => boolean;
  readonly #covered: () => Covered;
  #size: Size = { width: 0, height: 0 };
  #shown: Shown | null = null;
  #travel: Travel | null = null;
  /** The next box to be opened or closed stays at this place of the stage. */
  #anchor: { readonly path: string; readonly at: Point; readonly byBar: boolean } | null = null;
  /** How the stage shows the graph as long as the user has not chosen what is in sight; null once they have. */
  #fitted: Fit | null = startOf;
  /** Box to center once it is laid out. */
  #wanted: string | null = null;

  /** `reduced` says whether the user wants no motion. */
  constructor(reduced: () => boolean, covered: () => Covered) {
    this.#reduced = reduced;
    this.#covered = covered;
  }

  get shown(): Shown | null {
    return this.#shown;
  }

  get size(): Size {
    return this.#size;
  }

  /** Where the camera is or will be; null as long as there is nothing to be seen. */
  get camera(): PlaneCamera | null {
    return this.#travel?.camera ?? null;
  }

  /** Bounds of routes where they are or will be. */
  get bounds(): Float32Array {
    return this.#travel?.bounds ?? new Float32Array();
  }

  at(now: number): Sight | null {
    return this.#travel?.at(now) ?? null;
  }

  isMovingAt(now: number): boolean {
    return this.#travel?.isMovingAt(now) ?? true;
  }

  /** What is in the middle stays there; what the user has not moved is fitted as before. A stage of no size is hidden. */
  resize(size: Size): void {
    if (size.width === 0 || size.height === 0) {
      return;
    }
    const by = { x: (size.width - this.#size.width) / 2, y: (size.height - this.#size.height) / 2 };
    this.#size = size;
    if (this.#shown === null) {
      return;
    }
    const { scene } = this.#shown;
    if (this.#travel === null) {
      this.#begin(scene);
      this.#goWanted();
    } else {
      this.#travel.jump(this.#fit(scene) ?? panBy(this.#travel.camera, by, scene.layout, size));
    }
  }

  /** What is in sight stays, as far as it is in the scene. Returns whether the layout is another one. */
  show(scene: Scene, now: number): boolean {
    const before = this.#shown;
    this.#shown = { scene, prepared: prepare(scene, before) };
    if (before?.scene.layout === scene.layout) {
      return false;
    }
    if (this.#travel === null || before === null || before.scene.view.count === 0 || this.#size.width === 0) {
      this.#travel = null;
      this.#begin(scene);
    } else {
      const isMoving = Math.max(scene.view.count, before.scene.view.count) <= MAX_ANIMATED_BOXES;
      const moving = isMoving ? motion(this.#travel.at(now).places, before.prepared.boxOf, scene) : null;
      this.#travel.change(scene.layout, this.#cameraAfter(this.#shown, before, this.#travel.camera), moving, now);
    }
    this.#goWanted();
    return true;
  }

  /**
   * What of a box is at this point of the stage is to stay there when it is opened or closed; by its bar, which is its title
   * where it is open, or by all of it.
   */
  keep(path: string, at: Point, byBar: boolean): void {
    this.#anchor = { path, at, byBar };
  }

  /** Where on the stage the title bar of an opened box is or will be, or all of a closed one. */
  barOf(box: number): Rect {
    const { shown, camera } = this;
    if (shown === null || camera === null || box < 0) {
      return { x: 0, y: 0, w: 0, h: 0 };
    }
    return onStage(camera, barOf(shown.scene, box));
  }

  fit(): void {
    this.#goFitted(wholeOf);
  }

  /** Goes back to where one begins. */
  restart(): void {
    this.#goFitted(startOf);
  }

  zoom(factor: number, at: Point): void {
    this.#jump((camera, content) => zoomAt(camera, factor, at, content, this.#size));
  }

  zoomSlowly(factor: number): void {
    this.#fitted = null;
    this.#go((camera, content) => zoomAt(camera, factor, middleOf(this.#size), content, this.#size));
  }

  pan(by: Point): void {
    this.#jump((camera, content) => panBy(camera, by, content, this.#size));
  }

  /** A place of the layout comes into the middle. */
  lookAt(at: Point): void {
    this.#jump(({ zoom }, content) => bounded(centeredOn(at, zoom, this.#size), content, this.#size));
  }

  /** Centers a box, now or once it is laid out. */
  center(path: string): void {
    this.#wanted = path;
    this.#goWanted();
  }

  /** Brings a box into sight, if it is not. */
  bringIntoSight(box: number): void {
    const { shown } = this;
    if (shown !== null && box >= 0) {
      this.#go((camera) => intoSight(camera, barOf(shown.scene, box), this.#uncovered(this.#covered())));
    }
  }

  /** Moves a box, or the title of an opened one, from below what lies upon the stage. */
  uncover(box: number): void {
    const { shown, camera } = this;
    const covered = this.#covered();
    const { card } = covered;
    if (shown === null || camera === null || card === null || box < 0) {
      return;
    }
    const stage = this.#uncovered(covered);
    const bar = this.barOf(box);
    const title = {
      ...bar,
      w: bar.w <= stage.width ? bar.w : Math.min(bar.w, MIN_TITLE_PX),
      h: Math.min(bar.h, stage.height),
    };
    if (overlap(title, card)) {
      const { zoom } = camera;
      const place = { ...barOf(shown.scene, box), w: title.w / zoom, h: title.h / zoom };
      this.#go((from) => intoSight(from, place, stage));
    }
  }

  #goWanted(): void {
    const box = this.#wanted === null ? undefined : this.#shown?.prepared.boxOf.get(this.#wanted);
    if (box === undefined || this.#travel === null || this.#shown === null) {
      return;
    }
    const rect = rectOf(this.#shown.scene, box);
    this.#wanted = null;
    this.#fitted = null;
    const covered = this.#covered();
    const { width, height } = this.#uncovered(covered);
    const left = Math.min(covered.left, width / 2);
    this.#go((camera) => {
      const to = centerOn(camera, rect, { width: width - left, height });
      return { ...to, x: to.x + left };
    });
  }

  /** What of the stage can be seen: at the left of the card, or above that. */
  #uncovered({ card }: Covered): Size {
    const { width, height } = this.#size;
    const { x, y } = card ?? { x: width, y: height };
    return x * height >= width * y ? { width: x, height } : { width, height: y };
  }

  #go(to: (camera: PlaneCamera, content: Size) => PlaneCamera): void {
    if (this.#travel !== null && this.#shown !== null) {
      this.#travel.go(to(this.#travel.camera, this.#shown.scene.layout), performance.now());
    }
  }

  #goFitted(fitted: Fit): void {
    this.#fitted = fitted;
    const { shown } = this;
    if (shown !== null) {
      this.#go((camera) => this.#fit(shown.scene) ?? camera);
    }
  }

  /** The fitted camera; null once the user has moved the graph. */
  #fit(scene: Scene): PlaneCamera | null {
    return this.#fitted?.(scene, this.#size, this.#covered().all) ?? null;
  }

  #jump(to: (camera: PlaneCamera, content: Size) => PlaneCamera): void {
    if (this.#travel !== null && this.#shown !== null) {
      this.#fitted = null;
      this.#travel.jump(to(this.#travel.cameraAt(performance.now()), this.#shown.scene.layout));
    }
  }

  #begin(scene: Scene): void {
    if (this.#size.width > 0 && this.#size.height > 0) {
      const camera = startOf(scene, this.#size, this.#covered().all);
      this.#travel ??= new Travel(scene.layout, camera, this.#reduced);
      this.#travel.jump(camera);
      this.#fitted = startOf;
    }
  }

  /** Where the camera goes when the layout changes: what was opened, else what is in the middle, stays where it is. */
  #cameraAfter({ scene, prepared }: Shown, before: Shown, camera: PlaneCamera): PlaneCamera {
    const anchor = this.#anchor;
    this.#anchor = null;
    const was = anchor === null ? undefined : before.prepared.boxOf.get(anchor.path);
    const is = anchor === null ? undefined : prepared.boxOf.get(anchor.path);
    if (anchor !== null && was !== undefined && is !== undefined) {
      this.#fitted = null;
      const rect = anchor.byBar ? barOf : rectOf;
      return keepBelow(camera, anchor.at, rect(before.scene, was), rect(scene, is));
    }
    const fitted = this.#fit(scene);
    if (fitted !== null) {
      return fitted;
    }
    const middle = middleOf(this.#size);
    const kept = nearestKept(before, prepared, toContent(camera, middle));
    const after = prepared.boxOf.get(before.scene.view.path[kept] ?? "");
    return after === undefined
      ? startOf(scene, this.#size, this.#covered().all)
      : keepBelow(camera, middle, rectOf(before.scene, kept), rectOf(scene, after));
  }
}

function wholeOf(scene: Scene, size: Size, covers: readonly Rect[]): PlaneCamera {
  const bars = scene.view.path.map((_, box) => barOf(scene, box));
  return wholeBeside(scene.layout, size, bars, covers);
}

/** Where one begins to look at a scene. */
export function startOf(scene: Scene, size: Size, covers: readonly Rect[] = []): PlaneCamera {
  const main = mainComponent(scene);
  const first = firstBox(scene, main);
  const all = wholeOf(scene, size, covers);
  if (first < 0) {
    return all;
  }
  const bounds = around(scene, main);
  const from = (box: number) => start(scene.layout, rectOf(scene, box), size, bounds, all);
  let [camera, most] = [from(first), 0];
  const closed = Array.from({ length: scene.view.count }, (_, box) => box).filter((box) => isInMain(scene, box));
  const enough = Math.min(MIN_VISIBLE_BOXES, closed.length);
  closed.sort((a, b) => bottomOf(scene, b) - bottomOf(scene, a));
  // Where the data come in there may be little else: then it is the next place above at which there is more.
  const pitch = Math.max(1, Math.floor(closed.length / MAX_TRIED_PLACES));
  for (let i = 0; i < closed.length && most < enough; i += pitch) {
    const trial = i === 0 ? camera : from(closed[i] as number);
    const seen = closed.filter((box) => isInSight(trial, rectOf(scene, box), size)).length;
    if (seen > most) {
      [camera, most] = [trial, seen];
    }
  }
  return camera;
}

/** Least number of visible boxes in a first view, and most places that are tried for it. */
const MIN_VISIBLE_BOXES = 8;
const MAX_TRIED_PLACES = 60;

function bottomOf({ layout }: Scene, box: number): number {
  return (layout.y[box] as number) + (layout.h[box] as number);
}

/** Whether a box is closed, and no part of an auxiliary area. */
function isInMain({ view, input }: Scene, box: number): boolean {
  for (let at = box; at >= 0; at = view.parent[at] as number) {
    if (input.area[at] !== Area.MAIN) {
      return false;
    }
  }
  return view.open[box] === 0;
}

/** Whether a whole box is visible. */
function isInSight(camera: PlaneCamera, box: Rect, { width, height }: Size): boolean {
  const { x, y, w, h } = onStage(camera, box);
  return x >= 0 && y >= 0 && x + w <= width && y + h <= height;
}

/** The least rectangle around some boxes. */
function around(scene: Scene, boxes: readonly number[]): Rect {
  const rects = boxes.map((box) => rectOf(scene, box));
  const [left, top] = [Math.min(...rects.map(({ x }) => x)), Math.min(...rects.map(({ y }) => y))];
  const right = Math.max(...rects.map(({ x, w }) => x + w));
  const bottom = Math.max(...rects.map(({ y, h }) => y + h));
  return { x: left, y: top, w: right - left, h: bottom - top };
}

function rectOf({ layout }: Scene, box: number): Rect {
  const [x, y, w, h] = [layout.x[box], layout.y[box], layout.w[box], layout.h[box]];
  return { x: x as number, y: y as number, w: w as number, h: h as number };
}

/** The title bar of an opened box, all of a closed one. */
export function barOf(scene: Scene, box: number): Rect {
  const rect = rectOf(scene, box);
  return scene.view.open[box] === 1 ? { ...rect, h: scene.layout.title[box] as number } : rect;
}

/** The box that is nearest to a place, of those that are in the next scene, too; of several the smallest. */
function nearestKept({ scene }: Shown, next: Prepared, at: Point): number {
  let [nearest, least, size] = [-1, Infinity, Infinity];
  for (let box = 0; box < scene.view.count; box++) {
    const { x, y, w, h } = rectOf(scene, box);
    const away = Math.max(0, x - at.x, at.x - x - w) + Math.max(0, y - at.y, at.y - y - h);
    if ((away < least || (away === least && w * h < size)) && next.boxOf.has(scene.view.path[box] as string)) {
      [nearest, least, size] = [box, away, w * h];
    }
  }
  return nearest;
}
