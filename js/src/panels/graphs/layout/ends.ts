// Where on their boxes edges begin and end: side by side, thick lines farther apart.

import type { Ordering } from "./scope";
import type { ScopeGraph } from "./scopegraphs";
import { thicknessOf } from "./thickness";

/** Between the middles of lines that meet a box side by side, at least; and for each of them, by its arrow head. */
const GAP = 10;
const HEAD = 3;
const HEAD_BY_WIDTH = 0.8;

export interface Ends {
  /** Of each edge how far right of the middle it meets its source and its target, if there is room enough. */
  readonly offset: readonly [Float64Array, Float64Array];
  /** Of each box and port how far to both sides its lines reach then. */
  readonly reach: Float64Array;
}

export function endsOf({ component, inner, size }: ScopeGraph, { meets, step, reversed }: Ordering): Ends {
  const { count, source, target, bottom, top } = component;
  const reach = new Float64Array(count);
  const offset = [source, target].map((ends, which) => {
    const at = meets[which] as Int32Array;
    const steps = step[which] as Int32Array;
    const sum = new Float64Array(at.length);
    const sides = new Map<number, number[]>();
    at.forEach((meeting, edge) => {
      const end = ends[edge] as number;
      (sum[meeting] as number) += size[edge] as number;
      if (meeting === edge && end >= bottom + top && (inner[which] as Int32Array)[edge] === -1) {
        const side = end * 2 + ((reversed[edge] as number) ^ which);
        const list = sides.get(side);
        if (list) {
          list.push(edge);
        } else {
          sides.set(side, [edge]);
        }
      }
    });
    const found = new Float64Array(at.length);
    for (const [side, list] of sides) {
      list.sort((a, b) => (steps[a] as number) - (steps[b] as number));
      const thickness = list.map((edge) => thicknessOf(sum[edge] as number));
      const places = [0];
      for (let i = 1; i < list.length; i++) {
        const both = (thickness[i - 1] as number) + (thickness[i] as number);
        places.push((places[i - 1] as number) + Math.max(GAP, 2 * HEAD + HEAD_BY_WIDTH * both));
      }
      const middle = places[list.findIndex((edge) => (steps[edge] as number) >= 0)] ?? 0;
      const box = side >> 1;
      list.forEach((edge, i) => {
        found[edge] = (places[i] as number) - middle;
        const most = Math.abs(found[edge] as number) + (list.length > 1 ? (thickness[i] as number) / 2 : 0);
        reach[box] = Math.max(reach[box] as number, most);
      });
    }
    return found.map((_, edge) => found[at[edge] as number] as number);
  });
  return { offset: offset as unknown as Ends["offset"], reach };
}
