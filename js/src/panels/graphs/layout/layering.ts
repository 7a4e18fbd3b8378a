// Layering with dummy nodes: a long edge gets one at each rank between its ends. Its dummy nodes are its trunk, which
// edges with a common end may share.

import type { Rows } from "../model/structure";
import { rowsBy } from "../model/tree";
import { connectedComponents } from "./connectedcomponents";
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
  // Edges share a trunk only with edges of the same end and sort.
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

// Ranks: how far above the inputs each box of a component stands, so that as many edges as possible lead upwards.

interface Ranks {
  readonly rank: Int32Array;
  /** The lower and the upper end of each edge. */
  readonly lower: Int32Array;
  readonly upper: Int32Array;
  /** 1 for edges whose data flows downwards. */
  readonly reversed: Uint8Array;
  /** Whether like things between hubs stand in tiers above each other. */
  readonly isTiered: boolean;
}

/** Times that boxes are moved towards those that they are connected to. */
const PASSES = 12;

/** A port pulls little, for a route to the border is long anyway. */
const PORT_PULL = 0.1;
const CONTROL_PULL = 0.5;

function rankOf(component: Component): Ranks {
  const { count, bottom, top, source, target, control } = component;
  const ports = bottom + top;
  const reversed = reversedEdges(component);
  const lower = source.map((one, i) => (reversed[i] ? (target[i] as number) : one));
  const upper = target.map((one, i) => (reversed[i] ? (source[i] as number) : one));
  const up = rowsBy(lower, count);
  const down = rowsBy(upper, count);
  const order = topological(count, up, down, upper);
  const rank = new Int32Array(count);
  for (const box of order) {
    rank[box] = Math.max(box < ports ? 0 : 1, limit(down, box, lower, rank, 1));
  }
  const weight = Float64Array.from(control, (one, i) =>
    (lower[i] as number) < ports || (upper[i] as number) < ports ? PORT_PULL : one ? CONTROL_PULL : 1,
  );
  for (let pass = 0; pass < PASSES; pass++) {
    let moved = false;
    for (let i = count - 1; i >= 0; i--) {
      const box = order[pass % 2 ? count - 1 - i : i] as number;
      const to = box < ports ? 0 : preferred(box, rank, up, down, lower, upper, weight, ports);
      if (box >= ports && to !== rank[box]) {
        rank[box] = to;
        moved = true;
      }
    }
    if (!moved) {
      break;
    }
  }
  const least = tiersOf(component, rank, lower, upper);
  if (least) {
    for (const box of order) {
      rank[box] = Math.max(least[box] as number, box < ports ? 0 : 1, limit(down, box, lower, rank, 1));
    }
  }
  return { rank: compacted(rank, component), lower, upper, reversed, isTiered: least !== null };
}

/** Which edges are turned so that no cycle is left: those that lead back to where a depth-first search stands. */
function reversedEdges({ count, bottom, top, source, target, control }: Component): Uint8Array {
  const ports = bottom + top;
  const reversed = new Uint8Array(source.length);
  const into = new Int32Array(count);
  const free = source.map((from, i) => {
    const to = target[i] as number;
    if (from < ports || to < ports) {
      reversed[i] = to < bottom || (from >= bottom && from < ports) ? 1 : 0;
      return -1;
    }
    (into[to] as number)++;
    return from;
  });
  const edges = rowsBy(free, count);
  // Data first: of a cycle, a control edge is rather turned.
  for (let box = 0; box < count; box++) {
    edges.items
      .subarray(edges.start[box] as number, edges.start[box + 1] as number)
      .sort((a, b) => (control[a] as number) - (control[b] as number) || a - b);
  }
  const state = new Uint8Array(count);
  const next = edges.start.slice();
  const stack = new Int32Array(count);
  for (let turn = 0; turn < 2; turn++) {
    for (let first = ports; first < count; first++) {
      if (state[first] || (turn === 0 && into[first])) {
        continue;
      }
      let height = 1;
      stack[0] = first;
      state[first] = 1;
      while (height > 0) {
        const box = stack[height - 1] as number;
        if ((next[box] as number) === edges.start[box + 1]) {
          state[box] = 2;
          height--;
          continue;
        }
        const edge = edges.items[(next[box] as number)++] as number;
        const to = target[edge] as number;
        if (state[to] === 1) {
          reversed[edge] = 1;
        } else if (!state[to]) {
          state[to] = 1;
          stack[height++] = to;
        }
      }
    }
  }
  return reversed;
}

