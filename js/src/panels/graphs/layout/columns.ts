// From bottom to top: ranks above each other; a long chain of them in columns side by side.

import { ROUTE_GAP } from "./align";
import type { Ordered } from "./order";

/** Places within a component. v grows upwards from its bottom. */
export interface Stacked {
  readonly width: number;
  readonly height: number;
  /** The x at which routes meet each box, port and dummy node. */
  readonly x: Float64Array;
  /** The v of each rank's lower and upper edge. */
  readonly floor: Float64Array;
  readonly ceiling: Float64Array;
  /** Where segments from the top of a column lead round to the bottom of the next: by segment its v above, its x, its v below. */
  readonly turns: ReadonlyMap<number, readonly [number, number, number]>;
}

/** Gaps between ranks, and between the ports and the first or last rank, in layout units. */
const RANK_GAP = 26;
const PORT_GAP = 16;
/** Widening of a gap whose routes lead far aside: this share of their width, up to the maximum in layout units. */
const SLOPE_SHARE = 0.05;
const MAX_SLOPE_GAP = 44;

/**
 * A layout is wrapped into columns where it is at least this high, and this many times as high as wide. One column is easier to
 * read, but no stage in a notebook shows more of it at a readable size.
 */
const MIN_WRAPPED_HEIGHT_PX = 560;
const MIN_ASPECT = 2;
/** Preferred width by height of a wrapped layout, and the cost of another column. */
const PREFERRED_ASPECT = 1.6;
const COLUMN_COST = 0.1;
/** Least mean height of the columns, in layout units, and least mean number of ranks in one. */
const MIN_COLUMN_HEIGHT = 280;
const MIN_COLUMN_RANKS = 5;
const MAX_COLUMNS = 40;
/** Cost of a segment between two columns: as much as a column that deviates by this share from the mean height. */
const SEGMENT_COST = 0.2;
/** Most segments between a column and the next, and the gap between them in layout units. */
const MAX_TURNS = 10;
const TURN_GAP = 12;

export function stacked(
  ordered: Ordered,
  x: Float64Array,
  left: Float64Array,
  right: Float64Array,
  height: Float64Array,
): Stacked {
  const { layers, component, ranks, below, above, level } = ordered;
  const { count } = component;
  const tall = new Float64Array(ranks);
  for (let box = 0; box < count; box++) {
    const rank = level[box] as number;
    tall[rank] = Math.max(tall[rank] as number, height[box] as number);
  }
  const across = new Float64Array(ranks);
  const segments = new Int32Array(ranks);
  for (let i = 0; i < below.length; i++) {
    const rank = level[below[i] as number] as number;
    const distance = Math.abs((x[below[i] as number] as number) - (x[above[i] as number] as number));
    across[rank] = Math.max(across[rank] as number, distance);
    (segments[rank] as number)++;
  }
  const gap = across.map((distance, rank) => {
    const isPorts = (rank === 0 && component.bottom > 0) || (rank === ranks - 2 && component.top > 0);
    return (isPorts ? PORT_GAP : RANK_GAP) + Math.min(MAX_SLOPE_GAP, SLOPE_SHARE * distance);
  });
  // The leftmost and rightmost of each rank.
  const from = new Float64Array(ranks).fill(Number.POSITIVE_INFINITY);
  const to = new Float64Array(ranks).fill(Number.NEGATIVE_INFINITY);
  for (let rank = 0; rank < ranks; rank++) {
    for (const at of layers[rank] as Int32Array) {
      from[rank] = Math.min(from[rank] as number, (x[at] as number) - (at < count ? (left[at] as number) : 0));
      to[rank] = Math.max(to[rank] as number, (x[at] as number) + (at < count ? (right[at] as number) : 0));
    }
  }
  const cuts = cutsOf(tall, gap, segments, from, to);
  const turning = turningLinks(ordered, x, cuts);
  const most = Math.max(0, ...turning.map((list) => list.length));
  const base = most > 0 ? TURN_GAP + most * ROUTE_GAP : 0;
  const floor = new Float64Array(ranks);
  const ceiling = new Float64Array(ranks);
  const result = x.slice();
  const turns = new Map<number, readonly [number, number, number]>();
  let width = 0;
  let highest = 0;
  for (let column = 0; column <= cuts.length; column++) {
    const first = column ? (cuts[column - 1] as number) + 1 : 0;
    const last = cuts[column] ?? ranks - 1;
    let v = base;
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    for (let rank = first; rank <= last; rank++) {
      floor[rank] = v;
      ceiling[rank] = v + (tall[rank] as number);
      v = (ceiling[rank] as number) + (gap[rank] as number);
      least = Math.min(least, from[rank] as number);
      greatest = Math.max(greatest, to[rank] as number);
    }
    for (let rank = first; rank <= last; rank++) {
      for (const at of layers[rank] as Int32Array) {
        result[at] = (x[at] as number) - least + width;
      }
    }
    width += greatest - least;
    const list = turning[column] ?? [];
    const top = ceiling[last] as number;
    // The leftmost turns last, around all others.
    list.forEach((segment, i) => {
      const inner = list.length - 1 - i;
      turns.set(segment, [
        top + TURN_GAP + inner * ROUTE_GAP,
        width + TURN_GAP + inner * ROUTE_GAP,
        base - TURN_GAP - i * ROUTE_GAP,
      ]);
    });
    highest = Math.max(highest, top + (list.length ? TURN_GAP + list.length * ROUTE_GAP : 0));
    if (column < cuts.length) {
      width += 2 * TURN_GAP + (list.length - 1) * ROUTE_GAP;
    }
  }
  return { width, height: highest, x: result, floor, ceiling, turns };
}

