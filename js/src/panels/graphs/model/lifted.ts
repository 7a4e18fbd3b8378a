// The edges between the boxes of each opened scope: those of a view, with both ends lifted to siblings.

import { orderPairs } from "./groups";
import type { Rows } from "./structure";
import { rowsBy } from "./tree";
import type { View } from "./view";

/** Pairs of siblings with edges between what they are or hold, in columns. */
export interface Lifted {
  readonly count: number;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** 1 where no data edge is among them. */
  readonly controlOnly: Uint8Array;
  /** Pair of each group of the view. */
  readonly pairOfGroup: Int32Array;
  /** By the box around both, plus one: pairs, and boxes. */
  readonly pairsIn: Rows;
  readonly boxesIn: Rows;
}

/** Lifts the ends of each group to the children of the innermost box around both; of an end in the other, to that one. */
export function lift({ count: boxes, parent, edges }: View): Lifted {
  const depth = new Int32Array(boxes);
  for (let box = 0; box < boxes; box += 1) {
    const around = parent[box] as number;
    depth[box] = around < 0 ? 0 : (depth[around] as number) + 1;
  }
  const left = edges.source.slice();
  const right = edges.target.slice();
  for (let group = 0; group < edges.count; group += 1) {
    let from = left[group] as number;
    let to = right[group] as number;
    while ((depth[from] as number) > (depth[to] as number)) {
      from = parent[from] as number;
    }
    while ((depth[to] as number) > (depth[from] as number)) {
      to = parent[to] as number;
    }
    while (parent[from] !== parent[to]) {
      from = parent[from] as number;
      to = parent[to] as number;
    }
    left[group] = from;
    right[group] = to;
  }
  const firsts: number[] = [];
  const pairOfGroup = new Int32Array(edges.count);
  const hasData: boolean[] = [];
  let before = -1;
  for (const group of orderPairs(left, right, boxes)) {
    if (before < 0 || left[group] !== left[before] || right[group] !== right[before]) {
      firsts.push(group);
      hasData.push(false);
    }
    before = group;
    pairOfGroup[group] = firsts.length - 1;
    hasData[firsts.length - 1] ||= (edges.data[group] as number) > 0;
  }
  const source = Int32Array.from(firsts, (group) => left[group] as number);
  return {
    count: firsts.length,
    source,
    target: Int32Array.from(firsts, (group) => right[group] as number),
    controlOnly: Uint8Array.from(hasData, (has) => (has ? 0 : 1)),
    pairOfGroup,
    pairsIn: rowsBy(
      source.map((box) => (parent[box] as number) + 1),
      boxes + 1,
    ),
    boxesIn: rowsBy(
      parent.map((around) => around + 1),
      boxes + 1,
    ),
  };
}
