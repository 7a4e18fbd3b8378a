// The range of the axis of values: fitted to the visible lines, values that several cards share, limits that were fixed.

import type { Cut, Cuts } from "../charts/cuts";
import type { LineData } from "../charts/extent";
import { aroundMiddle, rangeWithoutOutliers } from "../lib/quantiles";
import type { AxisScale, ScaleName } from "../lib/scale";
import { bisectLeft, bisectRight, type Range, union } from "../lib/search";

/** The least and the greatest value of an axis; null fits the end to the data. */
export type ValueLimits = readonly [low: number | null, high: number | null];

/** Share of the span that is left free above and below the lines. */
const MARGIN = 0.05;

/** Room below the least and above the greatest value on a logarithmic axis: from half of the one to double the other. */
const LOG_MARGIN = Math.log10(2);

/** Larger values and smaller spans are not drawn to scale: arithmetic with them exceeds a double. */
const MAX_VALUE = 5e307;
const MIN_SPAN = 1e-280;

/** How the axis of values is to be. */
interface ValueFit {
  readonly lines: readonly LineData[];
  readonly yScale: AxisScale;
  readonly ignoreOutliers: boolean;
  readonly limits?: ValueLimits | undefined;
  readonly shared?: Range | null;
}

/** The range of places that an axis shows of what is drawn between two ends along x. */
export function fittedRange({ lines, yScale, ignoreOutliers, limits, shared }: ValueFit, x: Range): Range {
  const common = shared?.map((value) => yScale.place(value));
  const fitted =
    common === undefined
      ? yRange(lines, x, { scale: yScale.name, ignoreOutliers })
      : withMargin(common as [number, number], yScale.name);
  return limits === undefined ? fitted : limited(fitted, limits, yScale);
}

/** A range of places with the ends that were fixed; one without a place on the axis stays fitted. */
function limited([low, high]: Range, limits: ValueLimits, scale: AxisScale): Range {
  const [least, most] = limits.map((limit) => {
    const place = limit === null ? Number.NaN : scale.place(limit);
    return Number.isFinite(place) ? place : null;
  }) as [number | null, number | null];
  // A fitted end on the wrong side of a fixed one makes way.
  const room = Math.max(high - low, Math.abs(least ?? most ?? 0) * 1e-3);
  const from = least ?? (most !== null && low >= most ? most - room : low);
  const to = most ?? (high <= from ? from + room : high);
  return from < to ? [from, to] : [low, high];
}

/** Shorter lines are never cut. */
export const MIN_CUT_POINTS = 50;

/** The range that no axis may cut: all values of short lines, and the newest value of each line. */
function alwaysShown(lines: readonly LineData[], x: Range): Range | null {
  const short = lines.filter((line) => line.low === null && line.x.length < MIN_CUT_POINTS);
  let [min, max] = extentOf(valuesWithin(short, x, ({ y, raw }) => [y, raw])) ?? [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const value of lines.flatMap((line) => newestOf(line, x))) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? [min, max] : null;
}

/**
 * The newest finite value of a line, as it was written and as it is drawn; empty where it lies outside the range along x. A
 * bucket that ends with NaN or an infinity gives its least and greatest value: the newest finite one is between them. The
 * band of an aggregate is no value of it.
 */
export function newestOf({ x: along, y, raw, low, high, newest }: LineData, x: Range): number[] {
  const last = y.findLastIndex(Number.isFinite);
  const at = along[last];
  if (at === undefined || at < x[0] || at > x[1]) {
    return [];
  }
  const isBucket = newest !== undefined;
  const isWritten = isBucket && last === y.length - 1 && Number.isFinite(newest);
  const ends = isWritten ? [newest] : isBucket ? [low?.[last], high?.[last]] : [];
  return [...ends, raw[last], y[last]].filter(
    (value): value is number => value !== undefined && Number.isFinite(value),
  );
}

/** The values beyond the y axis, among those drawn within the range `x`; where only lines made of them leave it, those of the lines. */
export function cutsOf(lines: readonly LineData[], x: Range, y: Range, scale: AxisScale): Cuts {
  const written = cutsIn(lines, x, y, ({ raw, low, high }) => [low ?? raw, high ?? raw]);
  const drawn = cutsIn(
    lines.filter((line) => line.y !== (line.high ?? line.raw)),
    x,
    y,
    (line) => [line.y, line.y],
  );
  const valued = (cut: Cut) => (cut.count === 0 ? null : { ...cut, value: scale.value(cut.value) });
  return { above: valued(written.above) ?? valued(drawn.above), below: valued(written.below) ?? valued(drawn.below) };
}

function cutsIn(
  lines: readonly LineData[],
  x: Range,
  [low, high]: Range,
  columnsOf: (line: LineData) => readonly [bottoms: Float64Array, tops: Float64Array],
): { readonly above: Cut; readonly below: Cut } {
  const found = { above: NO_CUT, below: NO_CUT };
  for (const line of lines) {
    const [from, to] = rowsBetween(line, x);
    const [bottoms, tops] = columnsOf(line);
    for (let i = from; i < to; i += 1) {
      const [at, top, bottom] = [line.x[i] as number, tops[i] as number, bottoms[i] as number];
      if (at < x[0] || at > x[1] || !(top > high || bottom < low)) {
        continue;
      }
      const isBucket = top !== bottom;
      if (top > high && Number.isFinite(top)) {
        found.above = more(found.above, isBucket, top > found.above.value, at, top);
      }
      // A bucket that reaches down to 0 has no lower end on a logarithmic axis.
      if (bottom < low && Number.isFinite(bottom)) {
        found.below = more(found.below, isBucket, bottom < found.below.value, at, bottom);
      }
    }
  }
  return found;
}

