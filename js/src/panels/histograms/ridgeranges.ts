// Marks of named ranges of steps at ridges: beside their base lines, or in a row above the plots where all have the same one.

import type { Facet } from "../../charts/facets";
import {
  isMet,
  LINE_PX,
  MAX_NAME_WIDTH_PX,
  MIN_STRIP_LENGTH_PX,
  NAME_GAP_PX,
  type PlacedRange,
  type RangeMark,
  STRIP_PX,
  wordsOf,
} from "../../charts/namedranges";
import { fittedName, measureLabel } from "../../charts/text";
import type { Measure } from "../../lib/names";
import type { Range } from "../../lib/search";
import { footOf, type Ridges } from "./ridges";

/** The spans of ranges that are partly within another range. */
export function rangesWithin(ranges: readonly PlacedRange[], [first, last]: Range): PlacedRange[] {
  return ranges
    .map((range) => ({ ...range, spans: range.spans.filter(([from, to]) => from <= last && to >= first) }))
    .filter(({ spans }) => spans.length > 0);
}

/**
 * A strip along the axis, and the name below the first base line of the range, at that end of it that has less data. A name that
 * would cover another one is left out.
 */
export function marksBeside(
  ranges: readonly PlacedRange[],
  ridges: Ridges,
  { left, top, width, height }: Facet,
  measure: Measure = measureLabel,
): RangeMark[] {
  const [first, last] = ridges.steps;
  const right = left + width;
  const down = (at: number) => top + footOf(ridges, Math.max(first, Math.min(last, at))) * height;
  const names: RangeMark[] = [];
  const strips = ranges.flatMap((range) => {
    const own = range.spans.map((span): RangeMark => {
      const [from, to] = span.map(down) as [number, number];
      const long = Math.max(MIN_STRIP_LENGTH_PX, to - from);
      const place = { left: right, top: (from + to - long) / 2, width: STRIP_PX, height: long };
      return { ...place, text: null, ...wordsOf(range), span, isUpright: true, highlight: range };
    });
    const [strip] = own as [RangeMark];
    const text = fittedName(range.name, Math.min(MAX_NAME_WIDTH_PX, width / 2), measure);
    const wide = Math.ceil(measure(text));
    const begin = Math.min(down(strip.span[0]) + 1, top + height - LINE_PX);
    const [free] = [right - wide - STRIP_PX, left + STRIP_PX]
      .map((place) => ({ ...strip, left: place, top: begin, width: wide, height: LINE_PX, text, isUpright: false }))
      .filter((place) => !names.some((other) => isMet(place, other)))
      .sort((one, other) => ridgesBelow(one) - ridgesBelow(other));
    names.push(...(free === undefined ? [] : [free]));
    return own;
  });
  /** How many ridges a name would cover. */
  function ridgesBelow(name: RangeMark): number {
    return ridges.ridges.filter(({ at, profile }) => {
      const [from, to] = [name.left, name.left + name.width].map((x) => ((x - left) / width) * profile.length);
      const tallest = ridges.countScale(Math.max(0, ...profile.slice(from, to))) * ridges.tallest * height;
      return tallest > 0 && down(at) > name.top && down(at) - tallest < name.top + LINE_PX;
    }).length;
  }
  return [...strips, ...names];
}

/** Names in a row from left to right, with their steps if there is room for all; those without room are left out. */
export function marksAbove(
  ranges: readonly PlacedRange[],
  [left, right]: Range,
  measure: Measure = measureLabel,
): RangeMark[] {
  const labels = ranges.map((range) => wordsOf(range).label);
  const gaps = (ranges.length - 1) * NAME_GAP_PX;
  const isFitting = labels.reduce((sum, label) => sum + measure(label), gaps) < right - left - ranges.length;
  let end = left;
  return ranges.flatMap((range, i) => {
    const text = isFitting ? (labels[i] as string) : fittedName(range.name, MAX_NAME_WIDTH_PX, measure);
    const width = Math.ceil(measure(text));
    const mark = { left: end, width, ...wordsOf(range), span: range.spans[0] as Range, highlight: range };
    if (end + width > right) {
      return [];
    }
    end += width + NAME_GAP_PX;
    return [
      { ...mark, top: 0, height: STRIP_PX, text: null },
      { ...mark, top: 2, height: LINE_PX, text },
    ];
  });
}
