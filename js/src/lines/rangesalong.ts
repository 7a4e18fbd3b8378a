// Named ranges of steps on an axis: along times, where the lines of a plot were at these steps.

import { isTimeline, type XAxis } from "../charts/axis";
import type { PlacedRange } from "../charts/namedranges";
import { placesOfSteps } from "../lib/scale";
import { bisect, bisectLeft, bisectRight, type Range } from "../lib/search";
import type { NamedRange } from "../options/namedranges";
import { rangeNumbers } from "../options/shared";

/** The steps of the rows of a line, and their places along the axis. */
export interface RowsAlong {
  readonly steps: Float64Array;
  readonly x: Float64Array;
  /** Neither steps nor places go back: few rows are looked at. */
  readonly ascending: boolean;
}

/** Along times, ranges are placed by the rows of the first lines of a plot. */
const MAX_SEARCHED_LINES = 32;

/** The ranges that have a place on an axis; along times that of the rows. */
export function rangesAlong(ranges: readonly NamedRange[], x: XAxis, lines: () => readonly RowsAlong[]): PlacedRange[] {
  if (ranges.length === 0 || !isTimeline(x)) {
    return [];
  }
  const found = x.linksSteps
    ? ranges.map(({ steps }) => present([placesOfSteps(x.scale, rangeNumbers(steps) as Range)]))
    : spansAlong(ranges, lines().slice(0, MAX_SEARCHED_LINES));
  return ranges.map((range, i) => ({ ...range, spans: found[i] ?? [] })).filter(({ spans }) => spans.length > 0);
}

function spansAlong(ranges: readonly NamedRange[], lines: readonly RowsAlong[]): readonly Range[][] {
  const byLine = lines.map((line) => spansOf(ranges, line));
  return ranges.map((_, i) => merged(present(byLine.map((spans) => spans[i] ?? null))));
}

function present(spans: readonly (Range | null)[]): Range[] {
  return spans.filter((span) => span !== null);
}

/** The spans of ranges by the column of places, which is replaced when rows are added. */
const known = new WeakMap<
  Float64Array,
  { readonly ranges: readonly NamedRange[]; readonly spans: readonly (Range | null)[] }
>();

function spansOf(ranges: readonly NamedRange[], line: RowsAlong): readonly (Range | null)[] {
  const before = known.get(line.x);
  if (before?.ranges === ranges) {
    return before.spans;
  }
  const spans = ranges.map(({ steps }) => spanOf(rangeNumbers(steps) as Range, line));
  known.set(line.x, { ranges, spans });
  return spans;
}

/** From the first to the last row within a range; between two rows, where the first of them is; null beyond the line. */
function spanOf(range: Range, rows: RowsAlong): Range | null {
  const { least, most, before, isBehind } = rows.ascending ? bisected(range, rows) : searched(range, rows);
  if (least <= most) {
    return [least, most];
  }
  return isBehind && before - before === 0 ? [before, before] : null;
}

/** Where the rows of a range are: the least and the greatest place within it, the last one before it, whether there are rows behind it. */
interface Found {
  readonly least: number;
  readonly most: number;
  readonly before: number;
  readonly isBehind: boolean;
}

function bisected([first, last]: Range, { steps, x }: RowsAlong): Found {
  // On a logarithm, the first rows may have no place.
  const begin = bisect(0, x.length, (i) => x[i] === Number.NEGATIVE_INFINITY);
  const from = Math.max(begin, bisectLeft(steps, first));
  const to = Math.max(from, bisectRight(steps, last));
  const [least, most] = from < to ? [x[from] as number, x[to - 1] as number] : [Number.NaN, Number.NaN];
  return { least, most, before: from > begin ? (x[from - 1] as number) : Number.NaN, isBehind: to < steps.length };
}

function searched([first, last]: Range, { steps, x }: RowsAlong): Found {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let stepBefore = Number.NEGATIVE_INFINITY;
  let before = Number.NaN;
  let isBehind = false;
  for (let i = 0; i < steps.length; i += 1) {
    const step = steps[i] as number;
    const at = x[i] as number;
    if (at - at !== 0) {
      // On a logarithm, it has no place.
      continue;
    }
    if (step > last) {
      isBehind = true;
    } else if (step >= first) {
      least = at < least ? at : least;
      most = at > most ? at : most;
    } else if (step >= stepBefore) {
      stepBefore = step;
      before = at;
    }
  }
  return { least, most, before, isBehind };
}

/** Ranges in ascending order; those that overlap are one. */
function merged(ranges: readonly Range[]): Range[] {
  const found: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = found.at(-1);
    if (before !== undefined && from <= before[1]) {
      before[1] = Math.max(before[1], to);
    } else {
      found.push([from, to]);
    }
  }
  return found;
}
