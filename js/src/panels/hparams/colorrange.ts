// The numbers of the goal that the colors are spread over. One outlier must not take the whole scale.

import { quantile } from "../../lib/quantiles";
import type { Range } from "../../lib/search";
import type { Scale } from "./options";

/** The quantiles that a scale ends at where an end lies far outside of them: by so many times what is between them. */
const QUANTILES = [0.05, 0.95] as const;
const MAX_OUTSIDE = 1.5;

export interface ColorRange {
  readonly ends: Range;
  /** Numbers beyond the lower and the upper end have its color. */
  readonly isClipped: readonly [low: boolean, high: boolean];
}

/** The range of sorted numbers, without outliers: what is far outside of the sorted numbers of `finished` sessions. */
export function colorRange(sorted: Float64Array, finished: Float64Array, scale: Scale): ColorRange | null {
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) {
    return null;
  }
  const isLog = scale === "log" && least > 0;
  const placeOf = (value: number) => (isLog ? Math.log(value) : value);
  const [low, high] = QUANTILES.map((share) => quantile(finished, share)) as [number, number];
  const far = MAX_OUTSIDE * (placeOf(high) - placeOf(low));
  // Ranks have no outliers.
  const mayClip = far > 0 && scale !== "quantile";
  const isLow = mayClip && placeOf(low) - placeOf(least) > far;
  const isHigh = mayClip && placeOf(most) - placeOf(high) > far;
  return { ends: [isLow ? low : least, isHigh ? high : most], isClipped: [isLow, isHigh] };
}
