// The layouts of several runs as one, and the tags that their charts show.

/** A line with an area around it, by the tags of three scalars. */
export interface Margin {
  readonly value: string;
  readonly lower: string;
  readonly upper: string;
}

/** Either of lines or of margins. */
export interface Chart {
  readonly title: string;
  /** Regular expressions, as Python's `re.match` takes them. */
  readonly tags: readonly string[];
  readonly series: readonly Margin[];
}

export interface Category {
  readonly title: string;
  /** It is folded up at first. */
  readonly closed: boolean;
  readonly charts: readonly Chart[];
}

export type Layout = readonly Category[];

/**
 * As TensorBoard joins them: a category that an earlier layout has, too, adds those of its charts that are not there yet.
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
