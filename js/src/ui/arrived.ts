// What a panel of items shows while more is written than can be sent: the newest that has come.

import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import type { ItemRow } from "../wire/codec";
import type { HeldItems } from "../wire/items";
import { type AtStep, rowsAt } from "./itemsteps";

interface Sampled extends ItemRow {
  readonly sample: number;
}

/** What is needed of the items of a run. */
export type Arriving<R extends ItemRow> = Pick<HeldItems<R>, "rows" | "blobs" | "arrivals">;

/** The place of the last of these rows whose blob has come, or is not there; -1 where all are on their way. */
export function lastArrived<R extends ItemRow>({ blobs, arrivals }: Arriving<R>, rows: readonly R[]): number {
  void arrivals.value;
  const hasCome = ({ id }: R) => ["held", "broken"].includes(blobs.get(id)?.value.state ?? "");
  return blobs.size === 0 ? -1 : rows.findLastIndex(hasCome);
}

/**
 * The rows of the last step up to `at`. Where that is the newest, of each sample those up to the last that has come, of its
 * step; as long as none has, the newest. Follows what comes where it is called from a component or an effect.
 */
export function rowsShown<R extends Sampled>(items: Arriving<R>, at: AtStep): readonly R[] {
  const newest = rowsAt(items.rows, at);
  if (at !== "newest" || newest.every((row) => lastArrived(items, [row]) === 0)) {
    return newest;
  }
  return [...new Set(newest.map(({ sample }) => sample))].flatMap((one) => {
    const rows = items.rows.filter(({ sample }) => sample === one);
    const last = lastArrived(items, rows);
    const step = rows[last]?.step;
    return last < 0
      ? newest.filter(({ sample }) => sample === one)
      : rows.slice(0, last + 1).filter((row) => row.step === step);
  });
}

/** The newest row of the same sample, where that is another one, and still on its way. */
export function newerThan<R extends Sampled>(items: Arriving<R>, { id, sample }: R): R | null {
  const newest = rowsAt(items.rows, "newest").findLast((row) => row.sample === sample);
  return newest === undefined || newest.id === id || lastArrived(items, [newest]) === 0 ? null : newest;
}

/** The step of a row that is shown, in words; `behind`: another one was chosen, or is on its way. */
export function stepShown({ step }: ItemRow, at: AtStep, newer: ItemRow | null) {
  const chosen = at === "newest" ? (newer?.step ?? step) : at;
  const behind = chosen !== step;
  const text = formatCount(step);
  return { behind, text: behind ? strings.askedForStep(text, formatCount(chosen)) : strings.atLinked(text) };
}
