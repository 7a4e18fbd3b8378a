// A range of numbers along an axis.

/** From, to. */
export type Range = readonly [number, number];

/** The smallest range that covers all of these; null without any. */
export function union(ranges: readonly Range[]): Range | null {
  if (ranges.length === 0) {
    return null;
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // One by one: a call takes no hundred thousands of arguments.
  for (const [from, to] of ranges) {
    [least, most] = [Math.min(least, from), Math.max(most, to)];
  }
  return [least, most];
}
