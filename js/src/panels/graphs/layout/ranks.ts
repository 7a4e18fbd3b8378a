// Ranks: how far above the inputs each box of a component stands, so that as many edges as possible lead upwards.

import type { Rows } from "../model/structure";
import { rowsBy } from "../model/tree";
import type { Component } from "./component";
import { tiersOf } from "./tiers";

export interface Ranks {
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

/** A port pulls little, for a line to the border is long anyway. */
const PORT_PULL = 0.1;
const CONTROL_PULL = 0.5;

export function rankOf(component: Component): Ranks {
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

/** One above the highest (`way` 1) or below the lowest (`way` -1) at the other ends of a box's edges. */
function limit(edges: Rows, box: number, ends: Int32Array, rank: Int32Array, way: 1 | -1): number {
  let found = Number.NEGATIVE_INFINITY;
  for (let k = edges.start[box] as number; k < (edges.start[box + 1] as number); k++) {
    found = Math.max(found, way * (rank[ends[edges.items[k] as number] as number] as number));
  }
  return way * (found + 1);
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
