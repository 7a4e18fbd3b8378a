// Where ridges are: each on a line of its own, the oldest behind, at the top, the newest before all others.

import { type Along, positionsOf } from "../../charts/along";
import type { RunOf } from "../../charts/runs";
import { lastUpTo } from "../../lib/search";
import type { Histogram, HistogramSeries } from "../../wire/histograms";
import { chosenRows, valueRange } from "./choose";
import { type Heights, heightsFor } from "./heights";
import { profileOf, type Range } from "./profile";
import { parseColour, type Rgb } from "./shades";

export type Mode = "offset" | "overlay";

/** The histograms of one run. */
export type RunSeries = RunOf<HistogramSeries>;

export interface Look {
  readonly along: Along;
  readonly log: boolean;
  readonly ignoreOutliers: boolean;
  /** Part of the axis of steps or times in sight; null for all. */
  readonly steps: Range | null;
  /** Values in sight; null for as many as there are. */
  readonly values: Range | null;
  /** The step that all cards point out; null for none. */
  readonly linked: number | null;
}

/** Ridges of a plot at most, all its runs together: more run into one another. */
const MOST_RIDGES = 32;
const FEWEST_OF_A_RUN = 2;

/** CSS pixels from one to the next on average at least: closer together, none of them can be made out. */
const APART = 3.5;

/** Of the height, what the highest ridge takes where there are several, and alone: above it there is room for a mark. */
const TALLEST = 0.4;
const ALONE = 0.95;

export interface Ridge {
  readonly run: RunSeries;
  readonly row: Histogram;
  /** Step, or time, at which it stands. */
  readonly at: number;
  /** From 0, the oldest in sight, to 1, the newest. */
  readonly age: number;
  /** Counts per column. */
  readonly profile: Float64Array;
  /** The run's last at or before the linked step. */
  readonly linked: boolean;
}

/** All that is drawn in one frame; positions of ridges are shares of the height. */
export interface Ridges {
  readonly mode: Mode;
  /** Back to front. */
  readonly ridges: readonly Ridge[];
  readonly values: Range;
  /** From the oldest to the newest ridge. */
  readonly steps: Range;
  readonly heights: Heights;
  /** Share of the plot's height that the highest ridge takes. */
  readonly tallest: number;
  readonly colours: ReadonlyMap<string, Rgb>;
}

/** The ridges of some runs, which share the plot or have one each, and its axes in any case. */
export function ridgesOf(
  runs: readonly RunSeries[],
  look: Look,
  mode: Mode,
  columns: number,
  sharing: number = runs.length,
  height: number = Number.POSITIVE_INFINITY,
): Ridges {
  const most = Math.max(FEWEST_OF_A_RUN, Math.floor(MOST_RIDGES / Math.max(1, sharing)));
  const lengths = runs.map(({ series }) => lengthWithin(positionsOf(series, look.along), look.steps));
  const [from, to] = spanned(lengths);
  // The ridges of a run that has just begun are all in a few pixels, where others have been at it for long.
  const room = (length: Range | null) =>
    length === null || mode === "overlay" || from === to
      ? most
      : 1 + Math.floor((height * (1 - TALLEST) * ((length[1] - length[0]) / (to - from))) / APART);
  const found: { run: RunSeries; row: Histogram; at: number; linked: boolean }[] = [];
  for (const [i, run] of runs.entries()) {
    const column = positionsOf(run.series, look.along);
    const fitting = Math.max(FEWEST_OF_A_RUN, Math.min(most, room(lengths[i] ?? null)));
    const rows = new Set(chosenRows(run.series, column, look.steps, fitting));
    const pointed = look.linked === null ? -1 : lastUpTo(positionsOf(run.series, "step"), look.linked);
    if (isWithin(column[pointed], look.steps)) {
      rows.add(pointed);
    }
    for (const i of rows) {
      const row = run.series.rows[i] as Histogram;
      found.push({ run, row, at: column[i] as number, linked: i === pointed });
    }
  }
  found.sort((a, b) => a.at - b.at);
  const values =
    look.values ??
    valueRange(
      found.map(({ row }) => row),
      look.ignoreOutliers,
    );
  const first = found[0]?.at ?? 0;
  const last = found.at(-1)?.at ?? 0;
  const ridges = found.map(({ run, row, at, linked }) => ({
    run,
    row,
    at,
    linked,
    age: last > first ? (at - first) / (last - first) : 1,
    profile: profileOf(row, values, columns),
  }));
  const heights = heightsFor(
    ridges.map(({ profile }) => profile),
    look,
  );
  const tallest = mode === "overlay" || last === first ? ALONE : TALLEST;
  const colours = new Map(runs.map(({ run, colour }) => [run, parseColour(colour)]));
  return { mode, ridges, values, steps: [first, last], heights, tallest, colours };
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

/** Where a ridge's foot is, as a share of the plot's height from above. */
export function footOf({ mode, steps: [first, last], tallest }: Ridges, at: number): number {
  return mode === "overlay" || last === first ? 1 : tallest + ((at - first) / (last - first)) * (1 - tallest);
}

/** The ridge that the pointer is on: the foremost that covers it, else the one whose line is nearest; -1 without any. */
export function ridgeAt(scene: Ridges, x: number, y: number): number {
  let nearest = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = scene.ridges.length - 1; i >= 0; i -= 1) {
    const { at, profile, run } = scene.ridges[i] as Ridge;
    if (run.faded) {
      continue;
    }
    const column = Math.min(profile.length - 1, Math.max(0, Math.floor(x * profile.length)));
    const foot = footOf(scene, at);
    const top = foot - scene.heights(profile[column] ?? 0) * scene.tallest;
    if (scene.mode === "offset" && y >= top && y <= foot && top < foot) {
      return i;
    }
    const away = Math.min(Math.abs(y - top), scene.mode === "offset" ? Math.abs(y - foot) : Number.POSITIVE_INFINITY);
    if (away < distance) {
      distance = away;
      nearest = i;
    }
  }
  return nearest;
}
