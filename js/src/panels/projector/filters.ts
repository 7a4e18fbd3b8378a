// Filters of points by their columns, and histograms of columns that filter one another: each shows the points that pass the
// filters of all other columns.

import type { Range } from "../../lib/search";
import type { Column } from "./codec";
import { type Groups, groupsOf, NO_GROUP } from "./coloring";

/** What passes: numbers from the first to the second, or categories; null is what has no color of its own. */
export type Filter = { readonly range: Range } | { readonly texts: ReadonlySet<string | null> };

/** By the names of columns. */
export type Filters = ReadonlyMap<string, Filter>;

/** Bars of a histogram of numbers. */
export const BINS = 24;

/** Bars of a column: of each the points that pass the other filters, and all points. */
export interface Bars {
  readonly groups: Groups;
  readonly counts: readonly number[];
  readonly totals: readonly number[];
}

/** The bar of each point; 255: none. */
const bins = new WeakMap<Column, Uint8Array>();

export function barsOfPoints(column: Column): Uint8Array {
  let found = bins.get(column);
  if (found === undefined) {
    const groups = groupsOf(column);
    found =
      groups.sort === "categories"
        ? groups.groups
        : Uint8Array.from((groups.column as Extract<Column, { sort: "number" }>).numbers, (value) =>
            Number.isNaN(value) ? NO_GROUP : binOf(value, groups),
          );
    bins.set(column, found);
  }
  return found;
}

type Ends = Readonly<Record<"least" | "most", number>>;

/** The number at which a bar begins. */
function beginOf({ least, most }: Ends, bar: number): number {
  return least + ((most - least) * bar) / BINS;
}

function binOf(value: number, ends: Ends): number {
  const { least, most } = ends;
  const bin = most > least ? Math.min(BINS - 1, Math.floor(((value - least) / (most - least)) * BINS)) : 0;
  // The ends of the bins decide, since the quotient may be off by a rounding error.
  return value < beginOf(ends, bin) ? bin - 1 : bin < BINS - 1 && value >= beginOf(ends, bin + 1) ? bin + 1 : bin;
}

/** The numbers from the first to the second bar, both included. */
export function rangeOfBars(ends: Ends, from: number, to: number): Range {
  return [from <= 0 ? ends.least : beginOf(ends, from), to >= BINS - 1 ? ends.most : beginOf(ends, to + 1)];
}

/** The filter of a column: none where that is of values, but at this step the column is a scale; or of numbers, and it has texts. */
export function filterOf(filters: Filters, column: Column): Filter | undefined {
  const filter = filters.get(column.name);
  const holds =
    filter !== undefined && ("range" in filter ? column.sort === "number" : groupsOf(column).sort === "categories");
  return holds ? filter : undefined;
}

/** Tells whether a point passes a filter. */
function test(column: Column, filter: Filter): (point: number) => boolean {
  const groups = groupsOf(column);
  if ("range" in filter) {
    const [least, most] = filter.range;
    const numbers = column.sort === "number" ? column.numbers : new Float64Array();
    // The number at which a bar ends belongs to the next one, but for the greatest.
    const isLast = groups.sort !== "numbers" || most >= groups.most;
    return (point) => {
      const number = numbers[point] as number;
      return number >= least && (isLast ? number <= most : number < most);
    };
  }
  const categories = groups.sort === "categories" ? groups.categories : [];
  const passing = Array.from({ length: NO_GROUP + 1 }, (_, group) => {
    const category = categories[group];
    return category !== undefined && filter.texts.has(category.text);
  });
  const bars = barsOfPoints(column);
  return (point) => passing[bars[point] as number] as boolean;
}

/** How many filters each point fails. */
function failures(columns: readonly Column[], filters: Filters, count: number): Uint8Array {
  const failed = new Uint8Array(count);
  for (const column of columns) {
    const filter = filterOf(filters, column);
    if (filter !== undefined) {
      const passes = test(column, filter);
      for (let i = 0; i < count; i += 1) {
        (failed[i] as number) += passes(i) ? 0 : 1;
      }
    }
  }
  return failed;
}

/** 1 for each point that passes all filters; null where there is none. */
export function passing(columns: readonly Column[], filters: Filters, count: number): Uint8Array | null {
  return filters.size === 0 ? null : failures(columns, filters, count).map((failed) => (failed === 0 ? 1 : 0));
}

/** The bars of the shown columns. `among`: 1 for each point that counts; null for all. */
export function crossFiltered(
  columns: readonly Column[],
  filters: Filters,
  count: number,
  among: Uint8Array | null,
  shown = columns,
): Bars[] {
  const failed = failures(columns, filters, count);
  return shown.map((column) => {
    const groups = groupsOf(column);
    const length = groups.sort === "categories" ? groups.categories.length : BINS;
    const [counts, totals] = [new Uint32Array(NO_GROUP + 1), new Uint32Array(NO_GROUP + 1)];
    const bars = barsOfPoints(column);
    const filter = filterOf(filters, column);
    const passes = filter === undefined ? null : test(column, filter);
    for (let i = 0; i < count; i += 1) {
      if (among !== null && among[i] === 0) {
        continue;
      }
      const bar = bars[i] as number;
      (totals[bar] as number) += 1;
      const others = (failed[i] as number) - (failed[i] !== 0 && passes?.(i) === false ? 1 : 0);
      if (others === 0) {
        (counts[bar] as number) += 1;
      }
    }
    return { groups, counts: [...counts.subarray(0, length)], totals: [...totals.subarray(0, length)] };
  });
}

/** The same bars with the selected points among those that pass all filters of other columns. */
export function barsOfSelection({ groups, counts }: Bars, selected: readonly number[]): Bars {
  const chosen = new Uint32Array(NO_GROUP + 1);
  const bars = barsOfPoints(groups.column);
  for (const point of selected) {
    (chosen[bars[point] as number] as number) += 1;
  }
  return { groups, counts: [...chosen.subarray(0, counts.length)], totals: counts };
}

/** How many points of each category are drawn. `layers`: 0 for points that are not. */
export function shownCounts(groups: Groups, layers: Uint8Array): Uint32Array {
  const counts = new Uint32Array(NO_GROUP + 1);
  for (let i = 0; groups.sort === "categories" && i < layers.length; i += 1) {
    (counts[groups.groups[i] as number] as number) += layers[i] === 0 ? 0 : 1;
  }
  return counts;
}
