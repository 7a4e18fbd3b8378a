// The order of what stands at each rank, from left to right, so that few routes cross.

import type { Rows } from "../model/structure";
import { rowsBy } from "../model/tree";
import type { Layering } from "./layering";

export interface Ordered extends Layering {
  /** Boxes, ports and dummy nodes of each rank, from left to right. */
  readonly layers: readonly Int32Array[];
  /** The place of each in its layer. */
  readonly position: Int32Array;
}

/** Rounds without an improvement after which the search ends. */
const MAX_IDLE_ROUNDS = 5;

/** Most comparisons for an exchange of two boxes side by side; with more, it is not tried. */
const MAX_PAIRS = 600;

/** Budget of a component, in segments and dummy nodes visited, and the bounds of its rounds. */
const MAX_WORK = 1_000_000;
const MIN_ROUNDS = 4;
const MAX_ROUNDS = 30;

export function* ordered(layering: Layering): Generator<void, Ordered> {
  const { size, below, above } = layering;
  const up = rowsBy(below, size);
  const down = rowsBy(above, size);
  const state: State = {
    ...layering,
    up,
    down,
    layers: [],
    position: new Int32Array(size),
    scratch: scratchOf(layering),
  };
  let best: Int32Array[] = [];
  let fewest = Number.POSITIVE_INFINITY;
  const rounds = Math.min(MAX_ROUNDS, Math.max(MIN_ROUNDS, Math.round(MAX_WORK / (size + below.length))));
  for (const from of rounds > MIN_ROUNDS ? [1, -1] : [1]) {
    begin(state, from === 1);
    let crossed = crossings(state);
    let idle = 0;
    for (let round = 0; ; round++) {
      yield;
      if (crossed < fewest) {
        fewest = crossed;
        best = state.layers.map((layer) => layer.slice());
        idle = 0;
      } else {
        idle++;
      }
      if (round === rounds || idle > MAX_IDLE_ROUNDS || fewest === 0) {
        break;
      }
      sweep(state, (round % 2 === 0) === (from === 1), round % 4 < 2);
      exchange(state);
      crossed = crossings(state);
    }
  }
  const { position } = state;
  for (const layer of best) {
    place(layer, position);
  }
  return { ...layering, layers: best, position };
}

interface State extends Layering {
  readonly up: Rows;
  readonly down: Rows;
  layers: Int32Array[];
  readonly position: Int32Array;
  readonly scratch: Scratch;
}

/** Working memory, made once. */
interface Scratch {
  readonly key: Float64Array;
  readonly tree: Float64Array;
}

function scratchOf({ size }: Layering): Scratch {
  return { key: new Float64Array(size), tree: new Float64Array(size + 2) };
}

function place(layer: Int32Array, position: Int32Array): void {
  for (let i = 0; i < layer.length; i++) {
    position[layer[i] as number] = i;
  }
}

/** Ports stand in the order in which they are met outside. */
function isFixed({ component: { bottom, top } }: Layering, rank: number, ranks: number): boolean {
  return (rank === 0 && bottom > 0) || (rank === ranks - 1 && top > 0);
}

/** The first order: as a search in depth meets things, from below or from above. */
function begin(state: State, fromBelow: boolean): void {
  const { size, ranks, level, component, below, above, position } = state;
  const [ahead, ends] = fromBelow ? [state.up, above] : [state.down, below];
  const behind = fromBelow ? state.down : state.up;
  const lists: number[][] = Array.from({ length: ranks }, () => []);
  const seen = new Uint8Array(size);
  const ports = component.bottom + component.top;
  for (let port = 0; port < ports; port++) {
    (lists[level[port] as number] as number[]).push(port);
    seen[port] = 1;
  }
  const stack: number[] = [];
  for (let turn = 0; turn < 2; turn++) {
    for (let first = 0; first < size; first++) {
      if (turn === 0 && behind.start[first] !== behind.start[first + 1]) {
        continue;
      }
      stack.push(first);
      while (stack.length > 0) {
        const at = stack.pop() as number;
        const isPort = at < ports;
        if (seen[at] && !(isPort && at === first)) {
          continue;
        }
        if (!isPort) {
          seen[at] = 1;
          (lists[level[at] as number] as number[]).push(at);
        }
        for (let k = (ahead.start[at + 1] as number) - 1; k >= (ahead.start[at] as number); k--) {
          const to = ends[ahead.items[k] as number] as number;
          if (!seen[to]) {
            stack.push(to);
          }
        }
      }
    }
  }
  // Sorting is stable.
  state.layers = lists.map((list) =>
    Int32Array.from(list.sort((a, b) => (state.pinned[a] as number) - (state.pinned[b] as number))),
  );
  for (const layer of state.layers) {
    place(layer, position);
  }
}

