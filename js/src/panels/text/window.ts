// Which texts of a tag there are on the page: of all runs together, newest first, some about one step.

import { bisect } from "../../lib/search";

/** A row that has a step. */
interface Stepped {
  readonly step: bigint;
}

/** The texts of one run, in the order of their steps. */
export interface RunRows<R extends Stepped> {
  readonly run: string;
  readonly rows: readonly R[];
}

/** A window of texts: a number of them up to a step, and a number after it. */
export interface TextWindow {
  /** Null: the newest, whichever that is. */
  readonly pivot: bigint | null;
  readonly older: number;
  readonly newer: number;
}

export interface Entry<R> {
  readonly run: string;
  readonly row: R;
}

export interface Entries<R> {
  /** Newest first; of equal steps in the order of the runs. */
  readonly entries: readonly Entry<R>[];
  /** Texts beyond either end. */
  readonly newerLeft: number;
  readonly olderLeft: number;
}

/** Texts that are added at once. */
export const PAGE = 20;

/** Texts on the page at once, and how many of them stay when that is reached. */
const MAX_WINDOW = 160;
const KEPT = 60;

export const NEWEST: TextWindow = { pivot: null, older: PAGE, newer: 0 };

/** How many of the rows have a step up to this. */
export function countUpTo(rows: readonly Stepped[], step: bigint): number {
  return bisect(0, rows.length, (i) => (rows[i] as Stepped).step <= step);
}

export function entriesOf<R extends Stepped>(
  runs: readonly RunRows<R>[],
  { pivot, older, newer }: TextWindow,
): Entries<R> {
  const bounds = runs.map(({ rows }) => (pivot === null ? rows.length : countUpTo(rows, pivot)));
  const down = merged(runs, bounds, older, -1);
  const up = merged([...runs].reverse(), [...bounds].reverse(), newer, 1);
  const upTo = bounds.reduce((sum, bound) => sum + bound, 0);
  const all = runs.reduce((sum, { rows }) => sum + rows.length, 0);
  return {
    entries: [...up.reverse(), ...down],
    newerLeft: all - upTo - up.length,
    olderLeft: upTo - down.length,
  };
}

/** The first `count` rows of all runs from their bounds on, upwards or downwards by step. */
function merged<R extends Stepped>(
  runs: readonly RunRows<R>[],
  bounds: readonly number[],
  count: number,
  way: 1 | -1,
): Entry<R>[] {
  const next = bounds.map((bound) => (way === 1 ? bound : bound - 1));
  const found: Entry<R>[] = [];
  while (found.length < count) {
    let best = -1;
    let step = 0n;
    for (const [i, { rows }] of runs.entries()) {
      const row = rows[next[i] as number];
      if (row !== undefined && (best < 0 || (way === 1 ? row.step < step : row.step > step))) {
        best = i;
        step = row.step;
      }
    }
    const from = runs[best];
    if (from === undefined) {
      break;
    }
    found.push({ run: from.run, row: from.rows[next[best] as number] as R });
    next[best] = (next[best] as number) + way;
  }
  return found;
}

/** The window with a page of older texts. Where there are many then, the newest leave it. */
export function withOlder<R extends Stepped>(window: TextWindow, { entries }: Entries<R>): TextWindow {
  if (entries.length < MAX_WINDOW) {
    return { ...window, older: window.older + PAGE };
  }
  const kept = entries.slice(-KEPT);
  const pivot = (kept[0] as Entry<R>).row.step;
  // All texts of the pivot's step are up to it.
  const same = entries.length - entries.findIndex(({ row }) => row.step <= pivot);
  return { pivot, older: same + PAGE, newer: 0 };
}

/** The window with a page of newer texts. Where there are many then, the oldest leave it. */
export function withNewer<R extends Stepped>(window: TextWindow, { entries }: Entries<R>): TextWindow {
  const last = entries[KEPT - 1];
  if (entries.length < MAX_WINDOW || last === undefined) {
    return { ...window, newer: window.newer + PAGE };
  }
  const { step } = last.row;
  // All texts of this step are above the pivot.
  const same = entries.filter(({ row }) => row.step >= step).length;
  return { pivot: step - 1n, older: 0, newer: same + PAGE };
}

/** The same texts, whatever comes. */
export function held<R extends Stepped>(window: TextWindow, { entries }: Entries<R>): TextWindow {
  const newest = entries[0];
  return window.pivot === null && newest !== undefined ? { ...window, pivot: newest.row.step } : window;
}
