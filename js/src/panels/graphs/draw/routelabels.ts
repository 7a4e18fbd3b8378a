// Labels beside edges: the tensors that they carry, where space allows.

import { formatCount } from "../../../lib/format";
import { strokeWidth } from "../layout/types";
import type { Rows } from "../model/structure";
import { rowOf } from "../pageprogram";
import { bodyColor } from "./boxes";
import { edgeStyle } from "./edgestyles";
import { type Frame, fontOf, widthOf } from "./frame";
import { MIN_FONT_PX } from "./labels";
import { type Prepared, type Scene, Tone } from "./scene";
import { graphDrawingTexts } from "./texts";

/** In layout units: the size of the font, the gap between a route and its label, and the height of marks. */
const FONT_SIZE = 9;
const GAP = 3;
const MARK_HEIGHT = 10;
/** Approximate width of an arrow head in layout units. */
const HEAD_WIDTH = 6;
/** Height of a line of text, as a multiple of its size. */
const LINE_HEIGHT = 1.1;
/** Illegible letters are enlarged by a power of this factor, and the largest exponent. */
const ENLARGEMENT = 1.25;
const MAX_ENLARGEMENTS = 4;
/** Longest text of a shape. */
const MAX_CHARACTERS = 40;
/** A segment is steep up to this ratio of width to height. */
const MAX_STEEP_SLOPE = 0.3;
/** Thicker routes, in layout units, never have a label on them. */
const MAX_WRITTEN_WIDTH = 2;
/** Most segments of a route that are tried for its label. */
const MAX_TRIES = 4;

/** Where a route's label is: its left end and its middle, in units of the layout, and whether it is on a route. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly isOn: boolean;
}

/** Labels of one size. */
interface Sized {
  readonly places: Map<number, Place | null>;
  readonly labels: Obstacles;
}

/** Finds places once for each route and size, when it is first seen close enough. */
export class RouteLabels {
  readonly #scene: Scene;
  readonly #texts = new Map<number, string>();
  readonly #sized: Sized[] = [];
  #obstacles: Obstacles | null = null;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  draw(frame: Frame, routes: Int32Array): void {
    const { pen, prepared, colors, k, dx, dy, ratio } = frame;
    const larger = Math.max(0, Math.ceil(Math.log((MIN_FONT_PX * ratio) / (FONT_SIZE * k)) / Math.log(ENLARGEMENT)));
    if (larger > MAX_ENLARGEMENTS) {
      return;
    }
    const size = Math.max(FONT_SIZE * k, MIN_FONT_PX * ratio);
    pen.font = fontOf(size);
    pen.textAlign = "left";
    for (const route of routes) {
      const text = edgeStyle(prepared.routeKind, route).hasTensors ? this.#textOf(route) : "";
      const place = text === "" ? null : this.#placeOf(prepared, route, text, larger);
      if (place !== null) {
        const [x, y] = [place.x * k + dx, place.y * k + dy];
        if (place.isOn) {
          pen.fillStyle = groundOf(frame, route);
          pen.fillRect(x - ratio, y - size / 2, widthOf(text) * size + 2 * ratio, size);
        }
        const tone = prepared.routeTone[route];
        pen.fillStyle = tone === Tone.EMPHASIZED ? colors.accent : tone === Tone.FAINT ? colors.faint : colors.quiet;
        pen.fillText(text, x, y + size * 0.35);
      }
    }
  }

  #textOf(route: number): string {
    const text = this.#texts.get(route) ?? carried(this.#scene, route);
    this.#texts.set(route, text);
    return text;
  }

  #placeOf(prepared: Prepared, route: number, text: string, larger: number): Place | null {
    this.#sized[larger] ??= { places: new Map(), labels: new Obstacles() };
    const { places, labels } = this.#sized[larger];
    let place = places.get(route);
    if (place === undefined) {
      const size = FONT_SIZE * ENLARGEMENT ** larger;
      const [width, height] = [widthOf(text) * size, LINE_HEIGHT * size];
      this.#obstacles ??= obstaclesOf(this.#scene, prepared, MARK_HEIGHT);
      const all = [this.#obstacles, labels];
      const isFree = ({ x, y }: Place, ignores: (other: number) => boolean) =>
        !all.some((some) => some.isTaken(x, y - height / 2, width, height, ignores));
      const widthOfRoute = (other: number) => strokeWidth(prepared.routeLevel[other] as number);
      const candidates = this.#candidates(
        route,
        width,
        height,
        widthOfRoute(route),
        this.#scene.layout.routes.room[route] as number,
      );
      place = candidates.find((one) => isFree(one, (other) => other === route)) ?? null;
      if (place === null && larger === 0) {
        // Rather upon a thin route than nowhere.
        const upon = candidates.find((one) =>
          isFree(one, (other) => other === route || widthOfRoute(other) <= MAX_WRITTEN_WIDTH),
        );
        place = upon === undefined ? null : { ...upon, isOn: true };
      }
      places.set(route, place);
      if (place !== null) {
        labels.add(-1, place.x, place.y - height / 2, width, height);
      }
    }
    return place;
  }

  /** At the middle of its segments, the middle one first: beside steep ones, above, below or on flat ones; then at its ends. */
  #candidates(route: number, width: number, height: number, thick: number, room: number): Place[] {
    const { start, points } = this.#scene.layout.routes;
    const [from, to] = [start[route] as number, start[route + 1] as number];
    const segments = to - from - 1;
    const found: Place[] = [];
    for (let attempt = 0; attempt < Math.min(segments, MAX_TRIES); attempt++) {
      // 0, 1, -1, 2, -2 … segments from the middle.
      const aside = attempt % 2 === 1 ? (attempt + 1) / 2 : -attempt / 2;
      const i = from + Math.floor((segments - 1) / 2) + aside;
      if (i < from || i + 1 >= to) {
        continue;
      }
      const x = ((points[2 * i] as number) + (points[2 * i + 2] as number)) / 2;
      const y = ((points[2 * i + 1] as number) + (points[2 * i + 3] as number)) / 2;
      const across = Math.abs((points[2 * i + 2] as number) - (points[2 * i] as number));
      const up = Math.abs((points[2 * i + 3] as number) - (points[2 * i + 1] as number));
      if (across <= MAX_STEEP_SLOPE * up) {
        const away = GAP + thick / 2;
        found.push({ x: x + away, y, isOn: false }, { x: x - away - width, y, isOn: false });
        continue;
      }
      // A route from box to box is less steep in its middle.
      const rise = Math.min(up, (up / across) * width) / (segments === 1 ? 4 : 2);
      const away = thick / 2 + height / 2 + rise;
      const left = x - width / 2;
      found.push({ x: left, y: y - away, isOn: false }, { x: left, y: y + away, isOn: false });
      if (thick <= MAX_WRITTEN_WIDTH) {
        found.push({ x: left, y, isOn: true });
      }
    }
    // At its ends, on the sides that the route leads away from: not in a row of routes.
    for (const [end, next] of room < width ? [] : [[from, from + 1] as const, [to - 1, to - 2] as const]) {
      const [x, y] = [points[2 * end] as number, points[2 * end + 1] as number];
      const [dx, dy] = [(points[2 * next] as number) - x, (points[2 * next + 1] as number) - y];
      const away = GAP + Math.max(thick, HEAD_WIDTH) / 2;
      const middle = y + Math.sign(dy) * Math.min(Math.abs(dy) / 2, height / 2 + 1);
      found.push({ x: dx > 0 ? x - away - width : x + away, y: middle, isOn: false });
    }
    return found;
  }
}

