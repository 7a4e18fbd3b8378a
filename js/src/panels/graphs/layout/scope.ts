// One scope: the order of its boxes depends on its edges alone, their places on sizes too.

import { rowsBy } from "../model/tree";
import { aligned, type Extents, straightened } from "./align";
import { type Stacked, stacked } from "./columns";
import { connectedComponents } from "./connectedcomponents";
import { layeringOf } from "./layering";
import { ordered } from "./order";
import { grid, pack } from "./pack";
import { type Attachments, attachmentsOf, noRoutes, type Part, routeEdges, type ScopeRoutes } from "./routing";
import type { Component } from "./types";

export interface Ordering extends Attachments {
  /** The part with the ports comes first, then larger ones. */
  readonly parts: readonly Part[];
  /** Boxes without edges. */
  readonly alone: readonly number[];
}

/** Parts of a scope and their order. `scope` is as one component, though its boxes may not hang together. */
export function* orderingOf(scope: Component): Generator<void, Ordering> {
  const { count, bottom, top, source, target, control, single, width, height } = scope;
  const ports = bottom + top;
  const together = Array.from({ length: Math.max(0, ports - 1) }, (_, i) => i);
  const root = connectedComponents(count, [...source, ...together], [...target, ...together.map((i) => i + 1)]);
  const members = rowsBy(root, count);
  const segments = rowsBy(
    source.map((one) => root[one] as number),
    count,
  );
  const size = (at: number) => (members.start[at + 1] as number) - (members.start[at] as number);
  const roots: number[] = [];
  const alone: number[] = [];
  for (let at = 0; at < count; at++) {
    if (root[at] === at) {
      (size(at) > 1 || at < ports ? roots : alone).push(at);
    }
  }
  roots.sort((a, b) => (a < ports ? -1 : b < ports ? 1 : size(b) - size(a) || a - b));
  const local = new Int32Array(count);
  const parts: Part[] = [];
  for (const at of roots) {
    const boxes = members.items.slice(members.start[at], members.start[at + 1]);
    const own = segments.items.slice(segments.start[at], segments.start[at + 1]);
    boxes.forEach((box, i) => {
      local[box] = i;
    });
    const part = straightened(
      yield* ordered(
        layeringOf({
          count: boxes.length,
          bottom: at < ports ? bottom : 0,
          top: at < ports ? top : 0,
          source: own.map((edge) => local[source[edge] as number] as number),
          target: own.map((edge) => local[target[edge] as number] as number),
          control: Uint8Array.from(own, (edge) => control[edge] as number),
          single: Uint8Array.from(boxes, (box) => single[box] as number),
          width: width.length ? pick(width, boxes) : width,
          height: height.length ? pick(height, boxes) : height,
        }),
      ),
    );
    parts.push({ ordered: part, boxes, edges: own });
    yield;
  }
  return { parts, alone, ...attachmentsOf(parts, source.length) };
}

/** Sizes within a scope: of its boxes and ports, with room for icons, and where edges meet them. */
export interface Sizes {
  /** From the middle to the left and to the right, icons included. */
  readonly left: Float64Array;
  readonly right: Float64Array;
  /** Height of the box itself, and of everything that belongs to it. */
  readonly height: Float64Array;
  readonly room: Float64Array;
  /** Offset of each edge to the right of the middle of its source and its target. */
  readonly shift: readonly [Float64Array, Float64Array];
  /** Elements of each edge's tensors in total. */
  readonly size: Float64Array;
  /** Nodes in each box; 0 for ports. */
  readonly weight: Float64Array;
  /** The least height of the content. */
  readonly least: Float64Array;
}

/** Places within a scope. v grows upwards from the bottom of its content. */
export interface Placement {
  readonly width: number;
  readonly height: number;
  /** Middles of boxes and ports. */
  readonly x: Float64Array;
  readonly v: Float64Array;
  readonly routes: ScopeRoutes;
}

/** Gaps between components, and between boxes without edges, in layout units. */
const PART_GAP = 30;
const ALONE_GAP = 14;
/** A box without edges that is at least this high is packed like a component, in layout units. */
const MIN_LARGE_HEIGHT = 90;

