// Rows by the goal metric: the best first.

import type { ReadonlySignal } from "@preact/signals";
import { isSameList } from "../../lib/sortrows";
import type { Column, SessionRow } from "./columns";
import type { Goal } from "./options";

interface Ranked {
  readonly goal: ReadonlySignal<Column | null>;
  readonly goalBest: ReadonlySignal<Goal>;
}

/** The best by the goal metric first; those without a number last, in their order. */
export function rankedRows({ goal, goalBest }: Ranked, rows: readonly number[]): readonly number[] {
  const values = goal.value?.values;
  if (values === undefined) {
    return rows;
  }
  const sign = goalBest.value === "max" ? -1 : 1;
  const rank = (row: number) => {
    const value = values[row];
    return typeof value === "number" && !Number.isNaN(value) ? sign * value : Number.NaN;
  };
  return rows
    .map((row) => ({ row, by: rank(row) }))
    .sort((a, b) => Number(Number.isNaN(a.by)) - Number(Number.isNaN(b.by)) || (a.by < b.by ? -1 : a.by > b.by ? 1 : 0))
    .map(({ row }) => row);
}

/**
 * Ranks all rows, but keeps the last ranking while only numbers change: rows must not jump while trials run. A new row, a first
 * number of the goal, a session that ends, and a change in `choices` make a new ranking.
 */
export class SettledRanking {
  #last: { readonly by: readonly unknown[]; readonly rows: readonly number[] } = { by: [], rows: [] };

  rank(ranked: Ranked, rows: readonly SessionRow[], choices: readonly unknown[]): readonly number[] {
    const values = ranked.goal.value?.values;
    const facts = rows.map(({ key, status, end }, row) => [
      key,
      status,
      end,
      Number.isNaN(Number(values?.[row] ?? "-")),
    ]);
    const by = [ranked.goal.value?.key, ranked.goalBest.value, ...choices, ...facts.flat()];
    if (!isSameList(by, this.#last.by)) {
      this.#last = { by, rows: rankedRows(ranked, [...rows.keys()]) };
    }
    return this.#last.rows;
  }
}
