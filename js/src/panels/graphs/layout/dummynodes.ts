// Layering with dummy nodes: a long edge gets one at each rank between its ends. Its dummy nodes are its trunk, which
// edges with a common end may share.

import { rowsBy } from "../model/tree";
import { type Ranks, rankOf } from "./ranks";
import type { Component } from "./types";

/** A component with a dummy node wherever a route passes a rank, so that segments lead from each rank to the next one only. */
export interface Layering extends Ranks {
  readonly component: Component;
  /** Boxes, ports and, behind them, dummy nodes. */
  readonly size: number;
  /** How many ranks there are, and the rank of each box, port and dummy node. */
  readonly ranks: number;
  readonly level: Int32Array;
  /** First dummy node of each edge from below; -1 for none. The others follow. */
  readonly dummy: Int32Array;
  /** Chain of each edge, shared or its own; -1 for short edges. */
  readonly trunk: Int32Array;
  /** By trunk: 1 where its edges part above, -1 where they meet from below. */
  readonly side: Int8Array;
  /** -1 or 1 keeps an element at the left or the right end of its rank: routes of hubs that pass tiers. */
  readonly pinned: Int8Array;
  /** Edges that are too many to be led around what stands between: nothing is known of them but their ends. */
  readonly loose: Uint8Array;
  /** Segments: the lower and the upper end, and an edge that leads over it. */
  readonly below: Int32Array;
  readonly above: Int32Array;
  readonly edge: Int32Array;
  /** Cost of crossing it. */
  readonly weight: Float64Array;
}

/** From this number on, long edges of a box share a trunk, though they carry different tensors. */
const MIN_HUB_EDGES = 7;

/** Upper bound of dummy nodes; longer edges get none. Short edges may exceed it. */
const MAX_DUMMIES = 200_000;

const DATA_WEIGHT = 2;
export const CONTROL_WEIGHT = 1;

export function layeringOf(component: Component): Layering {
  const ranks = rankOf(component);
  const { count, control, single } = component;
  const { rank, lower, upper, reversed } = ranks;
  const edges = lower.length;
  const span = lower.map((low, i) => (rank[upper[i] as number] as number) - (rank[low] as number));
  const loose = looseEdges(span);
  // Where an edge may meet others: of its end, only those of its sort.
  const sort = (end: number, edge: number) => end * 4 + (control[edge] as number) * 2 + (reversed[edge] as number);
  const isLong = (edge: number) => (span[edge] as number) > 1 && !loose[edge];
  const leaving = new Int32Array(count * 4);
  const arriving = new Int32Array(count * 4);
  for (let i = 0; i < edges; i++) {
    if (isLong(i)) {
      (leaving[sort(lower[i] as number, i)] as number)++;
      (arriving[sort(upper[i] as number, i)] as number)++;
    }
  }
  const shared = new Map<number, number>();
  const trunk = new Int32Array(edges).fill(-1);
  const side: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (let i = 0; i < edges; i++) {
    if (!isLong(i)) {
      continue;
    }
    const low = lower[i] as number;
    const high = upper[i] as number;
    const out = leaving[sort(low, i)] as number;
    const into = arriving[sort(high, i)] as number;
    const least = (end: number, isSource: boolean) => (isSource && single[end] ? 2 : MIN_HUB_EDGES);
    const parts = out >= into && out >= least(low, !reversed[i]);
    const meets = !parts && into >= least(high, reversed[i] === 1);
    const key = parts ? sort(low, i) * 2 : meets ? sort(high, i) * 2 + 1 : -1;
    const known = shared.get(key);
    const at = known ?? side.length;
    if (known === undefined) {
      side.push(meets ? -1 : 1);
      from.push((rank[low] as number) + 1);
      to.push((rank[high] as number) - 1);
      if (key >= 0) {
        shared.set(key, at);
      }
    } else {
      from[at] = Math.min(from[at] as number, (rank[low] as number) + 1);
      to[at] = Math.max(to[at] as number, (rank[high] as number) - 1);
    }
    trunk[i] = at;
  }
  const first = new Int32Array(side.length);
  let size = count;
  for (let i = 0; i < side.length; i++) {
    first[i] = size;
    size += (to[i] as number) - (from[i] as number) + 1;
  }
  const level = new Int32Array(size);
  level.set(rank);
  for (let i = 0; i < side.length; i++) {
    for (let at = from[i] as number; at <= (to[i] as number); at++) {
      level[(first[i] as number) + at - (from[i] as number)] = at;
    }
  }
  const dummy = trunk.map((one, i) =>
    one < 0 ? -1 : (first[one] as number) + (rank[lower[i] as number] as number) + 1 - (from[one] as number),
  );
  const sharers = new Int32Array(side.length);
  for (const at of trunk) {
    (sharers[at] as number)++;
  }
  const pinned = new Int8Array(size);
  let pins = 0;
  for (let i = 0; i < side.length; i++) {
    if (ranks.isTiered && (sharers[i] as number) >= MIN_HUB_EDGES) {
      pinned.fill(pins++ % 2 ? 1 : -1, first[i], first[i + 1] ?? size);
    }
  }
  const segments = segmentsOf(ranks, control, { trunk, dummy, span, loose, side, first, from, to });
  const most = level.reduce((a, b) => Math.max(a, b), 0);
  return {
    ...ranks,
    component,
    size,
    ranks: most + 1,
    level,
    dummy,
    trunk,
    side: Int8Array.from(side),
    pinned,
    loose,
    ...segments,
  };
}

