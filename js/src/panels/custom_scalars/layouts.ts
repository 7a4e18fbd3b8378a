// The layouts of custom scalars, joined over several runs, and the tags that their charts show. Twin of
// tbwidget/panels/custom_scalars.py.

import type { DocumentCodec } from "../../wire/codec";
import { list, row } from "../../wire/columns";

/** A line with an area around it, by the tags of three scalars. */
interface MarginTags {
  readonly value: string;
  readonly lower: string;
  readonly upper: string;
}

/** Either of lines or of margins. */
export interface Chart {
  readonly title: string;
  /** Regular expressions, as Python's `re.match` takes them. */
  readonly tags: readonly string[];
  readonly series: readonly MarginTags[];
}

export interface Category {
  readonly title: string;
  /** It is folded up at first. */
  readonly closed: boolean;
  readonly charts: readonly Chart[];
}

export type Layout = readonly Category[];

/**
 * Joins layouts as TensorBoard does: a category that an earlier layout has, too, adds its missing charts to that one.
 * A layout may itself name a category twice.
 */
export function joinedLayouts(layouts: readonly Layout[]): Layout {
  const found = new Map<string, Category>();
  for (const category of layouts.flat()) {
    const before = found.get(category.title);
    const known = new Set(before?.charts.map((chart) => JSON.stringify(chart)));
    const charts = category.charts.filter((chart) => {
      const key = JSON.stringify(chart);
      return !known.has(key) && known.add(key);
    });
    found.set(category.title, {
      ...category,
      closed: before?.closed ?? category.closed,
      charts: [...(before?.charts ?? []), ...charts],
    });
  }
  return [...found.values()];
}

/** The tags of a chart of lines: in the order of the expressions, then in theirs; each once. */
export function tagsMatching(
  matches: readonly ((tag: string) => boolean)[],
  tags: readonly string[],
): readonly string[] {
  return [...new Set(matches.flatMap((match) => tags.filter(match)))];
}

/** One a run; the document has no tag. */
export const customScalarsCodec: DocumentCodec<Layout> = {
  kind: "custom_scalars",
  sort: "document",
  decode: (bytes) => list(row(JSON.parse(new TextDecoder().decode(bytes))).categories).map(categoryOf),
};

function categoryOf(value: unknown): Category {
  const { title, closed, charts } = row(value);
  return { title: String(title), closed: closed === true, charts: list(charts).map(chartOf) };
}

function chartOf(value: unknown): Chart {
  const { title, tags, series } = row(value);
  return {
    title: String(title),
    tags: list(tags).map(String),
    series: list(series).map((one) => {
      const [middle, lower, upper] = list(one).map(String);
      return { value: middle ?? "", lower: lower ?? "", upper: upper ?? "" };
    }),
  };
}
