// From places within each scope to places in the whole drawing.

import { bisectRight } from "../../../lib/search";
import type { Packed } from "./pack";
import type { Placement } from "./scope";
import type { ScopeGraph } from "./scopegraphs";
import { AUXILIARY_PADDING, CAPTION, CAPTION_WIDTH, MARGIN, MARK_GAP, type MarkRoom, PADDING, TITLE } from "./sizes";
import { type Layout, type LayoutInput, levelIn, MARK_HEIGHT, type Routes } from "./types";

/** A scope with its laid out content. */
export interface ScopeLayout {
  readonly graph: ScopeGraph;
  readonly placement: Placement;
  /** Boxes of the auxiliary area, around their middles, and that area's left; at the top of the content. */
  readonly auxiliary: Packed;
  readonly auxiliaryX: number;
  /** Size of the content. */
  readonly width: number;
  readonly height: number;
}

/** Places of everything; `scopes` are numbers of boxes + 1, 0 being the root, the outer ones first. */
export function assembled(
  input: LayoutInput,
  scopes: readonly number[],
  laid: ReadonlyMap<number, ScopeLayout>,
  room: MarkRoom,
  w: Float32Array,
  h: Float32Array,
): Layout {
  const { count } = input;
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const title = new Float32Array(count);
  const areas = new Float32Array(4 * (count + 1));
  const found = { start: [0], points: [] as number[], source: [] as number[], target: [] as number[] };
  const bundleStart = [0];
  const bundles: number[] = [];
  const arrow: number[] = [];
  const back: number[] = [];
  const elements: number[] = [];
  for (const scope of scopes) {
    const { graph, placement, auxiliary, auxiliaryX, width, height } = laid.get(scope) as ScopeLayout;
    const box = scope - 1;
    const left = scope ? (x[box] as number) + ((w[box] as number) - width) / 2 : MARGIN;
    const top = scope ? (y[box] as number) + TITLE + PADDING : MARGIN;
    const bottom = scope ? (y[box] as number) + (h[box] as number) - PADDING : top + height;
    if (scope) {
      title[box] = TITLE;
    }
    const ports = graph.portAt.length;
    graph.boxes.forEach((child, i) => {
      x[child] = left + (placement.x[ports + i] as number) - (w[child] as number) / 2;
      y[child] = bottom - (placement.v[ports + i] as number) - (h[child] as number) / 2;
    });
    graph.auxiliary.forEach((child, i) => {
      const high = Math.max(h[child] as number, room.height[child] as number);
      x[child] = left + auxiliaryX + AUXILIARY_PADDING + (auxiliary.x[i] as number) - (w[child] as number) / 2;
      y[child] = top + CAPTION + (auxiliary.y[i] as number) + (high - (h[child] as number)) / 2;
    });
    if (graph.auxiliary.length) {
      areas.set([left + auxiliaryX, top, ...areaOf(auxiliary)], 4 * (scope ? box : count));
    }
    const { routes } = placement;
    const end = (at: number) => (at < ports ? box : (graph.boxes[at - ports] as number));
    for (let i = 0; i < routes.source.length; i++) {
      for (let k = routes.start[i] as number; k < (routes.start[i + 1] as number); k++) {
        found.points.push(left + (routes.points[2 * k] as number), bottom - (routes.points[2 * k + 1] as number));
      }
      found.start.push(found.points.length / 2);
      found.source.push(end(routes.source[i] as number));
      found.target.push(end(routes.target[i] as number));
      let isEnd = 0;
      let size = 0;
      for (let k = routes.edgeStart[i] as number; k < (routes.edgeStart[i + 1] as number); k++) {
        const edge = routes.edges[k] as number;
        for (const bundle of graph.bundles[edge] as readonly number[]) {
          bundles.push(input.bundle[bundle < 0 ? -1 - bundle : bundle] as number);
        }
        isEnd |= graph.arrow[edge] as number;
        size += graph.size[edge] as number;
      }
      bundleStart.push(bundles.length);
      elements.push(size);
      isEnd &= routes.ends[i] as number;
      arrow.push(isEnd & 1);
      back.push(isEnd >> 1);
    }
  }
  const root = laid.get(0) as ScopeLayout;
  const routes = {
    count: arrow.length,
    start: Int32Array.from(found.start),
    points: Float32Array.from(found.points),
  };
  const rooms = roomsOf(routes);
  return {
    width: root.width + 2 * MARGIN,
    height: root.height + 2 * MARGIN,
    x,
    y,
    w,
    h,
    title,
    auxiliary: areas,
    ...marksAt(input, room, x, y, w, h),
    routes: {
      ...routes,
      source: Int32Array.from(found.source),
      target: Int32Array.from(found.target),
      bundleStart: Int32Array.from(bundleStart),
      bundles: Int32Array.from(bundles),
      arrow: Uint8Array.from(arrow),
      back: Uint8Array.from(back),
      level: Uint8Array.from(elements, (size, route) => levelIn(rooms[route] as number, size)),
      room: rooms,
    },
  };
}

