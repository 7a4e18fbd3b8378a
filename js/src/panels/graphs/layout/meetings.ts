// Where edges meet boxes: side by side, in the order of what they come from, and together where they share their way.

import type { Aligned } from "./straight";

/** Part of a scope whose boxes hang together. */
export interface Part {
  readonly ordered: Aligned;
  /** What its boxes and ports, and its edges, are in the scope. */
  readonly boxes: Int32Array;
  readonly edges: Int32Array;
}

/** Columns of the edges of a scope; of pairs, the first is about their sources, the second about their targets. */
export interface Meetings {
  /** 1 if its data flows downwards. */
  readonly reversed: Uint8Array;
  /** An edge with which it shares the place where it meets the box. */
  readonly meets: readonly [Int32Array, Int32Array];
  /** There, its place among others from left to right. */
  readonly sequence: readonly [Int32Array, Int32Array];
  /** How many places it meets the box to the right of the middle. */
  readonly step: readonly [Int32Array, Int32Array];
}

export function meetingsOf(parts: readonly Part[], edges: number): Meetings {
  const columns = () => [new Int32Array(edges), new Int32Array(edges)] as const;
  const found = {
    reversed: new Uint8Array(edges),
    meets: columns(),
    sequence: columns(),
    step: columns(),
  };
  for (const part of parts) {
    for (const way of [0, 1] as const) {
      meet(part, way, found);
    }
  }
  return found;
}

/** What meets the boxes of a part from above (`way` 0) or from below (1). */
function meet({ ordered, edges }: Part, way: 0 | 1, { reversed, meets, sequence, step }: Meetings): void {
  const { lower, upper, joint, chain, side, level, position, below, above, edge: by, straight } = ordered;
  const ends = way ? upper : lower;
  const first = new Map<number, number>();
  const lists = new Map<number, number[]>();
  edges.forEach((edge, i) => {
    const low = lower[i] as number;
    const high = upper[i] as number;
    const turned = ordered.reversed[i] as number;
    const at = (turned ^ way) as 0 | 1;
    const from = joint[i] as number;
    const last = from + (level[high] as number) - (level[low] as number) - 2;
    reversed[edge] = turned;
    sequence[at][edge] = position[from < 0 ? (way ? low : high) : way ? last : from] as number;
    const isShared = from >= 0 && side[chain[i] as number] === (way ? -1 : 1);
    const other = isShared ? first.get(chain[i] as number) : undefined;
    meets[at][edge] = other ?? edge;
    if (other === undefined) {
      first.set(chain[i] as number, edge);
      const end = ends[i] as number;
      const list = lists.get(end);
      if (list) {
        list.push(i);
      } else {
        lists.set(end, [i]);
      }
    }
  });
  const isStraight = new Uint8Array(edges.length);
  for (const link of straight) {
    if (link >= 0 && (way ? above : below)[link] === ends[by[link] as number]) {
      isStraight[by[link] as number] = 1;
    }
  }
  const place = (i: number) => sequence[((ordered.reversed[i] as number) ^ way) as 0 | 1][edges[i] as number] as number;
  for (const list of lists.values()) {
    list.sort((a, b) => place(a) - place(b));
    // What is straight meets the middle; where nothing is, the middle one does.
    const found = list.findIndex((i) => isStraight[i]);
    const middle = found < 0 ? list.length >> 1 : found;
    list.forEach((i, k) => {
      const at = ((ordered.reversed[i] as number) ^ way) as 0 | 1;
      step[at][edges[i] as number] = k - middle;
    });
  }
  edges.forEach((edge, i) => {
    const at = ((ordered.reversed[i] as number) ^ way) as 0 | 1;
    step[at][edge] = step[at][meets[at][edge] as number] as number;
  });
}