function topological(count: number, up: Rows, down: Rows, upper: Int32Array): Int32Array {
  const waits = new Int32Array(count);
  const order = new Int32Array(count);
  let length = 0;
  for (let box = 0; box < count; box++) {
    waits[box] = (down.start[box + 1] as number) - (down.start[box] as number);
    if (!waits[box]) {
      order[length++] = box;
    }
  }
  for (let i = 0; i < length; i++) {
    const box = order[i] as number;
    for (let k = up.start[box] as number; k < (up.start[box + 1] as number); k++) {
      const to = upper[up.items[k] as number] as number;
      if (--(waits[to] as number) === 0) {
        order[length++] = to;
      }
    }
  }
  return order;
}

/** One above the highest (`direction` 1) or below the lowest (`direction` -1) at the other ends of a box's edges. */
function limit(edges: Rows, box: number, ends: Int32Array, rank: Int32Array, direction: 1 | -1): number {
  let found = Number.NEGATIVE_INFINITY;
  for (let k = edges.start[box] as number; k < (edges.start[box + 1] as number); k++) {
    found = Math.max(found, direction * (rank[ends[edges.items[k] as number] as number] as number));
  }
  return direction * (found + 1);
}

/** Where a box stands best between those below and above it: at the side to which more leads. */
function preferred(
  box: number,
  rank: Int32Array,
  up: Rows,
  down: Rows,
  lower: Int32Array,
  upper: Int32Array,
  weight: Float64Array,
  ports: number,
): number {
  let pull = 0;
  let most = Number.POSITIVE_INFINITY;
  for (let k = up.start[box] as number; k < (up.start[box + 1] as number); k++) {
    const edge = up.items[k] as number;
    const to = upper[edge] as number;
    pull += weight[edge] as number;
    if (to >= ports) {
      most = Math.min(most, (rank[to] as number) - 1);
    }
  }
  for (let k = down.start[box] as number; k < (down.start[box + 1] as number); k++) {
    pull -= weight[down.items[k] as number] as number;
  }
  const least = Math.max(1, limit(down, box, lower, rank, 1));
  const now = rank[box] as number;
  return pull > 0 && most < Number.POSITIVE_INFINITY ? most : pull < 0 ? least : Math.max(least, Math.min(now, most));
}

/** The same ranks without those at which nothing stands; ports at the bottom stand below all, those at the top above. */
function compacted(rank: Int32Array, { count, bottom, top }: Component): Int32Array {
  const ports = bottom + top;
  const used = new Int32Array(count + 2);
  for (let box = ports; box < count; box++) {
    used[rank[box] as number] = 1;
  }
  let next = bottom ? 1 : 0;
  for (let i = 0; i < used.length; i++) {
    const here = used[i] as number;
    used[i] = next;
    next += here;
  }
  return rank.map((one, box) => (box < bottom ? 0 : box < ports ? next : (used[one] as number)));
}

// Many like things between hubs: in tiers above each other instead of one very wide rank.

/** Least number of edges of a hub. */
const HUB_EDGES = 12;

/** Height of a rank, in widths of a box, while sizes are unknown. */
const RANK_HEIGHT = 0.8;

/** Gap between ranks and between boxes, in layout units, once sizes are known. */
const GAP = 30;

/** Tiers are made where ranks are at least this many times as wide as they need be. */
const MIN_WIDTH_RATIO = 2.2;

/** Least number of boxes side by side in a tier, and of islands that tiers are made of. */
const MIN_TIER_BOXES = 4;
const MIN_ISLANDS = 4;

/** A tree, which has no hubs, is split from this number of boxes side by side. */
const MIN_SPLIT_BOXES = 60;

/** Least widths once sizes are known: relative to the necessary width, and to the height. Aspect of all tiers then. */
const MIN_SIZED_WIDTH_RATIO = 1.3;
const MIN_SIZED_ASPECT = 2;
const ASPECT = 1.7;

/**
 * The least rank that each box is to have, from the ranks of a component: what hangs together without its ports and
 * hubs keeps its form, and stands in one of several tiers. Null where ranks are not so wide.
 */
function tiersOf(component: Component, rank: Int32Array, lower: Int32Array, upper: Int32Array): Int32Array | null {
  return inTiers(component, rank, lower, upper, false) ?? inTiers(component, rank, lower, upper, true);
}

