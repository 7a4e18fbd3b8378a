// Where the steps of a series go back: after a restart, or between what several writers have written.

import { numbers } from "../wire/steps";
import type { Series } from "./series";

const NONE: ArrayLike<number> = [];

/** Rows that begin before the row above them ends, or hold steps that go back: the first of each piece but one. */
export function stepsBack({ step, first, ascending }: Pick<Series, "step" | "first" | "ascending">): ArrayLike<number> {
  if (ascending) {
    return NONE;
  }
  const [begins, ends] = [numbers(first), numbers(step)];
  const rows: number[] = [];
  for (let i = 1; i < ends.length; i += 1) {
    const before = ends[i - 1] as number;
    if ((begins[i] as number) < before || (ends[i] as number) < before) {
      rows.push(i);
    }
  }
  return rows;
}
