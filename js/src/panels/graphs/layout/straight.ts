// Which links are to be straight: those of long lines before others, and no two that cross.

import { rowsBy } from "../model/tree";
import { CONTROL_WEIGHT } from "./chains";
import type { Ordered } from "./order";

export interface Aligned extends Ordered {
  /** Of each box, port and joint the link below it that is straight; -1 where none is. */
  readonly straight: Int32Array;
  /** Whether most boxes have several others below and above: no way through them is the main one, and no link straight. */
  readonly isLattice: boolean;
}

/** What it is worth that a link is straight between two boxes, between a box and a joint, and between two joints. */
const WORTH = [1.5, 0.8, 8] as const;

/** What is added for each box of a run, as a share, and for so many at most: of two branches the longer one is straight. */
const RUN_WORTH = 0.01;
const LONGEST = 20;

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
    const length = Math.min(LONGEST, (run[2 * from + 1] as number) + (run[2 * to] as number));
    const joints = (from >= component.count ? 1 : 0) + (to >= component.count ? 1 : 0);
    const ends = (degree[2 * from] as number) + (degree[2 * to + 1] as number);
    const half = weight[i] === CONTROL_WEIGHT ? 0.5 : 1;
    return (((WORTH[joints] as number) * 2) / ends) * half * (1 + RUN_WORTH * length);
  });
  const up = rowsBy(below, size);
  for (const layer of layers) {
    for (const chosen of heaviest(layer, up.start, up.items, above, position, worth)) {
      straight[above[chosen] as number] = chosen;
    }
  }
  return { ...ordered, straight, isLattice };
}

/** How many boxes follow each one above (2 i) and below (2 i + 1) before a way parts, meets another or is a long line. */
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
  for (const [way, ordered] of [[...layers].reverse(), layers].entries()) {
    for (const layer of ordered) {
      for (const at of layer) {
        const other = next[2 * at + way] as number;
        run[2 * at + way] = other < 0 ? 0 : (run[other] as number) + 1;
      }
    }
  }
  return run;
}

/** Of the links above a layer, the set worth most of which no two cross or meet. */
function heaviest(
  layer: Int32Array,
  start: Int32Array,
  items: Int32Array,
  above: Int32Array,
  position: Int32Array,
  worth: Float64Array,
): number[] {
  const place = (link: number) => position[above[link] as number] as number;
  const links: number[] = [];
  let width = 0;
  for (const at of layer) {
    // From right to left, so that none of one box follows another of it.
    for (const link of items.slice(start[at], start[at + 1]).sort((a, b) => place(b) - place(a))) {
      links.push(link);
      width = Math.max(width, place(link) + 1);
    }
  }
  const best = new Int32Array(width + 1).fill(-1); // Tree of the heaviest sets that end at a place: by index in `links`.
  const total = new Float64Array(links.length);
  const before = new Int32Array(links.length);
  let last = -1;
  for (let i = 0; i < links.length; i++) {
    const link = links[i] as number;
    let found = -1;
    for (let k = place(link); k > 0; k -= k & -k) {
      const one = best[k] as number;
      if (one >= 0 && (found < 0 || (total[one] as number) > (total[found] as number))) {
        found = one;
      }
    }
    before[i] = found;
    total[i] = (worth[link] as number) + (found < 0 ? 0 : (total[found] as number));
    for (let k = place(link) + 1; k <= width; k += k & -k) {
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
    chosen.push(links[i] as number);
  }
  return chosen;
}
