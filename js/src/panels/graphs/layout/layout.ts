// The whole layout: scopes are ordered from the outside inwards, and placed from the inside outwards.

import { bisectRight } from "../../../lib/search";
import { grid, type Packed } from "./pack";
import { type Ordering, orderingOf, type Placement, placementOf, type Sizes } from "./scope";
import { type ScopeGraph, ScopeGraphs, treeOf } from "./scopegraphs";
import {
  AUXILIARY_PADDING,
  boxSize,
  CAPTION,
  CAPTION_WIDTH,
  MARGIN,
  MARK_GAP,
  type MarkRoom,
  markRoom,
  PADDING,
  TITLE,
  titleWidth,
} from "./sizes";
import { type Component, type Layout, type LayoutInput, levelIn, MARK_HEIGHT, type Routes, thicknessOf } from "./types";

/** The layout of a scope: it holds as long as what it was computed from is the same. */
interface CachedScope {
  readonly component: Component;
  readonly order: Ordering;
  readonly sizes: Sizes;
  readonly placement: Placement;
}

/** Layouts of scopes by path, so that unchanged scopes keep theirs. */
export type LayoutCache = Map<string, CachedScope>;

/** Upper bound of cached scopes. */
const MAX_CACHED_SCOPES = 20_000;

/** Clearance of routes from a box's corners, and the width to which a box may grow for its routes, in layout units. */
const CORNER_GAP = 10;
const MAX_WIDENED_WIDTH = 120;

const AUXILIARY_PITCH = 10;
/** Most boxes of an auxiliary area with one column. */
const MAX_COLUMN_BOXES = 10;

/** A scope with at least this aspect and width is laid out again by the sizes of its boxes. */
const MIN_WIDE_RATIO = 4;
const MIN_WIDE_WIDTH = 2000;

/** Lays out step by step: between two steps something else may be done. */
export function* layOutInSteps(input: LayoutInput, cache: LayoutCache = new Map()): Generator<void, Layout> {
  const first = yield* pass(input, cache, null);
  // Orders are found from the outside inwards, sizes from the inside outwards.
  const { scopes, laid, marks, w, h } = [...first.laid.values()].some(isWide)
    ? yield* pass(input, cache, first)
    : first;
  const most = Math.max(MAX_CACHED_SCOPES, 4 * scopes.length);
  for (const name of cache.keys()) {
    if (cache.size <= most) {
      break;
    }
    cache.delete(name);
  }
  yield;
  return assembled(input, scopes, laid, marks, w, h);
}

function isWide({ width, height }: ScopeLayout): boolean {
  return width > MIN_WIDE_WIDTH && width > MIN_WIDE_RATIO * height;
}

interface Pass {
  readonly scopes: readonly number[];
  readonly laid: ReadonlyMap<number, ScopeLayout>;
  readonly marks: MarkRoom;
  /** Of each box. */
  readonly w: Float32Array;
  readonly h: Float32Array;
}

