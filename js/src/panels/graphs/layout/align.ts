// From left to right: long edges run straight, boxes stand amid what they are connected to, and nothing overlaps.

import type { Rows } from "../model/structure";
import { rowsBy } from "../model/tree";
import { connectedComponents } from "./connectedcomponents";
import { CONTROL_WEIGHT } from "./layering";
import type { Ordered } from "./order";
import { thicknessOf } from "./types";

/** How far each box or port reaches to both sides of the middle at which routes meet it; by edge, how far off it they do. */
export interface Extents {
  readonly left: Float64Array;
  readonly right: Float64Array;
  /** By edge, at its lower and its upper end. */
  readonly lowerShift: Float64Array;
  readonly upperShift: Float64Array;
  /** Elements of each edge's tensors in total. */
  readonly size: Float64Array;
}

/** Least gaps between boxes and between dummy nodes, in layout units. */
const BOX_GAP = 14;
const DUMMY_GAP = 8;
/** Least gap between two routes, in layout units. */
export const ROUTE_GAP = 8;

/** Furthest that a box moves aside to straighten a segment, in layout units: large scopes would become a staircase. */
const MAX_SHIFT = 100;

/** Widest box that is moved to straighten a long edge, in layout units: a wider one would get out of its column. */
const MAX_MOVED_WIDTH = 300;

/** Rounds in which blocks move towards their neighbors, and the last of them, which keep their order. */
const ROUNDS = 24;
const LAST_ROUNDS = 8;
/** With more blocks than this, half of the rounds have to do. */
const MAX_FULL_ROUNDS_BLOCKS = 4000;
/** Touching blocks move together in each round whose number is a multiple of this. */
const TOGETHER_ROUNDS = 4;

/** Blocks touch if their distance exceeds the required one by less than this, in layout units. */
const TOUCH_GAP = 0.5;

/** The x of each box, port and dummy node, the leftmost edge being 0. */
export function* aligned(ordered: Aligned, extents: Extents): Generator<void, Float64Array> {
  const { size, component, below, above, edge } = ordered;
  const { count } = component;
  // How far a segment, if it is to be straight, puts its upper end to the right of its lower one.
  const shift = Float64Array.from(edge, (by, i) => {
    const low = (below[i] as number) < count ? (extents.lowerShift[by] as number) : 0;
    const distance = low - ((above[i] as number) < count ? (extents.upperShift[by] as number) : 0);
    return Math.max(-MAX_SHIFT, Math.min(MAX_SHIFT, distance));
  });
  const stands = standing(ordered, extents);
  const places = blocksOf(ordered, shift, extents, stands);
  const { block, offset, x } = places;
  if (ordered.isLattice) {
    center(ordered, places);
  }
  yield;
  const forces = springsOf(ordered, places, shift, stands);
  const rounds = places.count > MAX_FULL_ROUNDS_BLOCKS ? ROUNDS / 2 : ROUNDS;
  for (let round = 0; round < rounds; round++) {
    spread(places, forces);
    if (round % TOGETHER_ROUNDS === 0) {
      moveTouching(places, forces);
    }
    yield;
  }
  for (let round = 0; round < LAST_ROUNDS; round++) {
    moveTouching(places, forces);
    moveFree(places, forces, round % 2 === 0);
    yield;
  }
  const result = new Float64Array(size);
  let first = Number.POSITIVE_INFINITY;
  for (let at = 0; at < size; at++) {
    result[at] = (x[block[at] as number] as number) + (offset[at] as number);
    first = Math.min(first, (result[at] as number) - (at < count ? (extents.left[at] as number) : 0));
  }
  return result.map((one) => one - first);
}

/** Puts the middles of all ranks below each other: each box is a block of its own. */
function center({ layers }: Aligned, { block, x }: Blocks): void {
  for (const layer of layers) {
    const blocks = layer.map((at) => block[at] as number);
    const middle = ((x[blocks[0] as number] as number) + (x[blocks[blocks.length - 1] as number] as number)) / 2;
    for (const one of blocks) {
      (x[one] as number) -= middle;
    }
  }
}

