// Which rows of a line are points, and which are buckets.

import type { Series } from "./series";

type Span = [from: number, to: number];

export interface Parts {
  readonly points: Span;
  /** Before the points and behind them. */
  readonly buckets: readonly Span[];
}

/** The rows [from, to), points and buckets apart. */
export function partsOf({ width, stretch }: Pick<Series, "width" | "stretch">, from: number, to: number): Parts {
  if (width === 1) {
    return { points: [from, to], buckets: [] };
  }
  if (stretch === undefined || stretch.width > 1) {
    return { points: [to, to], buckets: [[from, to]] };
  }
  const within = (row: number) => Math.min(to, Math.max(from, row));
  const points: Span = [within(stretch.from), within(stretch.to)];
  return {
    points,
    buckets: [
      [from, points[0]],
      [points[1], to],
    ],
  };
}