/** Width and height of an auxiliary area. */
export function areaOf({ width, height }: Packed): readonly [number, number] {
  return [Math.max(CAPTION_WIDTH, width + 2 * AUXILIARY_PADDING), CAPTION + height + AUXILIARY_PADDING];
}

/** Icons stand in columns beside the middle of their box. */
function marksAt(
  { count, marks }: LayoutInput,
  { width }: MarkRoom,
  x: Float32Array,
  y: Float32Array,
  w: Float32Array,
  h: Float32Array,
) {
  const rows = new Int32Array(2 * count);
  const seen = new Int32Array(2 * count);
  const place = (i: number) => 2 * (marks.box[i] as number) + (marks.side[i] ? 1 : 0);
  const markX = new Float32Array(marks.count);
  const markY = new Float32Array(marks.count);
  for (let i = 0; i < marks.count; i++) {
    (rows[place(i)] as number)++;
  }
  for (let i = 0; i < marks.count; i++) {
    const box = marks.box[i] as number;
    const row = (seen[place(i)] as number)++;
    markX[i] = marks.side[i]
      ? (x[box] as number) + (w[box] as number) + MARK_GAP
      : (x[box] as number) - MARK_GAP - (width[i] as number);
    markY[i] =
      (y[box] as number) + ((h[box] as number) - MARK_HEIGHT * (rows[place(i)] as number)) / 2 + MARK_HEIGHT * row;
  }
  return { markX, markY, markW: width };
}

// How much room routes have beside each other where they leave and reach boxes.

/** Places are compared in these parts of a unit; rows and columns stand side by side in a double. */
const PARTS = 8;
const COLUMNS = 2 ** 25;
/** Units: ends that are nearer to each other are one place, where routes come together. */
const MIN_END_DISTANCE = 1;

/** Units of the layout from the ends of each route to the next ends beside them; Infinity where there are none. */
export function roomsOf({ count, start, points }: Pick<Routes, "count" | "start" | "points">): Float32Array {
  const rooms = new Float32Array(count).fill(Infinity);
  for (const endOf of [
    (route: number) => start[route] as number,
    (route: number) => (start[route + 1] as number) - 1,
  ]) {
    const keys = new Float64Array(count);
    for (let route = 0; route < count; route++) {
      const at = 2 * endOf(route);
      const [column, row] = [(points[at] as number) * PARTS, (points[at + 1] as number) * PARTS];
      keys[route] = Math.round(row) * COLUMNS + Math.round(column) + COLUMNS / 2;
    }
    const ordered = keys.slice().sort();
    for (let route = 0; route < count; route++) {
      const key = keys[route] as number;
      const row = Math.floor(key / COLUMNS);
      const before = ordered[bisectRight(ordered, key - MIN_END_DISTANCE * PARTS) - 1] ?? Number.NaN;
      const behind = ordered[bisectRight(ordered, key + MIN_END_DISTANCE * PARTS)] ?? Number.NaN;
      for (const other of [before, behind]) {
        if (Math.floor(other / COLUMNS) === row) {
          rooms[route] = Math.min(rooms[route] as number, Math.abs(other - key) / PARTS);
        }
      }
    }
  }
  return rooms;
}
