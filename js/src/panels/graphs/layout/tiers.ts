// Many like things between hubs: in tiers above each other instead of one very wide rank.

import { rowsBy } from "../model/tree";
import type { Component } from "./component";
import { joined } from "./rows";

/** Edges from which on a box is a hub. */
const HUB_EDGES = 12;

/** Of boxes whose sizes are not known: how high a rank is, in widths of a box. */
const RANK = 0.8;

/** Between ranks and between boxes, in pixels, where sizes are known. */
const GAP = 30;

/** How much wider than they need be ranks are before tiers are made. */
const WIDE = 2.2;

/** Boxes side by side in a tier, if there are so many, and islands of which tiers are made, at least. */
const LEAST_WIDTH = 4;
const FEWEST_ISLANDS = 4;

/** Boxes side by side from which on a tree, which has no hubs, is parted. */
const LEAST_PARTED = 60;

/** The same where sizes are known, and width by height of all tiers then. */
const SIZED_WIDE = 1.3;
const FEWEST_SIZED = 2;
const ASPECT = 1.7;

/**
 * The least rank that each box is to have, from the ranks of a component: what hangs together without its ports and
 * hubs keeps its form, and stands in one of several tiers. Null where ranks are not so wide.
 */
export function tiersOf(
  component: Component,
  rank: Int32Array,
  lower: Int32Array,
  upper: Int32Array,
): Int32Array | null {
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
  if (parted ? isSized || widest < LEAST_PARTED : !isSized && widest < WIDE * LEAST_WIDTH) {
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
  const root = joined(count, lower, inside);
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
    let height = isSized ? 0 : depth * RANK;
    for (const one of levels.values()) {
      width = Math.max(width, one.width);
      height += one.height;
    }
    islands.push({ boxes, need: needed[at] as number, low, width, depth });
    area += width * height;
  }
  const most = isSized ? Math.sqrt(area * ASPECT) : Math.max(LEAST_WIDTH, Math.ceil(Math.sqrt(area)));
  if (islands.length < (isSized ? FEWEST_SIZED : FEWEST_ISLANDS) || widest < (isSized ? SIZED_WIDE : WIDE) * most) {
    return null;
  }
  if (parted && islands.some((island) => island.width > WIDE * most)) {
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
