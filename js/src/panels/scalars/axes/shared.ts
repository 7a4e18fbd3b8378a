// One axis of values for the cards of a group.

import { groupNameOf } from "../../../lib/groups";
import { rangeWithoutOutliers } from "../../../lib/quantiles";
import { type Range, union } from "../../../lib/range";
import { timeAxisOptions } from "../../../options/shared";
import type { View } from "../../../ui/view";
import { scalars as scalarsCodec, type TagScalars } from "../kind/codec";
import type { Series } from "../kind/series";
import { scalarsOptions } from "../options";
import { valueScaleOf } from "./chosen";

/** The least and greatest value of all that is shown of a tag's group, at all steps; null where cards have axes of their own. */
export function sharedValues(tag: string, view: View): Range | null {
  const positive = valueScaleOf(view, tag).name === "log";
  const ignoreOutliers = view.options.of(timeAxisOptions).ignore_outliers.value;
  const ranges = membersOf(tag, view).flatMap(({ byRun }) =>
    [...byRun].flatMap(([run, { series }]) => {
      const range = view.options.shows(run) ? extentOf(series, positive, ignoreOutliers) : null;
      return range === null ? [] : [range];
    }),
  );
  return union(ranges);
}

/** Reads what that depends on. */
export function watchShared(tag: string, view: View): void {
  for (const { version } of membersOf(tag, view)) {
    void version.value;
  }
}

function membersOf(tag: string, { options, channel }: View): TagScalars[] {
  const group = groupNameOf(tag);
  if (!options.of(scalarsOptions).share_y.value || group === "") {
    return [];
  }
  const series = channel.store.series(scalarsCodec);
  const matches = options.tagFilter.matches.value;
  return series.tags.value
    .filter((other) => other === tag || (groupNameOf(other) === group && matches(other)))
    .flatMap((other) => series.tag(other) ?? []);
}

const extents = new WeakMap<Series, Map<string, Range | null>>();

/** Of the finite values of a series, of the positive ones alone where only these have a place. */
function extentOf(series: Series, positive: boolean, ignoreOutliers: boolean): Range | null {
  const known = extents.get(series) ?? new Map<string, Range | null>();
  extents.set(series, known);
  const key = `${positive} ${ignoreOutliers}`;
  let range = known.get(key);
  if (range === undefined) {
    const held = (value: number) => value - value === 0 && (value > 0 || !positive);
    const columns = [...new Set([series.min, series.max])].map((column) => column.filter(held));
    range = ignoreOutliers ? union(columns.flatMap((column) => inliers(column))) : union(columns.flatMap(ends));
    known.set(key, range);
  }
  return range;
}

function inliers(values: Float64Array): Range[] {
  const range = rangeWithoutOutliers(values);
  return range === null ? [] : [range];
}

function ends(values: Float64Array): Range[] {
  if (values.length === 0) {
    return [];
  }
  let [min, max] = [values[0] as number, values[0] as number];
  for (const value of values) {
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  return [[min, max]];
}
