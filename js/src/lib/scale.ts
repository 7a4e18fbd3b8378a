// How values are spread along an axis: evenly, by their logarithms, or by logarithms on both sides of 0.

import type { Range } from "./search";

export const SCALE_NAMES = ["linear", "log", "symlog"] as const;

export type ScaleName = (typeof SCALE_NAMES)[number];

/** From values to places along an axis, and back. Places are what cameras, ranges and columns of curves are in. */
export interface AxisScale {
  readonly name: ScaleName;
  /** Equal for equal scales. */
  readonly key: string;
  /** NaN where a value has no place. */
  place(value: number): number;
  value(place: number): number;
}

export const LINEAR: AxisScale = { name: "linear", key: "linear", place: (value) => value, value: (place) => place };

/** log10(v); only positive values have a place. */
export const LOG: AxisScale = {
  name: "log",
  key: "log",
  place: (value) => (value > 0 ? Math.log10(value) : Number.NaN),
  value: (place) => 10 ** place,
};

const symlogs = new Map<number, AxisScale>();

/** sign(v) · log10(1 + |v| / c): nearly even within ±c, logarithmic beyond. */
export function symlog(c = 1): AxisScale {
  let scale = symlogs.get(c);
  if (scale === undefined) {
    scale = {
      name: "symlog",
      key: `symlog ${c}`,
      place: (value) => Math.sign(value) * log1p10(Math.abs(value), c),
      value: (place) => Math.sign(place) * c * Math.expm1(Math.abs(place) * Math.LN10),
    };
    if (symlogs.size > 50) {
      symlogs.clear();
    }
    symlogs.set(c, scale);
  }
  return scale;
}

/** log10(1 + size / c), where the quotient may be too large for a double. */
function log1p10(size: number, c: number): number {
  const share = size / c;
  return share < 1e300 ? Math.log1p(share) / Math.LN10 : Math.log10(size) - Math.log10(c);
}

export function scaleOf(name: ScaleName, c = 1): AxisScale {
  return name === "log" ? LOG : name === "symlog" ? symlog(c) : LINEAR;
}

/** The values at the ends of a range of places. */
export function valuesBetween({ value }: AxisScale, [from, to]: Range): Range {
  return [value(from), value(to)];
}

/** A range of whole steps as places; null where nothing of it has one. Below the first step, a logarithm begins at ½. */
export function placesOfSteps(scale: AxisScale, [first, last]: Range): Range | null {
  if (scale.name !== "log") {
    return [scale.place(first), scale.place(last)];
  }
  return last > 0.5 ? [scale.place(Math.max(0.5, first)), scale.place(last)] : null;
}
