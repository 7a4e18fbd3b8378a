// Where ridges are: each on its own base line, from the oldest at the top, behind, to the newest in front.

import { type Rgb, rgbOf } from "../../charts/theme";
import { type Beyond, beyond } from "../../histograms/bins";
import type { Histogram, HistogramSeries } from "../../histograms/codec";
import { positionsOf } from "../../histograms/steps";
import { lastUpTo, type Range } from "../../lib/search";
import type { XAxisMode } from "../../lib/xaxis";
import type { RunOf } from "../../ui/runs";
import { chosenRows, valueRange } from "./choose";
import { type CountScale, type CountScaleOptions, countScaleFor } from "./countscale";
import { drawnBins, type Grid, gridOf, profileOf } from "./profile";

export type RidgeMode = "offset" | "overlay";

/** The histograms of one run. */
export type RunSeries = RunOf<HistogramSeries>;

export interface RidgeOptions extends CountScaleOptions {
  readonly xAxis: XAxisMode;
  /** Visible range of steps or times; null for all. */
  readonly steps: Range | null;
  /** Visible range of values; null for all. */
  readonly values: Range | null;
  /** The linked step; null for none. */
  readonly linked: number | null;
}

/** Ridges of a plot at most, of all its runs together: more cannot be told apart. */
const MAX_RIDGES = 32;
/** Steps drawn of each run at least, if there is room: fewer would not show its development. */
const MIN_STEPS = 6;
const MIN_STEPS_OF_A_RUN = 2;

/** CSS pixels from one to the next on average at least. */
const MIN_RIDGE_GAP_PX = 3.5;

/** Share of the height that the highest ridge takes, of several and alone; above it there is room for a mark. */
const TALLEST = 0.4;
const ALONE = 0.95;

export interface Ridge {
  readonly run: RunSeries;
  readonly row: Histogram;
  /** Step, or time, at which it stands. */
  readonly at: number;
  /** From 0, the oldest visible, to 1, the newest. */
  readonly age: number;
  /** Counts per column. */
  readonly profile: Float64Array;
  /** Its counts outside the viewport. */
  readonly beyond: Beyond;
  /** The run's last at or before the linked step. */
  readonly linked: boolean;
}

/** The ridges of a plot. */
export interface Ridges {
  readonly mode: RidgeMode;
  /** Back to front. */
  readonly ridges: readonly Ridge[];
  readonly values: Range;
  /** Null where bins are drawn as they were written. */
  readonly grid: Grid | null;
  /** From the oldest to the newest ridge. */
  readonly steps: Range;
  readonly countScale: CountScale;
  /** Share of the plot's height that the highest ridge takes. */
  readonly tallest: number;
  readonly colors: ReadonlyMap<string, Rgb>;
}

/** The ridges of runs that share a plot, or that have one plot each with the same axes. */
export function ridgesOf(
  runs: readonly RunSeries[],
  options: RidgeOptions,
  mode: RidgeMode,
  columns: number,
  sharing: number = runs.length,
  height: number = Number.POSITIVE_INFINITY,
): Ridges {
  const most = Math.max(MIN_STEPS, Math.floor(MAX_RIDGES / Math.max(1, sharing)));
  const lengths = runs.map(({ series }) => lengthWithin(positionsOf(series, options.xAxis), options.steps));
  const [from, to] = spanned(lengths);
  // The ridges of a run that has just begun share a few pixels where other runs are much longer.
  const room = (length: Range | null) =>
    length === null || mode === "overlay" || from === to
      ? most
      : 1 + Math.floor((height * (1 - TALLEST) * ((length[1] - length[0]) / (to - from))) / MIN_RIDGE_GAP_PX);
  const found: { run: RunSeries; row: Histogram; at: number; linked: boolean }[] = [];
  for (const [i, run] of runs.entries()) {
    const column = positionsOf(run.series, options.xAxis);
    const fitting = Math.max(MIN_STEPS_OF_A_RUN, Math.min(most, room(lengths[i] ?? null)));
    const rows = new Set(chosenRows(run.series, column, options.steps, fitting));
    const linked = options.linked === null ? -1 : lastUpTo(positionsOf(run.series, "step"), options.linked);
    if (isWithin(column[linked], options.steps)) {
      rows.add(linked);
    }
    for (const i of rows) {
      const row = run.series.rows[i] as Histogram;
      found.push({ run, row, at: column[i] as number, linked: i === linked });
    }
  }
  found.sort((a, b) => a.at - b.at);
  const values =
    options.values ??
    valueRange(
      found.map(({ row }) => row),
      options.ignoreOutliers,
    );
  const grid = gridOf(values, options.bins);
  const first = found[0]?.at ?? 0;
  const last = found.at(-1)?.at ?? 0;
  const ridges = found.map(({ run, row, at, linked }) => ({
    run,
    row,
    at,
    linked,
    age: last > first ? (at - first) / (last - first) : 1,
    profile: profileOf(drawnBins(row, grid), values, columns),
    beyond: beyond(row, values),
  }));
  const countScale = countScaleFor(
    ridges.map(({ profile }) => profile),
    options,
  );
  const tallest = mode === "overlay" || last === first ? ALONE : TALLEST;
  const colors = new Map(runs.map(({ run, color }) => [run, rgbOf(color)]));
  return { mode, ridges, values, grid, steps: [first, last], countScale, tallest, colors };
}

/** The first and the last place within a range (null: all); null without any. */
function lengthWithin(column: Float64Array, range: Range | null): Range | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const at of column) {
    if (isWithin(at, range)) {
      least = Math.min(least, at);
      most = Math.max(most, at);
    }
  }
  return least <= most ? [least, most] : null;
}

/** From the least of all to the greatest. */
function spanned(lengths: readonly (Range | null)[]): Range {
  const held = lengths.flatMap((length) => (length === null ? [] : [length]));
  return [Math.min(...held.map(([least]) => least)), Math.max(...held.map(([, most]) => most))];
}

function isWithin(at: number | undefined, range: Range | null): boolean {
  return at !== undefined && at - at === 0 && (range === null || (at >= range[0] && at <= range[1]));
}

/** Where a ridge's base line is, as a share of the plot's height from above. */
export function footOf({ mode, steps: [first, last], tallest }: Ridges, at: number): number {
  return mode === "overlay" || last === first ? 1 : tallest + ((at - first) / (last - first)) * (1 - tallest);
}

/** The ridge that the pointer is on: the foremost that covers it, else the one whose line is nearest; -1 without any. */
export function ridgeAt(ridges: Ridges, x: number, y: number): number {
  let nearest = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = ridges.ridges.length - 1; i >= 0; i -= 1) {
    const { at, profile, run } = ridges.ridges[i] as Ridge;
    if (run.faded) {
      continue;
    }
    const column = Math.min(profile.length - 1, Math.max(0, Math.floor(x * profile.length)));
    const foot = footOf(ridges, at);
    const top = foot - ridges.countScale(profile[column] ?? 0) * ridges.tallest;
    if (ridges.mode === "offset" && y >= top && y <= foot && top < foot) {
      return i;
    }
    const away = Math.min(Math.abs(y - top), ridges.mode === "offset" ? Math.abs(y - foot) : Number.POSITIVE_INFINITY);
    if (away < distance) {
      distance = away;
      nearest = i;
    }
  }
  return nearest;
}
