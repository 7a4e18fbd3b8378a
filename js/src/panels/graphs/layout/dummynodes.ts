// Long edges as chains of joints, one at each rank between their ends; edges that share an end may share a chain.

import { rowsBy } from "../model/tree";
import { type Ranks, rankOf } from "./ranks";
import type { Component } from "./types";

/** A component with a joint wherever a line passes a rank, so that links lead from each rank to the next one only. */
export interface Chains extends Ranks {
  readonly component: Component;
  /** Boxes, ports and, behind them, joints. */
  readonly size: number;
  /** How many ranks there are, and the rank of each box, port and joint. */
  readonly ranks: number;
  readonly level: Int32Array;
  /** First joint of each edge from below; -1 for none. The others follow. */
  readonly joint: Int32Array;
  /** Chain of each edge, shared or its own; -1 for short edges. */
  readonly chain: Int32Array;
  /** By chain: 1 where its edges part above, -1 where they meet from below. */
  readonly side: Int8Array;
  /** -1 or 1 keeps an element at the left or the right end of its rank: lines of hubs that pass tiers. */
  readonly pinned: Int8Array;
  /** Edges that are too many to be led around what stands between: nothing is known of them but their ends. */
  readonly loose: Uint8Array;
  /** Links: the lower and the upper end, and an edge that leads over it. */
  readonly below: Int32Array;
  readonly above: Int32Array;
  readonly edge: Int32Array;
  /** Cost of crossing it. */
  readonly weight: Float64Array;
}

/** From how many long edges on they share a chain, though what they carry differs. */
const HUB = 7;

/** Joints that are made at most, but for short chains. */
const MAX_JOINTS = 200_000;

const DATA_WEIGHT = 2;
export const CONTROL_WEIGHT = 1;

export function chainsOf(component: Component): Chains {
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
  const chain = new Int32Array(edges).fill(-1);
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
    const least = (end: number, isSource: boolean) => (isSource && single[end] ? 2 : HUB);
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
    chain[i] = at;
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
  const joint = chain.map((one, i) =>
    one < 0 ? -1 : (first[one] as number) + (rank[lower[i] as number] as number) + 1 - (from[one] as number),
  );
  const sharers = new Int32Array(side.length);
  for (const at of chain) {
    (sharers[at] as number)++;
  }
  const pinned = new Int8Array(size);
  let pins = 0;
  for (let i = 0; i < side.length; i++) {
    if (ranks.isTiered && (sharers[i] as number) >= HUB) {
      pinned.fill(pins++ % 2 ? 1 : -1, first[i], first[i + 1] ?? size);
    }
  }
  const links = linksOf(ranks, control, { chain, joint, span, loose, side, first, from, to });
  const most = level.reduce((a, b) => Math.max(a, b), 0);
  return {
    ...ranks,
    component,
    size,
    ranks: most + 1,
    level,
    joint,
    chain,
    side: Int8Array.from(side),
    pinned,
    loose,
    ...links,
  };
}

interface Spans {
  readonly chain: Int32Array;
  readonly joint: Int32Array;
  readonly span: Int32Array;
  readonly loose: Uint8Array;
  readonly side: readonly number[];
  readonly first: Int32Array;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

function linksOf(
  { lower, upper }: Ranks,
  control: Uint8Array,
  { chain, joint, span, loose, side, first, from, to }: Spans,
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
    const at = chain[i] as number;
    if (at < 0) {
      if (!loose[i]) {
        add(low, high, i);
      }
      continue;
    }
    const bottom = joint[i] as number;
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

/** The longest edges, as far as all others together would pass more ranks than there may be joints. */
function looseEdges(span: Int32Array): Uint8Array {
  const longest = span.reduce((a, b) => Math.max(a, b), 0);
  const { start } = rowsBy(span, longest + 1);
  let joints = 0;
  let most = 1;
  while (most < longest && joints <= MAX_JOINTS) {
    most++;
    joints += ((start[most + 1] as number) - (start[most] as number)) * (most - 1);
  }
  return Uint8Array.from(span, (one) => (joints > MAX_JOINTS && one >= most ? 1 : 0));
}