/** Lays out each scope; in a second pass, those that were wide in the first with regard to the sizes in that. */
function* pass(input: LayoutInput, cache: LayoutCache, first: Pass | null): Generator<void, Pass> {
  const { count, open, path } = input;
  const tree = treeOf(input);
  const scopeGraphs = new ScopeGraphs(input, tree);
  const isSized = (scope: number) => first !== null && isWide(first.laid.get(scope) as ScopeLayout);
  const nameOf = (scope: number) => `${isSized(scope) ? 2 : 1}${scope ? `/${path[scope - 1]}` : ""}`;
  const scopes = [0];
  for (let box = 0; box < count; box++) {
    if (open[box]) {
      scopes.push(box + 1);
    }
  }
  const graphs: ScopeGraph[] = [];
  const orders: Ordering[] = [];
  for (const scope of scopes) {
    const graph = first && isSized(scope) ? withSizes(scopeGraphs.graphOf(scope), first) : scopeGraphs.graphOf(scope);
    const cached = cache.get(nameOf(scope));
    const order =
      cached && isSame(cached.component, graph.component) ? cached.order : yield* orderingOf(graph.component);
    scopeGraphs.leadInside(graph, order);
    graphs.push(graph);
    orders.push(order);
  }
  yield;
  const marks = markRoom(input);
  const w = new Float32Array(count);
  const h = new Float32Array(count);
  for (let box = 0; box < count; box++) {
    if (!open[box]) {
      [w[box], h[box]] = boxSize(input, box);
    }
  }
  const laid = new Map<number, ScopeLayout>();
  const ports = new Map<number, Float64Array>();
  for (let i = scopes.length - 1; i >= 0; i--) {
    const scope = scopes[i] as number;
    const graph = graphs[i] as ScopeGraph;
    const order = orders[i] as Ordering;
    const cached = cache.get(nameOf(scope));
    const auxiliary = auxiliaryOf(graph.auxiliary, w, h, marks);
    const [areaWidth, areaHeight] = graph.auxiliary.length ? areaOf(auxiliary) : [0, 0];
    const ends = endsOf(graph, order);
    graph.boxes.forEach((box, k) => {
      if (!open[box]) {
        const needed = 2 * ((ends.reach[graph.portAt.length + k] as number) + CORNER_GAP);
        w[box] = Math.max(w[box] as number, Math.ceil(Math.min(needed, MAX_WIDENED_WIDTH)));
      }
    });
    const sizes = sizesOf(graph, ends, w, h, marks, ports, areaHeight, input.nodes);
    const placement =
      cached?.order === order && isSame(cached.sizes, sizes)
        ? cached.placement
        : yield* placementOf(graph.component, order, sizes, scope ? PADDING : 0, scope ? PADDING + TITLE : 0);
    cache.delete(nameOf(scope));
    cache.set(nameOf(scope), { component: graph.component, order, sizes, placement });
    const auxiliaryX = areaWidth ? auxiliaryLeft(placement, sizes, areaHeight) : 0;
    const width = Math.max(placement.width, auxiliaryX + areaWidth);
    laid.set(scope, { graph, placement, auxiliary, auxiliaryX, width, height: placement.height });
    if (scope) {
      const box = scope - 1;
      w[box] = Math.ceil(Math.max(width + 2 * PADDING, titleWidth(input, box)));
      h[box] = placement.height + 2 * PADDING + TITLE;
      ports.set(
        scope,
        Float64Array.from(graph.portAt, (at) => (placement.x[at] as number) - width / 2),
      );
    }
  }
  return { scopes, laid, marks, w, h };
}

/** With the sizes of boxes in the first pass; those that were very wide will have about the same area, and be as square. */
function withSizes(graph: ScopeGraph, { w, h }: Pass): ScopeGraph {
  const { component, boxes } = graph;
  const ports = component.count - boxes.length;
  const width = new Float64Array(component.count);
  const height = new Float64Array(component.count);
  boxes.forEach((box, i) => {
    const area = (w[box] as number) * (h[box] as number);
    width[ports + i] = Math.min(w[box] as number, Math.sqrt(area));
    height[ports + i] = area / (width[ports + i] as number);
  });
  return { ...graph, component: { ...component, width, height } };
}

/** Lays out at once. */
export function layOut(input: LayoutInput, cache?: LayoutCache): Layout {
  const steps = layOutInSteps(input, cache);
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      return value;
    }
  }
}

/** Whether all columns, and columns of columns, hold the same. */
function isSame<T extends object>(one: T, other: T): boolean {
  return Object.entries(one).every(([name, column]) => {
    const against = other[name as keyof T];
    if (column === against) {
      return true;
    }
    if (typeof column !== "object" || column.length !== (against as ArrayLike<unknown>).length) {
      return false;
    }
    if (Array.isArray(column)) {
      return column.every((each, i) => isSame([each], [(against as unknown[])[i]]));
    }
    for (let i = 0; i < column.length; i++) {
      if (column[i] !== (against as Float64Array)[i]) {
        return false;
      }
    }
    return true;
  });
}

function sizesOf(
  { component, boxes, inner, size }: ScopeGraph,
  { offset, reach }: Ends,
  w: Float32Array,
  h: Float32Array,
  marks: MarkRoom,
  portsOf: ReadonlyMap<number, Float64Array>,
  least: number,
  nodes: Int32Array,
): Sizes {
  const { count, source, target } = component;
  const ports = count - boxes.length;
  const left = new Float64Array(count);
  const right = new Float64Array(count);
  const height = new Float64Array(count);
  const room = new Float64Array(count);
  const weight = new Float64Array(count);
  boxes.forEach((box, i) => {
    const at = ports + i;
    weight[at] = nodes[box] as number;
    left[at] = (w[box] as number) / 2 + (marks.left[box] as number);
    right[at] = (w[box] as number) / 2 + (marks.right[box] as number);
    height[at] = h[box] as number;
    room[at] = Math.max(h[box] as number, marks.height[box] as number);
  });
  const shifts = [source, target].map((ends, which) =>
    Float64Array.from(ends, (end, edge) => {
      const port = (inner[which] as Int32Array)[edge] as number;
      if (end < ports) {
        return 0;
      }
      const box = boxes[end - ports] as number;
      const share = Math.min(1, ((w[box] as number) / 2 - CORNER_GAP) / (reach[end] || 1));
      return port < 0
        ? Math.round(share * ((offset[which] as Float64Array)[edge] as number))
        : (portsOf.get(box + 1)?.[port] as number);
    }),
  );
  const shift = shifts as unknown as Sizes["shift"];
  return { left, right, height, room, shift, size, weight, least: Float64Array.of(least) };
}