interface Spans {
  readonly trunk: Int32Array;
  readonly dummy: Int32Array;
  readonly span: Int32Array;
  readonly loose: Uint8Array;
  readonly side: readonly number[];
  readonly first: Int32Array;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

function segmentsOf(
  { lower, upper }: Ranks,
  control: Uint8Array,
  { trunk, dummy, span, loose, side, first, from, to }: Spans,
) {
  const below: number[] = [];
  const above: number[] = [];
  const edge: number[] = [];
  const add = (low: number, high: number, by: number) => {
    below.push(low);
    above.push(high);
    edge.push(by);
  };
  const begun = new Uint8Array(side.length);
  for (let i = 0; i < lower.length; i++) {
    const low = lower[i] as number;
    const high = upper[i] as number;
    const at = trunk[i] as number;
    if (at < 0) {
      if (!loose[i]) {
        add(low, high, i);
      }
      continue;
    }
    const bottom = dummy[i] as number;
    const top = bottom + (span[i] as number) - 2;
    if (side[at] === 1 ? !begun[at] : true) {
      add(low, bottom, i);
    }
    if (side[at] === -1 ? !begun[at] : true) {
      add(top, high, i);
    }
    if (!begun[at]) {
      const end = (first[at] as number) + (to[at] as number) - (from[at] as number);
      for (let k = first[at] as number; k < end; k++) {
        add(k, k + 1, i);
      }
    }
    begun[at] = 1;
  }
  const weight = Float64Array.from(edge, (by) => (control[by] ? CONTROL_WEIGHT : DATA_WEIGHT));
  return { below: Int32Array.from(below), above: Int32Array.from(above), edge: Int32Array.from(edge), weight };
}

/** The longest edges, as far as all others together would pass more ranks than there may be dummy nodes. */
function looseEdges(span: Int32Array): Uint8Array {
  const longest = span.reduce((a, b) => Math.max(a, b), 0);
  const { start } = rowsBy(span, longest + 1);
  let dummies = 0;
  let most = 1;
  while (most < longest && dummies <= MAX_DUMMIES) {
    most++;
    dummies += ((start[most + 1] as number) - (start[most] as number)) * (most - 1);
  }
  return Uint8Array.from(span, (one) => (dummies > MAX_DUMMIES && one >= most ? 1 : 0));
}