/** The ranks after which a new column begins: as many as give the whole a pleasant shape. */
function cutsOf(
  tall: Float64Array,
  gap: Float64Array,
  segments: Int32Array,
  from: Float64Array,
  to: Float64Array,
): readonly number[] {
  const ranks = tall.length;
  const end = new Float64Array(ranks);
  let total = 0;
  for (let rank = 0; rank < ranks; rank++) {
    total += tall[rank] as number;
    end[rank] = total;
    total += gap[rank] as number;
  }
  const high = end[ranks - 1] as number;
  const wide = to.reduce((a, b) => Math.max(a, b), 0) - from.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  if (high < MIN_WRAPPED_HEIGHT_PX || high < MIN_ASPECT * wide) {
    return [];
  }
  const most = Math.min(MAX_COLUMNS, high / MIN_COLUMN_HEIGHT, ranks / MIN_COLUMN_RANKS);
  let best: readonly number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let columns = 2; columns <= most; columns++) {
    const cuts = cutsInto(columns, end, gap, segments);
    let width = -TURN_GAP;
    let height = 0;
    for (let column = 0; column <= cuts.length; column++) {
      const first = column ? (cuts[column - 1] as number) + 1 : 0;
      const last = cuts[column] ?? ranks - 1;
      let left = Number.POSITIVE_INFINITY;
      let right = Number.NEGATIVE_INFINITY;
      for (let rank = first; rank <= last; rank++) {
        left = Math.min(left, from[rank] as number);
        right = Math.max(right, to[rank] as number);
      }
      width += right - left + 4 * TURN_GAP;
      height = Math.max(height, (end[last] as number) - (first ? (end[first - 1] as number) : 0));
    }
    const cost = Math.max(width / PREFERRED_ASPECT, height) * (1 + cuts.length * COLUMN_COST);
    if (cost < least) {
      least = cost;
      best = cuts;
    }
  }
  return best;
}

/** Columns of about equal heights, cut where few routes pass. */
function cutsInto(columns: number, end: Float64Array, gap: Float64Array, segments: Int32Array): number[] {
  const ranks = end.length;
  const total = end[ranks - 1] as number;
  const each = total / columns;
  const cuts: number[] = [];
  let begin = 0;
  for (let rank = 0; rank + 2 < ranks; ) {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let at = rank + 1; at + 2 < ranks; at++) {
      const high = (end[at] as number) - begin;
      if (high > 1.35 * each && best >= 0) {
        break;
      }
      const cost = Math.abs(high - each) / each + SEGMENT_COST * (segments[at] as number);
      if (high > 0.6 * each && (segments[at] as number) <= MAX_TURNS && cost < least) {
        least = cost;
        best = at;
      }
    }
    if (best < 0 || total - (end[best] as number) < 0.4 * each) {
      break;
    }
    cuts.push(best);
    begin = (end[best] as number) + (gap[best] as number);
    rank = best;
  }
  return cuts;
}

/** The segments that lead from each column to the next, from left to right. */
function turningLinks({ below, above, level }: Ordered, x: Float64Array, cuts: readonly number[]): number[][] {
  const columnAfter = new Map(cuts.map((rank, column) => [rank, column]));
  const lists: number[][] = cuts.map(() => []);
  if (cuts.length > 0) {
    for (let i = 0; i < below.length; i++) {
      const column = columnAfter.get(level[below[i] as number] as number);
      if (column !== undefined) {
        (lists[column] as number[]).push(i);
      }
    }
  }
  const start = (segment: number) => x[below[segment] as number] as number;
  const end = (segment: number) => x[above[segment] as number] as number;
  return lists.map((list) => list.sort((a, b) => start(a) - start(b) || end(a) - end(b)));
}