const NO_CUT: Cut = { count: 0, isAtLeast: false, x: 0, value: Number.NaN };

/** One more row; the farthest of them is where the mark stands. */
function more({ count, isAtLeast, ...farthest }: Cut, isBucket: boolean, isFarther: boolean, x: number, value: number) {
  const place = count === 0 || isFarther ? { x, value } : farthest;
  return { count: count + 1, isAtLeast: isAtLeast || isBucket, ...place };
}

export interface Fit {
  readonly scale: ScaleName;
  readonly ignoreOutliers: boolean;
  /** False: without room above and below. */
  readonly margin?: boolean;
}

/** The vertical range of the lines between two ends along x, with a margin; only finite values count. */
export function yRange(lines: readonly LineData[], x: Range, { scale, ignoreOutliers, margin = true }: Fit): Range {
  const middle = ignoreOutliers ? extentOf(valuesWithin(lines, x, ({ middle }) => middle ?? [])) : null;
  const values = valuesWithin(lines, x, ({ y, raw, low, high }) => [y, low ?? raw, high ?? raw]);
  const all = ignoreOutliers && middle === null ? rangeWithoutOutliers(values) : extentOf(values);
  const kept = ignoreOutliers && middle === null ? alwaysShown(lines, x) : null;
  const extent =
    middle === null || all === null ? union([all, kept].filter((one) => one !== null)) : aroundMiddle(middle, all);
  if (extent === null) {
    return [0, 1];
  }
  return margin ? withMargin(extent, scale) : extent;
}

/** Whether there are rows between two ends along x, or a line passes between two of them. */
export function hasRows(lines: readonly LineData[], x: Range): boolean {
  return lines.some((line) => {
    const [from, to] = rowsBetween(line, x);
    return line.ascending ? from < to : line.x.some((at) => at >= x[0] && at <= x[1]);
  });
}

/** Whether anything between two ends along x has a place on the axis of values. */
export function hasPlaces(lines: readonly LineData[], [first, last]: Range): boolean {
  return lines.some((line) => {
    const [from, to] = rowsBetween(line, [first, last]);
    const columns = new Set([line.y, line.raw, line.high ?? line.raw]);
    for (const column of columns) {
      for (let i = from; i < to; i += 1) {
        const [at, value] = [line.x[i] as number, column[i] as number];
        if (value - value === 0 && (line.ascending || (at >= first && at <= last))) {
          return true;
        }
      }
    }
    return false;
  });
}

/** The range of an axis for values between two ends. */
export function withMargin(extent: Range, scale: ScaleName): Range {
  // Kept where spans and scales stay finite; what lies beyond leaves the chart.
  const [min, max] = extent.map((end) => Math.max(-MAX_VALUE, Math.min(MAX_VALUE, end))) as [number, number];
  if (scale === "log") {
    return [min - LOG_MARGIN, max + LOG_MARGIN];
  }
  const span = max - min;
  // A span lost in the rounding of its ends gives no axis either.
  if (span > Math.max(Math.abs(min), Math.abs(max), MIN_SPAN) * 1e-12) {
    return [min - span * MARGIN, max + span * MARGIN];
  }
  if (Math.abs(min) < MIN_SPAN) {
    return [-1, 1];
  }
  if (scale === "symlog") {
    return [min - LOG_MARGIN, max + LOG_MARGIN];
  }
  return min < 0 ? [2 * min, 0] : [0, 2 * max];
}

/** Values that the shared scratch array holds; for more, one is made and let go. */
const SCRATCH = 1 << 17;
let scratch: Float64Array | null = null;

function scratchFor(length: number): Float64Array {
  if (length > SCRATCH) {
    return new Float64Array(length);
  }
  scratch ??= new Float64Array(SCRATCH);
  return scratch;
}

/** Rows [from, to) of a line that count between two ends along x. */
function rowsBetween({ x, ascending }: LineData, [first, last]: Range): [number, number] {
  if (!ascending) {
    return [0, x.length];
  }
  const [from, to] = [bisectLeft(x, first), bisectRight(x, last)];
  // Without a row between the ends, the line may still pass between two rows.
  return from === to && from > 0 && to < x.length ? [from - 1, to + 1] : [from, to];
}

/** Finite values of some columns of the lines. Valid until the next call. */
function valuesWithin(
  lines: readonly LineData[],
  range: Range,
  columnsOf: (line: LineData) => readonly Float64Array[],
): Float64Array {
  const parts = lines.map((line) => ({
    line,
    rows: rowsBetween(line, range),
    columns: [...new Set(columnsOf(line))],
  }));
  const values = scratchFor(parts.reduce((sum, { rows, columns }) => sum + columns.length * (rows[1] - rows[0]), 0));
  const [first, last] = range;
  let n = 0;
  for (const { line, rows, columns } of parts) {
    const { x, ascending } = line;
    for (const column of columns) {
      for (let i = rows[0]; i < rows[1]; i += 1) {
        const value = column[i] as number;
        if (value - value === 0 && (ascending || ((x[i] as number) >= first && (x[i] as number) <= last))) {
          values[n] = value;
          n += 1;
        }
      }
    }
  }
  return values.subarray(0, n);
}

function extentOf(values: Float64Array): Range | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  return min <= max ? [min, max] : null;
}
