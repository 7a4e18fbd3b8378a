// Series of buckets made for tests.

import { applyPart, type Series } from "../../src/lines/series";
import { part } from "../wire/made";

/** Buckets of three points each; `last` is the step of the third; points are a second apart. */
export function buckets(rows: readonly { readonly last: number; readonly values: readonly number[] }[]): Series {
  const column = (of: (row: (typeof rows)[number]) => number) => Float64Array.from(rows, of);
  const finite = ({ values }: (typeof rows)[number]) => values.filter(Number.isFinite);
  const step = column(({ last }) => last);
  const made = applyPart(
    undefined,
    part("t", "r", [], {
      width: 3,
      total: 3 * rows.length,
      rows: {
        step,
        first: step.map((last) => last - 2),
        wall: step.map((last) => 1000 + last),
        value: column((row) => finite(row).reduce((a, b) => a + b, 0) / finite(row).length),
        min: column((row) => Math.min(...finite(row))),
        max: column((row) => Math.max(...finite(row))),
        count: Uint32Array.from(rows, (row) => finite(row).length),
      },
    }),
  );
  if (made === null) {
    throw new Error("a whole part always applies");
  }
  return made;
}

/** The same points in buckets of `width`; the last one may be shorter; a second apart. */
export function bucketed(steps: readonly number[], values: readonly number[], width: number): Series {
  const rows = [...steps.keys()];
  const groups: number[][] = [];
  for (let i = 0; i < steps.length; i += width) {
    groups.push(rows.slice(i, i + width));
  }
  const column = (of: (rows: readonly number[]) => number) => Float64Array.from(groups, of);
  const held = (rows: readonly number[]) => rows.map((row) => values[row] as number).filter(Number.isFinite);
  const made = applyPart(
    undefined,
    part("t", "r", [], {
      width,
      total: steps.length,
      rows: {
        step: column((rows) => steps[rows.at(-1) as number] as number),
        first: column((rows) => steps[rows[0] as number] as number),
        wall: column((rows) => 1000 + (rows.at(-1) as number)),
        value: column((rows) => held(rows).reduce((a, b) => a + b, 0) / held(rows).length),
        min: column((rows) => Math.min(...held(rows))),
        max: column((rows) => Math.max(...held(rows))),
        count: Uint32Array.from(groups, (rows) => held(rows).length),
      },
    }),
  );
  if (made === null) {
    throw new Error("a whole part always applies");
  }
  return made;
}