/** Whether the lower and the upper end of each segment are unmoved by it, since the other end is a dummy node. */
function standing({ component: { count }, below, above }: Aligned, { left, right }: Extents): Uint8Array {
  const stands = new Uint8Array(below.length * 2);
  const isWide = (at: number) => at < count && (left[at] as number) + (right[at] as number) > MAX_MOVED_WIDTH;
  for (let i = 0; i < below.length; i++) {
    const [from, to] = [below[i] as number, above[i] as number];
    stands[2 * i] = isWide(from) && to >= count ? 1 : 0;
    stands[2 * i + 1] = isWide(to) && from >= count ? 1 : 0;
  }
  return stands;
}

/** A block is a set of elements in one vertical line. Blocks are numbered so that those to the right of a block follow it. */
interface Blocks {
  readonly count: number;
  /** Block of each box, port and dummy node, and its offset to the right within the block. */
  readonly block: Int32Array;
  readonly offset: Float64Array;
  readonly x: Float64Array;
  /** Which blocks stand beside each other, and how far apart they must be; ordered by the left ones. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly apart: Float64Array;
  /** Of these, those of each block at its left and at its right. */
  readonly before: Rows;
  readonly after: Rows;
}

function blocksOf(
  aligned: Aligned,
  shift: Float64Array,
  { left, right, size: elements }: Extents,
  stands: Uint8Array,
): Blocks {
  const { size, layers, below, straight, component } = aligned;
  const half = halfWidths(aligned, elements);
  const own = new Int32Array(size);
  const offset = new Float64Array(size);
  let count = 0;
  for (const layer of layers) {
    for (const at of layer) {
      const by = straight[at] as number;
      const under = below[by] as number;
      if (by < 0 || stands[2 * by] || stands[2 * by + 1]) {
        own[at] = count++;
      } else {
        own[at] = own[under] as number;
        offset[at] = (offset[under] as number) + (shift[by] as number);
      }
    }
  }
  const isBox = (at: number) => at < component.count;
  const lefts: number[] = [];
  const rights: number[] = [];
  const gaps: number[] = [];
  for (const layer of layers) {
    for (let i = 0; i + 1 < layer.length; i++) {
      const a = layer[i] as number;
      const b = layer[i + 1] as number;
      const reach = (offset[a] as number) + (isBox(a) ? (right[a] as number) : (half[a] as number));
      const gap = isBox(a) && isBox(b) ? BOX_GAP : isBox(a) || isBox(b) ? DUMMY_GAP : ROUTE_GAP;
      lefts.push(own[a] as number);
      rights.push(own[b] as number);
      gaps.push(reach + gap + (isBox(b) ? (left[b] as number) : (half[b] as number)) - (offset[b] as number));
    }
  }
  const number = leftToRight(count, lefts, rights);
  const sorted = rowsBy(
    lefts.map((one) => number[one] as number),
    count,
  ).items;
  const from = sorted.map((i) => number[lefts[i] as number] as number);
  const to = sorted.map((i) => number[rights[i] as number] as number);
  const apart = Float64Array.from(sorted, (i) => gaps[i] as number);
  const x = new Float64Array(count);
  for (let i = 0; i < from.length; i++) {
    x[to[i] as number] = Math.max(
      x[to[i] as number] as number,
      (x[from[i] as number] as number) + (apart[i] as number),
    );
  }
  const block = own.map((one) => number[one] as number);
  return { count, block, offset, x, from, to, apart, before: rowsBy(to, count), after: rowsBy(from, count) };
}

