// The options of the scalars alone.

import { SCALE_NAMES } from "../lib/scale";
import { SMOOTHING_KINDS } from "../lib/smoothing";
import {
  defineOptions,
  flag,
  nameSet,
  notStored,
  numberFrom,
  type OptionSpec,
  oneOf,
  oneOfOrNull,
  textOrNull,
  wholeFrom,
} from "../options/declare";
import { stepRange } from "../options/shared";
import type { ValueLimits } from "./valuerange";

/** The most that the past may weigh in smoothed lines. */
export const MAX_SMOOTHING = 0.999;

/** The most points that a window may have. */
export const MAX_WINDOW_POINTS = 1000;

export const RAW_VALUES = ["line", "band", "hidden"] as const;

/** The line that is drawn behind a smoothed one. */
export type RawValues = (typeof RAW_VALUES)[number];

/** Limits by tag; a map, since tags have any names. */
const limits: OptionSpec<ReadonlyMap<string, ValueLimits>> = {
  initial: new Map(),
  remembered: true,
  parse: (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return undefined;
    }
    const parsed = Object.entries(value).map(([tag, ends]) => [tag, parseLimits(ends)] as const);
    return new Map(parsed.filter((entry): entry is [string, ValueLimits] => entry[1] !== null));
  },
  serialize: (ranges) => Object.fromEntries(ranges),
};

/** Null for what are no limits. */
function parseLimits(value: unknown): ValueLimits | null {
  const ends: readonly unknown[] = Array.isArray(value) ? value : [];
  const isEnd = (end: unknown): end is number | null =>
    end === null || (typeof end === "number" && Number.isFinite(end));
  const [low, high] = ends;
  if (ends.length !== 2 || !isEnd(low) || !isEnd(high) || (low !== null && high !== null && low >= high)) {
    return null;
  }
  return low === null && high === null ? null : [low, high];
}

export const scalarsOptions = defineOptions({
  smoothing: numberFrom(0, MAX_SMOOTHING, 0.6),
  smoothing_kind: oneOf(SMOOTHING_KINDS, "ema"),
  smoothing_window: wholeFrom(1, MAX_WINDOW_POINTS, 20),
  raw_values: oneOf<RawValues>(RAW_VALUES, "line"),
  x_scale: oneOf(SCALE_NAMES, "linear"),
  symlog_y: nameSet(),
  symlog_constant: numberFrom(1e-300, 1e300, 1),
  y_ranges: limits,
  outliers_y: nameSet(),
  share_y: flag(false),
  split_restarts: flag(true),
  superseded: flag(false),
});

export type Aggregate = "mean" | "median";
/** One population standard deviation about the mean; least to greatest; first to third quartile. */
export type Band = "std" | "minmax" | "quantile";
export type CompareAs = "difference" | "ratio";

export const AGGREGATES: readonly Aggregate[] = ["mean", "median"];
export const BANDS: readonly Band[] = ["std", "minmax", "quantile"];
export const COMPARISONS: readonly CompareAs[] = ["difference", "ratio"];
export const MAX_TOOLTIP_ROWS = 100;

/** The order of the rows of tooltips. */
export const TOOLTIP_SORTS = ["nearest", "descending", "ascending", "name"] as const;
export type TooltipSort = (typeof TOOLTIP_SORTS)[number];

/** How runs are compared, and which notes they have. */
export const compareOptions = defineOptions({
  aggregate: oneOfOrNull(AGGREGATES, null),
  band: oneOfOrNull(BANDS, "std"),
  aggregate_members: flag(false),
  baseline: textOrNull(),
  compare_as: oneOf(COMPARISONS, "difference"),
  /** The tag along x where `x_axis` is "tag". */
  x_tag: textOrNull(),
  /** First and last step whose values are listed; null for none. */
  selected_steps: notStored(stepRange),
  tooltip_sort: oneOf(TOOLTIP_SORTS, "nearest"),
  tooltip_rows: wholeFrom(1, MAX_TOOLTIP_ROWS, 10),
  line_labels: flag(true),
  checkpoints: flag(true),
  empty_cards: flag(false),
  join_splits: flag(true),
});