/** Orders each layer by the mean place of what its members are connected to in the layer before. */
function sweep(state: State, upwards: boolean, leftFirst: boolean): void {
  const { layers, position, ranks, weight } = state;
  const [edges, ends] = upwards ? [state.down, state.below] : [state.up, state.above];
  const { key } = state.scratch;
  for (let i = 1; i < ranks; i++) {
    const rank = upwards ? i : ranks - 1 - i;
    if (isFixed(state, rank, ranks)) {
      continue;
    }
    const layer = layers[rank] as Int32Array;
    const moving: number[] = [];
    const slots: number[] = [];
    for (let k = 0; k < layer.length; k++) {
      const at = layer[k] as number;
      let sum = 0;
      let total = 0;
      for (let j = edges.start[at] as number; j < (edges.start[at + 1] as number); j++) {
        const segment = edges.items[j] as number;
        sum += (position[ends[segment] as number] as number) * (weight[segment] as number);
        total += weight[segment] as number;
      }
      if (total > 0 && !state.pinned[at]) {
        key[at] = sum / total;
        moving.push(at);
        slots.push(k);
      }
    }
    const tieOrder = leftFirst ? 1 : -1;
    moving.sort(
      (a, b) =>
        (key[a] as number) - (key[b] as number) || tieOrder * ((position[a] as number) - (position[b] as number)),
    );
    for (let k = 0; k < moving.length; k++) {
      layer[slots[k] as number] = moving[k] as number;
    }
    place(layer, position);
  }
}

/** Exchanges neighbors in a layer while that saves crossings. */
function exchange(state: State): void {
  const { layers, position, ranks } = state;
  for (let turn = 0; turn < 3; turn++) {
    let saved = false;
    for (let rank = 0; rank < ranks; rank++) {
      if (isFixed(state, rank, ranks)) {
        continue;
      }
      const layer = layers[rank] as Int32Array;
      for (let i = 0; i + 1 < layer.length; i++) {
        const one = layer[i] as number;
        const other = layer[i + 1] as number;
        const gain =
          between(state, state.up, state.above, one, other) + between(state, state.down, state.below, one, other);
        if (gain > 0 && !state.pinned[one] && !state.pinned[other]) {
          layer[i] = other;
          layer[i + 1] = one;
          position[other] = i;
          position[one] = i + 1;
          saved = true;
        }
      }
    }
    if (!saved) {
      break;
    }
  }
}

/** Cost of the crossings between two neighbors, less their cost after a swap. */
function between({ position, weight }: State, edges: Rows, ends: Int32Array, one: number, other: number): number {
  const a = edges.start[one] as number;
  const aEnd = edges.start[one + 1] as number;
  const b = edges.start[other] as number;
  const bEnd = edges.start[other + 1] as number;
  if ((aEnd - a) * (bEnd - b) > MAX_PAIRS) {
    return 0;
  }
  let gain = 0;
  for (let i = a; i < aEnd; i++) {
    const segment = edges.items[i] as number;
    const x = position[ends[segment] as number] as number;
    for (let j = b; j < bEnd; j++) {
      const second = edges.items[j] as number;
      const y = position[ends[second] as number] as number;
      gain += (x > y ? 1 : x < y ? -1 : 0) * (weight[segment] as number) * (weight[second] as number);
    }
  }
  return gain;
}

/** Cost of all crossings: each costs the product of the two segments' weights. */
function crossings(state: State): number {
  const { layers, position, up, above, weight } = state;
  const { tree } = state.scratch;
  let total = 0;
  for (let rank = 0; rank + 1 < layers.length; rank++) {
    const width = (layers[rank + 1] as Int32Array).length;
    tree.fill(0, 0, width + 1);
    let sum = 0;
    for (const at of layers[rank] as Int32Array) {
      const segments = up.items.subarray(up.start[at] as number, up.start[at + 1] as number);
      for (const segment of segments) {
        const to = position[above[segment] as number] as number;
        let before = 0;
        for (let k = to + 1; k > 0; k -= k & -k) {
          before += tree[k] as number;
        }
        total += (sum - before) * (weight[segment] as number);
      }
      for (const segment of segments) {
        sum += weight[segment] as number;
        for (let k = (position[above[segment] as number] as number) + 1; k <= width; k += k & -k) {
          (tree[k] as number) += weight[segment] as number;
        }
      }
    }
  }
  return total;
}