/** Half the width of the route through each dummy node. */
function halfWidths({ size, component, trunk, above, edge }: Aligned, elements: Float64Array): Float64Array {
  const sum = new Float64Array(trunk.length);
  trunk.forEach((at, i) => {
    if (at >= 0) {
      (sum[at] as number) += elements[i] as number;
    }
  });
  const half = new Float64Array(size);
  above.forEach((at, segment) => {
    if (at >= component.count) {
      half[at] = thicknessOf(sum[trunk[edge[segment] as number] as number] as number) / 2;
    }
  });
  return half;
}

/** Numbers of blocks, each behind all those that something of it stands to the right of. */
function leftToRight(count: number, lefts: readonly number[], rights: readonly number[]): Int32Array {
  const { start, items } = rowsBy(lefts, count);
  const waits = new Int32Array(count);
  for (const to of rights) {
    (waits[to] as number)++;
  }
  const order = Array.from(waits.keys()).filter((at) => !waits[at]);
  const number = new Int32Array(count);
  for (let i = 0; i < order.length; i++) {
    const at = order[i] as number;
    number[at] = i;
    for (let k = start[at] as number; k < (start[at + 1] as number); k++) {
      const to = rights[items[k] as number] as number;
      if (--(waits[to] as number) === 0) {
        order.push(to);
      }
    }
  }
  return number;
}

/** Segments between different blocks, which draw them together. */
interface Springs {
  /** The blocks at the lower and the upper end of spring i: at 2 i and 2 i + 1. */
  readonly ends: Int32Array;
  /** Offset of the upper one to the right of the lower one in the rest position. */
  readonly rest: Float64Array;
  readonly weight: Float64Array;
  /** 1 where it draws only one of its ends. */
  readonly oneSided: Uint8Array;
  /** Ends at each block that it is drawn by. */
  readonly at: Rows;
}

function springsOf(
  { below, above, weight }: Aligned,
  { count, block, offset }: Blocks,
  shift: Float64Array,
  stands: Uint8Array,
): Springs {
  const ends = new Int32Array(below.length * 2);
  for (let i = 0; i < below.length; i++) {
    const from = block[below[i] as number] as number;
    const to = block[above[i] as number] as number;
    ends[2 * i] = from === to ? -1 : from;
    ends[2 * i + 1] = from === to ? -1 : to;
  }
  const rest = shift.map(
    (by, i) => by + (offset[below[i] as number] as number) - (offset[above[i] as number] as number),
  );
  const oneSided = below.map((_, i) => (stands[2 * i] as number) | (stands[2 * i + 1] as number));
  const drawn = ends.map((one, end) => (stands[end] ? -1 : one));
  return { ends, rest, weight, oneSided: Uint8Array.from(oneSided), at: rowsBy(drawn, count) };
}

/** Where a block would be amid what it is connected to. */
function balanced(at: number, x: Float64Array, { ends, rest, weight, at: { start, items } }: Springs): number {
  let sum = 0;
  let total = 0;
  for (let k = start[at] as number; k < (start[at + 1] as number); k++) {
    const end = items[k] as number;
    const segment = end >> 1;
    const by = weight[segment] as number;
    const offset = end & 1 ? (rest[segment] as number) : -(rest[segment] as number);
    sum += by * ((x[ends[end ^ 1] as number] as number) + offset);
    total += by;
  }
  return total > 0 ? sum / total : (x[at] as number);
}

/**
 * Moves all blocks towards where they would be: to the middle between the places that they get if blocks that
 * overlap are moved to the right only, and to the left only.
 */
function spread({ count, x, from, to, apart }: Blocks, forces: Springs): void {
  const low = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    low[at] = ((x[at] as number) + 2 * balanced(at, x, forces)) / 3;
  }
  const high = low.slice();
  for (let i = 0; i < from.length; i++) {
    const right = to[i] as number;
    low[right] = Math.max(low[right] as number, (low[from[i] as number] as number) + (apart[i] as number));
  }
  for (let i = from.length - 1; i >= 0; i--) {
    const left = from[i] as number;
    high[left] = Math.min(high[left] as number, (high[to[i] as number] as number) - (apart[i] as number));
  }
  for (let at = 0; at < count; at++) {
    x[at] = ((low[at] as number) + (high[at] as number)) / 2;
  }
}