/** The color of the scope behind a route. */
function groundOf(frame: Frame, route: number): string {
  const { places } = frame;
  const { parent } = frame.scene.view;
  const [source, target] = [places.routes.source[route] as number, places.routes.target[route] as number];
  const inner = parent[source] === target ? target : (parent[source] as number);
  const scope = parent[target] === source ? source : inner;
  return scope < 0 ? frame.colors.paper : bodyColor(frame, scope);
}

/** The shape of the one tensor that a route stands for, or how many they are; "" where that is not known. */
export function carried({ view, layout }: Scene, route: number): string {
  const { shape, tensors } = view.edges;
  const { bundles, bundleStart } = layout.routes;
  const all = bundles.subarray(bundleStart[route] as number, bundleStart[route + 1] as number);
  const distinct = new Set<number>();
  for (const bundle of tensors === null ? [] : all) {
    for (const tensor of rowOf(tensors as Rows, bundle)) {
      distinct.add(tensor);
    }
  }
  if (distinct.size > 1) {
    return graphDrawingTexts().tensors(distinct.size, formatCount(distinct.size));
  }
  const text = distinct.size === 1 || all.length === 1 ? (shape[all[0] as number] as string) : "";
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

// Obstacles that edge labels avoid: boxes, routes, marks, other texts.

/** Most routes that labels avoid; most rectangles that stand for a segment of one, and their height in layout units. */
const MAX_AVOIDED_ROUTES = 5000;
const MAX_RECTANGLES = 24;
const RECTANGLE_HEIGHT = 10;

export class Obstacles {
  readonly #grid = new Grid();
  /** Rectangles in fours, and the routes that they are parts of; -1 for other obstacles. */
  readonly #taken: number[] = [];
  readonly #owners: number[] = [];

  add(owner: number, x: number, y: number, w: number, h: number): void {
    this.#grid.insert(this.#owners.length, x, y, w, h);
    this.#owners.push(owner);
    this.#taken.push(x, y, w, h);
  }

  /** Whether an obstacle covers the rectangle, except ignored routes. */
  isTaken(x: number, y: number, w: number, h: number, ignores: (route: number) => boolean): boolean {
    const taken = this.#taken;
    return this.#grid.some(x, y, x + w, y + h, (at) => {
      const owner = this.#owners[at] as number;
      const [left, top] = [taken[4 * at] as number, taken[4 * at + 1] as number];
      return (
        left < x + w &&
        top < y + h &&
        left + (taken[4 * at + 2] as number) > x &&
        top + (taken[4 * at + 3] as number) > y &&
        (owner < 0 || !ignores(owner))
      );
    });
  }
}