function auxiliaryOf(boxes: readonly number[], w: Float32Array, h: Float32Array, marks: MarkRoom): Packed {
  return grid(
    boxes.map((box) => (w[box] as number) / 2 + (marks.left[box] as number)),
    boxes.map((box) => (w[box] as number) / 2 + (marks.right[box] as number)),
    boxes.map((box) => Math.max(h[box] as number, marks.height[box] as number)),
    AUXILIARY_PITCH,
    boxes.length <= MAX_COLUMN_BOXES ? 1 : 0,
  );
}

// Where on their boxes edges begin and end: side by side, thick routes farther apart.

/** Least gap between the middles of neighboring routes at a box; what an arrow head adds, in layout units. */
const MIN_END_GAP = 10;
const HEAD_WIDTH = 3;
const HEAD_WIDTH_PER_WIDTH = 0.8;

export interface Ends {
  /** Offset of each edge to the right of the middle of its source and its target, if space allows. */
  readonly offset: readonly [Float64Array, Float64Array];
  /** Reach of the routes of each box and port to both sides. */
  readonly reach: Float64Array;
}

export function endsOf({ component, inner, size }: ScopeGraph, { meets, step, reversed }: Ordering): Ends {
  const { count, source, target, bottom, top } = component;
  const reach = new Float64Array(count);
  const offset = [source, target].map((ends, which) => {
    const at = meets[which] as Int32Array;
    const steps = step[which] as Int32Array;
    const sum = new Float64Array(at.length);
    const sides = new Map<number, number[]>();
    at.forEach((meeting, edge) => {
      const end = ends[edge] as number;
      (sum[meeting] as number) += size[edge] as number;
      if (meeting === edge && end >= bottom + top && (inner[which] as Int32Array)[edge] === -1) {
        const side = end * 2 + ((reversed[edge] as number) ^ which);
        const list = sides.get(side);
        if (list) {
          list.push(edge);
        } else {
          sides.set(side, [edge]);
        }
      }
    });
    const found = new Float64Array(at.length);
    for (const [side, list] of sides) {
      list.sort((a, b) => (steps[a] as number) - (steps[b] as number));
      const thickness = list.map((edge) => thicknessOf(sum[edge] as number));
      const places = [0];
      for (let i = 1; i < list.length; i++) {
        const both = (thickness[i - 1] as number) + (thickness[i] as number);
        places.push((places[i - 1] as number) + Math.max(MIN_END_GAP, 2 * HEAD_WIDTH + HEAD_WIDTH_PER_WIDTH * both));
      }
      const middle = places[list.findIndex((edge) => (steps[edge] as number) >= 0)] ?? 0;
      const box = side >> 1;
      list.forEach((edge, i) => {
        found[edge] = (places[i] as number) - middle;
        const most = Math.abs(found[edge] as number) + (list.length > 1 ? (thickness[i] as number) / 2 : 0);
        reach[box] = Math.max(reach[box] as number, most);
      });
    }
    return found.map((_, edge) => found[at[edge] as number] as number);
  });
  return { offset: offset as unknown as Ends["offset"], reach };
}

// Where the auxiliary area of a scope begins: to the right of what else is at the top.

/** Gap between an auxiliary area and the content at its left or below it. */
const AUXILIARY_GAP = 28;

/** The left of an area of this height at the top right of a scope. */
export function auxiliaryLeft(
  { x, v, height, routes: { start, points } }: Placement,
  { right, room }: Sizes,
  high: number,
): number {
  const floor = height - high - AUXILIARY_GAP;
  let reach = Number.NEGATIVE_INFINITY;
  for (let box = 0; box < x.length; box++) {
    if ((v[box] as number) + (room[box] as number) / 2 > floor) {
      reach = Math.max(reach, (x[box] as number) + (right[box] as number));
    }
  }
  for (let route = 0; route + 1 < start.length; route++) {
    for (let k = (start[route] as number) + 1; k < (start[route + 1] as number); k++) {
      if (Math.max(points[2 * k - 1] as number, points[2 * k + 1] as number) > floor) {
        reach = Math.max(reach, points[2 * k - 2] as number, points[2 * k] as number);
      }
    }
  }
  return reach > 0 ? reach + AUXILIARY_GAP : 0;
}

// From places within each scope to places in the whole drawing.

/** A scope with its laid out content. */
interface ScopeLayout {
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
function assembled(
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
function areaOf({ width, height }: Packed): readonly [number, number] {
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
