// Facts of runs that do not depend on the kind of their data: their beginning, their progress, their attributes.

/** Facts of one run, or of one of its series. Times are seconds since the epoch. */
export interface RunFacts {
  /** When the first point was written; Infinity if that is not known. */
  readonly began: number;
  /** When the last was; −Infinity if that is not known. */
  readonly ended: number;
  /** The largest step. */
  readonly step: bigint | null;
}

/** Statistics of the finite values of a series. */
export interface Statistics {
  /** As written, so it may be NaN or infinite; null without points. */
  readonly last: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

/** The course of a series, from which a small line can be drawn. The same object while the series is the same. */
export interface Outline {
  /** A row may stand for several points: its last step, and the mean of its values, NaN without a finite one. */
  readonly step: ArrayLike<number>;
  readonly value: ArrayLike<number>;
  /** Points of the series. */
  readonly total: number;
}

/** The value of a hyperparameter. */
export type Attribute = number | string | boolean;

export interface RunAttributes {
  /** In the order in which they were written. */
  readonly names: readonly string[];
  /** By run, or the folder of several, and name. */
  readonly byRun: ReadonlyMap<string, ReadonlyMap<string, Attribute>>;
  /** Runs, or folders of several, whose end was written. */
  readonly ended: ReadonlySet<string>;
}

export const NO_ATTRIBUTES: RunAttributes = { names: [], byRun: new Map(), ended: new Set() };

/** The attribute of a run, or of the nearest folder around it: evaluations lie below the trial that they belong to. */
export function attributeOf({ byRun }: RunAttributes, run: string, name: string): Attribute | undefined {
  for (let place = run; ; place = place.slice(0, place.lastIndexOf("/"))) {
    const found = byRun.get(place)?.get(name);
    if (found !== undefined || !place.includes("/")) {
      return found;
    }
  }
}

/** Whether a run's end was written, by itself or by the nearest folder around it with a session. */
export function hasEnded({ byRun, ended }: RunAttributes, run: string): boolean {
  for (let place = run; ; place = place.slice(0, place.lastIndexOf("/"))) {
    if (byRun.has(place) || !place.includes("/")) {
      return ended.has(place);
    }
  }
}

/** Both together. */
export function joinFacts(a: RunFacts | undefined, b: RunFacts): RunFacts {
  if (a === undefined) {
    return b;
  }
  const step = a.step !== null && (b.step === null || a.step > b.step) ? a.step : b.step;
  return { began: Math.min(a.began, b.began), ended: Math.max(a.ended, b.ended), step };
}

/** Seconds after its last point for which a run counts as live, and the same in intervals between its points. */
const LIVE_S = 120;
const LIVE_INTERVALS = 3;

/** Whether data came lately, by the pace of a run with this number of points; `now` is in seconds since the epoch. */
export function isLive({ began, ended }: RunFacts, points: number, now: number): boolean {
  const interval = points > 1 && Number.isFinite(began) ? (ended - began) / (points - 1) : 0;
  return now - ended < Math.max(LIVE_S, LIVE_INTERVALS * interval);
}

/** The `count` runs that began last; among runs without a known beginning, the last in order. */
export function newestRuns(
  runs: readonly string[],
  facts: ReadonlyMap<string, RunFacts>,
  count: number,
): ReadonlySet<string> {
  const began = runs.map((run) => {
    const time = facts.get(run)?.began ?? Number.NEGATIVE_INFINITY;
    return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
  });
  const order = runs.map((_, i) => i).sort((a, b) => compare(began[b], began[a]) || b - a);
  return new Set(order.slice(0, count).map((i) => runs[i] as string));
}

function compare(a: number | undefined, b: number | undefined): number {
  return a === b ? 0 : (a ?? 0) < (b ?? 0) ? -1 : 1;
}