/** In tiers of what hangs together without hubs or, `parted`, of branches of trees, too. */
function inTiers(
  { count, bottom, top, width: widths, height: heights }: Component,
  rank: Int32Array,
  lower: Int32Array,
  upper: Int32Array,
  parted: boolean,
): Int32Array | null {
  const ports = bottom + top;
  const isSized = widths.length > 0;
  const widthOf = (box: number) => (isSized ? (widths[box] as number) + GAP : 1);
  const heightOf = (box: number) => (isSized ? (heights[box] as number) + GAP : 0);
  const across = new Float64Array(rank.reduce((a, b) => Math.max(a, b), 0) + 1);
  for (let box = ports; box < count; box++) {
    (across[rank[box] as number] as number) += widthOf(box);
  }
  const widest = across.reduce((a, b) => Math.max(a, b), 0);
  if (parted ? isSized || widest < MIN_SPLIT_BOXES : !isSized && widest < MIN_WIDTH_RATIO * MIN_TIER_BOXES) {
    return null;
  }
  const degree = new Int32Array(count);
  const leaving = new Int32Array(count);
  for (let i = 0; i < lower.length; i++) {
    (degree[lower[i] as number] as number)++;
    (degree[upper[i] as number] as number)++;
    (leaving[lower[i] as number] as number)++;
  }
  const isHub = (box: number) => box < ports || (degree[box] as number) >= HUB_EDGES;
  const isCut = parted ? branchesOf(rank, lower, upper) : new Uint8Array(lower.length);
  const inside = lower.map((from, i) =>
    isCut[i] || isHub(from) || isHub(upper[i] as number) ? from : (upper[i] as number),
  );
  const root = connectedComponents(count, lower, inside);
  const members = rowsBy(root, count);
  // What hubs need that others need stands below those: of each island the rank of the lowest of them.
  const needed = new Int32Array(count).fill(rank.length);
  for (let i = 0; i < lower.length; i++) {
    const hub = upper[i] as number;
    const at = root[lower[i] as number] as number;
    if (isHub(hub) && leaving[hub]) {
      needed[at] = Math.min(needed[at] as number, rank[hub] as number);
    }
  }
  const islands: { boxes: Int32Array; need: number; low: number; width: number; depth: number }[] = [];
  let area = 0;
  for (let at = 0; at < count; at++) {
    const boxes = members.items.subarray(members.start[at] as number, members.start[at + 1] as number);
    if (boxes.length === 0 || isHub(at)) {
      continue;
    }
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    const levels = new Map<number, { width: number; height: number }>();
    for (const box of boxes) {
      const level = rank[box] as number;
      low = Math.min(low, level);
      high = Math.max(high, level);
      const { width, height } = levels.get(level) ?? { width: 0, height: 0 };
      levels.set(level, { width: width + widthOf(box), height: Math.max(height, heightOf(box)) });
    }
    const depth = high - low + 1;
    let width = 0;
    let height = isSized ? 0 : depth * RANK_HEIGHT;
    for (const one of levels.values()) {
      width = Math.max(width, one.width);
      height += one.height;
    }
    islands.push({ boxes, need: needed[at] as number, low, width, depth });
    area += width * height;
  }
  const most = isSized ? Math.sqrt(area * ASPECT) : Math.max(MIN_TIER_BOXES, Math.ceil(Math.sqrt(area)));
  if (
    islands.length < (isSized ? MIN_SIZED_ASPECT : MIN_ISLANDS) ||
    widest < (isSized ? MIN_SIZED_WIDTH_RATIO : MIN_WIDTH_RATIO) * most
  ) {
    return null;
  }
  if (parted && islands.some((island) => island.width > MIN_WIDTH_RATIO * most)) {
    return null;
  }
  islands.sort((a, b) => a.need - b.need || a.low - b.low);
  const least = new Int32Array(count);
  let base = 0;
  let width = 0;
  let depth = 0;
  for (const island of islands) {
    if (width > 0 && width + island.width > most) {
      base += depth;
      width = 0;
      depth = 0;
    }
    base = Math.max(base, width > 0 ? 0 : island.low);
    width += island.width;
    depth = Math.max(depth, island.depth);
    for (const box of island.boxes) {
      least[box] = base + (rank[box] as number) - island.low;
    }
  }
  return least;
}

/** 1 for edges by which branches hang on trees: of about as many leaves each as there are of them. */
function branchesOf(rank: Int32Array, lower: Int32Array, upper: Int32Array): Uint8Array {
  const count = rank.length;
  const least = Math.sqrt(count);
  const isCut = new Uint8Array(lower.length);
  const order = Array.from(rank.keys()).sort((a, b) => (rank[a] as number) - (rank[b] as number));
  // Of trees that grow together upwards, then of those that part.
  for (const [from, to] of [
    [lower, upper],
    [upper, lower],
  ] as const) {
    const edges = rowsBy(from, count);
    const leaves = new Float64Array(count);
    for (const box of order) {
      const first = edges.start[box] as number;
      if (edges.start[box + 1] === first + 1) {
        const edge = edges.items[first] as number;
        const own = Math.max(1, leaves[box] as number);
        if (own >= least) {
          isCut[edge] = 1;
        } else {
          (leaves[to[edge] as number] as number) += own;
        }
      }
    }
    order.reverse();
  }
  return isCut;
}