/** Places of a scope's content; ports lie `below` and `above` its content, on the border. */
export function* placementOf(
  scope: Component,
  order: Ordering,
  sizes: Sizes,
  below: number,
  above: number,
): Generator<void, Placement> {
  const { left, right, height, room, shift, size, weight, least } = sizes;
  const ports = scope.bottom + scope.top;
  const laid: { part: Part; places: Stacked; extents: Extents }[] = [];
  for (const part of order.parts) {
    const { boxes, edges } = part;
    const turned = (at: 0 | 1) =>
      Float64Array.from(edges, (edge) => shift[order.reversed[edge] ? ((1 - at) as 0 | 1) : at][edge] as number);
    const extents = {
      left: pick(left, boxes),
      right: pick(right, boxes),
      lowerShift: turned(0),
      upperShift: turned(1),
      size: pick(size, edges),
    };
    const x = yield* aligned(part.ordered, extents);
    const places = stacked(part.ordered, x, extents.left, extents.right, pick(room, boxes));
    laid.push({ part, places, extents });
  }
  const x = new Float64Array(scope.count);
  const v = new Float64Array(scope.count);
  const small = order.alone.filter((box) => (room[box] as number) < MIN_LARGE_HEIGHT);
  const large = order.alone.filter((box) => (room[box] as number) >= MIN_LARGE_HEIGHT);
  const tiles = grid(
    small.map((box) => left[box] as number),
    small.map((box) => right[box] as number),
    small.map((box) => room[box] as number),
    ALONE_GAP,
  );
  const main = ports > 0 ? laid[0]?.places : undefined;
  // The part with most nodes comes first, next to the part with ports.
  const heavy = new Map(
    laid.map((one) => [one, one.part.boxes.reduce((sum, box) => sum + (weight[box] as number), 0)]),
  );
  const free = laid.slice(main ? 1 : 0).sort((a, b) => (heavy.get(b) as number) - (heavy.get(a) as number));
  const rectangles = [
    ...free.map(({ places }) => places),
    ...large.map((box) => ({ width: (left[box] as number) + (right[box] as number), height: room[box] as number })),
    ...(small.length ? [tiles] : []),
  ];
  const isBeside = main && ((scope.bottom > 0 && scope.top > 0) || main.width < 1.5 * main.height);
  const packed = pack(rectangles, PART_GAP, main && !isBeside ? main.width : 0);
  const gap = main && rectangles.length ? PART_GAP : 0;
  const [mainWidth, mainHeight] = main ? [main.width, main.height] : [0, 0];
  const needed = isBeside ? Math.max(mainHeight, packed.height) : mainHeight + gap + packed.height;
  // Whole pixels, as the box around it.
  const total = Math.ceil(Math.max(needed, least[0] as number));
  const width = isBeside ? mainWidth + gap + packed.width : Math.max(mainWidth, packed.width);
  // Parts without ports stand to the right of the others, if they are placed beside them.
  const originX = isBeside ? mainWidth + gap : 0;
  const isAbove = scope.top === 0;
  const originV = main && !isBeside && !isAbove ? packed.height : total;
  const mainV = main && !isBeside && !isAbove ? packed.height + gap : 0;
  const routes = noRoutes();
  [...laid.slice(0, main ? 1 : 0), ...free].forEach(({ part, places, extents }, i) => {
    const at = i - (main ? 1 : 0);
    const placed = {
      ...part,
      places,
      extents,
      half: pick(height, part.boxes).map((one) => one / 2),
      left: at < 0 ? 0 : originX + (packed.x[at] as number),
      bottom: at < 0 ? mainV : originV - (packed.y[at] as number) - places.height,
      border: [-below, total + above] as const,
    };
    routeEdges(routes, placed);
    part.boxes.forEach((box, k) => {
      const rank = part.ordered.level[k] as number;
      x[box] = (places.x[k] as number) + placed.left;
      v[box] = ((places.floor[rank] as number) + (places.ceiling[rank] as number)) / 2 + placed.bottom;
    });
  });
  large.forEach((box, i) => {
    const at = free.length + i;
    x[box] = originX + (packed.x[at] as number) + (left[box] as number);
    v[box] = originV - (packed.y[at] as number) - (room[box] as number) / 2;
  });
  const last = rectangles.length - 1;
  small.forEach((box, i) => {
    x[box] = originX + (packed.x[last] as number) + (tiles.x[i] as number);
    v[box] = originV - (packed.y[last] as number) - (tiles.y[i] as number) - (room[box] as number) / 2;
  });
  return { width, height: total, x, v, routes };
}

function pick(values: Float64Array, of: Int32Array): Float64Array {
  return Float64Array.from(of, (at) => values[at] as number);
}