/** Moves blocks that touch together, to where they would be as one, at most half of the gap to their neighbors. */
function moveTouching({ count, x, from, to, apart }: Blocks, { ends, rest, weight, oneSided }: Springs): void {
  const slack = apart.map((gap, i) => (x[to[i] as number] as number) - (x[from[i] as number] as number) - gap);
  const pool = connectedComponents(
    count,
    from,
    to.map((right, i) => ((slack[i] as number) < TOUCH_GAP ? right : (from[i] as number))),
  );
  const sum = new Float64Array(count);
  const total = new Float64Array(count);
  for (let i = 0; i < rest.length; i++) {
    const low = ends[2 * i] as number;
    const high = ends[2 * i + 1] as number;
    const [a, b] = low < 0 || oneSided[i] ? [0, 0] : [pool[low] as number, pool[high] as number];
    if (a !== b) {
      const by = weight[i] as number;
      const pull = by * ((x[high] as number) - (x[low] as number) - (rest[i] as number));
      (sum[a] as number) += pull;
      (sum[b] as number) -= pull;
      (total[a] as number) += by;
      (total[b] as number) += by;
    }
  }
  const move = sum.map((one, i) => (total[i] ? one / (total[i] as number) : 0));
  for (let i = 0; i < from.length; i++) {
    const a = pool[from[i] as number] as number;
    const b = pool[to[i] as number] as number;
    if (a !== b) {
      const half = Math.max(0, (slack[i] as number) / 2);
      move[a] = Math.min(move[a] as number, half);
      move[b] = Math.max(move[b] as number, -half);
    }
  }
  for (let at = 0; at < count; at++) {
    (x[at] as number) += move[pool[at] as number] as number;
  }
}

/** Moves what has room as far as that goes. */
function moveFree({ count, x, from, to, apart, before, after }: Blocks, forces: Springs, fromLeft: boolean): void {
  for (let i = 0; i < count; i++) {
    const at = fromLeft ? i : count - 1 - i;
    let least = Number.NEGATIVE_INFINITY;
    let most = Number.POSITIVE_INFINITY;
    for (let k = before.start[at] as number; k < (before.start[at + 1] as number); k++) {
      const one = before.items[k] as number;
      least = Math.max(least, (x[from[one] as number] as number) + (apart[one] as number));
    }
    for (let k = after.start[at] as number; k < (after.start[at + 1] as number); k++) {
      const one = after.items[k] as number;
      most = Math.min(most, (x[to[one] as number] as number) - (apart[one] as number));
    }
    x[at] = Math.max(least, Math.min(most, balanced(at, x, forces)));
  }
}

// Chooses the segments to draw straight: long edges first, and no two that cross.

export interface Aligned extends Ordered {
  /** The straight segment below each box, port and dummy node; -1 for none. */
  readonly straight: Int32Array;
  /** Whether most boxes have several others below and above: no path through them is the main one, and no segment is straight. */
  readonly isLattice: boolean;
}

/** Worth of a straight segment between two boxes, between a box and a dummy node, and between two dummy nodes. */
const WORTH = [1.5, 0.8, 8] as const;

/** What is added for each box of a run, as a share, and for so many at most: of two branches the longer one is straight. */
const RUN_WORTH = 0.01;
const MAX_RUN = 20;