/** The boxes, routes and marks of a scene; `markHeight` in units of the layout. */
export function obstaclesOf({ view, layout, input }: Scene, { routeLevel }: Prepared, markHeight: number): Obstacles {
  const obstacles = new Obstacles();
  for (let box = 0; box < view.count; box++) {
    const h = (view.open[box] === 1 ? layout.title : layout.h)[box] as number;
    obstacles.add(-1, layout.x[box] as number, layout.y[box] as number, layout.w[box] as number, h);
  }
  const { count, start, points } = layout.routes;
  for (let route = 0; route < Math.min(count, MAX_AVOIDED_ROUTES); route++) {
    const thick = strokeWidth(routeLevel[route] as number) / 2;
    const [from, to] = [start[route] as number, start[route + 1] as number];
    for (let i = from; i + 1 < to; i++) {
      const [x, y] = [points[2 * i] as number, points[2 * i + 1] as number];
      const [dx, dy] = [(points[2 * i + 2] as number) - x, (points[2 * i + 3] as number) - y];
      const steps = Math.min(MAX_RECTANGLES, Math.ceil(Math.min(Math.abs(dx), Math.abs(dy)) / RECTANGLE_HEIGHT) || 1);
      let [beforeX, beforeY] = [x, y];
      for (let step = 1; step <= steps; step++) {
        const share = step / steps;
        // A route from box to box is a curve that is upright at both.
        const isCurve = to - from === 2;
        const nextX = x + dx * (isCurve ? share * share * (3 - 2 * share) : share);
        const nextY = y + dy * (isCurve ? 1.5 * share * (1 - share) + share ** 3 : share);
        const [left, top] = [Math.min(beforeX, nextX) - thick, Math.min(beforeY, nextY) - thick];
        const [w, h] = [Math.abs(nextX - beforeX) + 2 * thick, Math.abs(nextY - beforeY) + 2 * thick];
        obstacles.add(route, left, top, w, h);
        [beforeX, beforeY] = [nextX, nextY];
      }
    }
  }
  for (let mark = 0; mark < input.marks.count; mark++) {
    const [x, y, w] = [layout.markX[mark], layout.markY[mark], layout.markW[mark]];
    obstacles.add(-1, x as number, y as number, w as number, markHeight);
  }
  return obstacles;
}

// Finds rectangles by place. Each stands in one cell of a grid whose cells are larger than it is.

const MIN_CELL_SIZE = 64;
const CELL_GROWTH = 4;

/** Keys of cells: levels, columns and rows side by side in a double. */
const ROWS = 2 ** 20;

export class Grid {
  readonly #cells = new Map<number, number[]>();
  readonly #levels = new Set<number>();

  insert(item: number, x: number, y: number, w: number, h: number): void {
    let level = 0;
    let size = MIN_CELL_SIZE;
    while (size < w || size < h) {
      level += 1;
      size *= CELL_GROWTH;
    }
    this.#levels.add(level);
    const key = keyOf(level, Math.floor(x / size), Math.floor(y / size));
    const cell = this.#cells.get(key);
    if (cell === undefined) {
      this.#cells.set(key, [item]);
    } else {
      cell.push(item);
    }
  }

  /** Calls `visit` with what may touch a rectangle, until that returns true; returns whether it did. */
  some(left: number, top: number, right: number, bottom: number, visit: (item: number) => boolean): boolean {
    for (const level of this.#levels) {
      const size = MIN_CELL_SIZE * CELL_GROWTH ** level;
      // An item of the previous cell may reach into this one.
      for (let column = Math.floor(left / size) - 1; column <= Math.floor(right / size); column++) {
        for (let row = Math.floor(top / size) - 1; row <= Math.floor(bottom / size); row++) {
          if (this.#cells.get(keyOf(level, column, row))?.some(visit)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}

function keyOf(level: number, column: number, row: number): number {
  return (level * ROWS + column + 1) * ROWS + row + 1;
}
