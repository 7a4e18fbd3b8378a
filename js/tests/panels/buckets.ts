// Series of buckets made for tests.

import { applyPart } from "../../src/wire/apply";
import type { Series } from "../../src/wire/series";
import { part } from "../wire/made";

/** A bucket of three points for each; `last` is the step of the third, a second apart from one another. */
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