export function straightened(ordered: Ordered): Aligned {
  const { size, component, layers, position, below, above, weight } = ordered;
  const degree = new Int32Array(size * 2);
  for (let i = 0; i < below.length; i++) {
    (degree[2 * (below[i] as number)] as number)++;
    (degree[2 * (above[i] as number) + 1] as number)++;
  }
  const isSeveral = (from: number, i: number) =>
    (degree[2 * from] as number) > 1 && (degree[2 * (above[i] as number) + 1] as number) > 1;
  const isLattice = size === component.count && 2 * below.filter(isSeveral).length > below.length;
  const straight = new Int32Array(size).fill(-1);
  if (isLattice) {
    return { ...ordered, straight, isLattice };
  }
  const run = runsOf(ordered, degree);
  const worth = Float64Array.from(below, (from, i) => {
    const to = above[i] as number;
    const length = Math.min(MAX_RUN, (run[2 * from + 1] as number) + (run[2 * to] as number));
    const dummies = (from >= component.count ? 1 : 0) + (to >= component.count ? 1 : 0);
    const ends = (degree[2 * from] as number) + (degree[2 * to + 1] as number);
    const half = weight[i] === CONTROL_WEIGHT ? 0.5 : 1;
    return (((WORTH[dummies] as number) * 2) / ends) * half * (1 + RUN_WORTH * length);
  });
  const up = rowsBy(below, size);
  for (const layer of layers) {
    for (const chosen of heaviest(layer, up.start, up.items, above, position, worth)) {
      straight[above[chosen] as number] = chosen;
    }
  }
  return { ...ordered, straight, isLattice };
}

/** How many boxes follow each one above (2 i) and below (2 i + 1) until a path branches, joins another or becomes a long edge. */
function runsOf({ size, component, layers, below, above }: Ordered, degree: Int32Array): Int32Array {
  const next = new Int32Array(2 * size).fill(-1);
  below.forEach((from, i) => {
    const to = above[i] as number;
    if (degree[2 * from] === 1 && degree[2 * to + 1] === 1 && Math.max(from, to) < component.count) {
      next[2 * from] = 2 * to;
      next[2 * to + 1] = 2 * from + 1;
    }
  });
  const run = new Int32Array(2 * size);
  for (const [direction, ordered] of [[...layers].reverse(), layers].entries()) {
    for (const layer of ordered) {
      for (const at of layer) {
        const other = next[2 * at + direction] as number;
        run[2 * at + direction] = other < 0 ? 0 : (run[other] as number) + 1;
      }
    }
  }
  return run;
}

/** The most valuable set of segments above a layer in which no two cross or meet. */
function heaviest(
  layer: Int32Array,
  start: Int32Array,
  items: Int32Array,
  above: Int32Array,
  position: Int32Array,
  worth: Float64Array,
): number[] {
  const place = (segment: number) => position[above[segment] as number] as number;
  const segments: number[] = [];
  let width = 0;
  for (const at of layer) {
    // From right to left, so that none of one box follows another of it.
    for (const segment of items.slice(start[at], start[at + 1]).sort((a, b) => place(b) - place(a))) {
      segments.push(segment);
      width = Math.max(width, place(segment) + 1);
    }
  }
  const best = new Int32Array(width + 1).fill(-1); // Tree of the heaviest sets that end at a place: by index in `segments`.
  const total = new Float64Array(segments.length);
  const before = new Int32Array(segments.length);
  let last = -1;
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as number;
    let found = -1;
    for (let k = place(segment); k > 0; k -= k & -k) {
      const one = best[k] as number;
      if (one >= 0 && (found < 0 || (total[one] as number) > (total[found] as number))) {
        found = one;
      }
    }
    before[i] = found;
    total[i] = (worth[segment] as number) + (found < 0 ? 0 : (total[found] as number));
    for (let k = place(segment) + 1; k <= width; k += k & -k) {
      const one = best[k] as number;
      if (one < 0 || (total[i] as number) > (total[one] as number)) {
        best[k] = i;
      }
    }
    if (last < 0 || (total[i] as number) > (total[last] as number)) {
      last = i;
    }
  }
  const chosen: number[] = [];
  for (let i = last; i >= 0; i = before[i] as number) {
    chosen.push(segments[i] as number);
  }
  return chosen;
}
