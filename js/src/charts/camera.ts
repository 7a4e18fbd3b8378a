// Which part of the data a chart shows, and how gestures change that. Pure: a camera is never changed, only replaced.

import type { Range } from "../lib/search";
import type { Position } from "./geometry";
import { type Plot, type PlotScale, valueAt } from "./plot";

/** The viewport: ranges of steps or times (x) and of values (y); null along an axis that shows all. */
export interface Camera {
  readonly x: Range | null;
  readonly y: Range | null;
}

export const WHOLE: Camera = { x: null, y: null };

/** Ranges narrower than this share of their ends, or wider than that, are no axis: doubles run out. */
const MIN_RELATIVE_SPAN = 1e-13;
const MAX_SPAN = 1e300;

/** Share of a range that rounding may add to it. */
const ROUNDING = 1e-9;

/** Whether there are doubles between the ends, and one for how far apart they are. */
export function isDrawable([from, to]: Range): boolean {
  const span = to - from;
  return span > MIN_RELATIVE_SPAN * Math.max(Math.abs(from), Math.abs(to)) && span < MAX_SPAN;
}

/** Share of all on either side of a single place that is zoomed to; difference between ranges that are the same. */
const SINGLE_PLACE_SHARE = 0.05;
const SAME_RANGE_SHARE = 0.02;

/** From the left to the right, or from above to below, as shares of a plot. */
export type Shares = readonly [number, number];

/** Moves the viewport with the pointer, by shares of the plot. */
export function pan(camera: Camera, plot: Plot, right: number, down: number): Camera {
  const moved = right === 0 ? camera : withRange(camera, plot.horizontal, shifted(plot.horizontal, right));
  return plot.vertical === null || down === 0 ? moved : withRange(moved, plot.vertical, shifted(plot.vertical, down));
}

/** Shows `factor` times as much along the axis; the value at `share` of the plot stays there. */
export function zoom(camera: Camera, scale: PlotScale, factor: number, share: number): Camera {
  const { range } = scale;
  const fixed = valueAt(scale, share);
  return withRange(camera, scale, [fixed + (range[0] - fixed) * factor, fixed + (range[1] - fixed) * factor]);
}

/** Shows the part in a box; an axis that the box covers whole stays as it is. */
export function zoomToBox(camera: Camera, plot: Plot, across: Shares | null, down: Shares | null): Camera {
  const boxed = (before: Camera, scale: PlotScale | null, shares: Shares | null) => {
    if (scale === null || shares === null) {
      return before;
    }
    const [a, b] = [valueAt(scale, shares[0]), valueAt(scale, shares[1])];
    return withRange(before, scale, [Math.min(a, b), Math.max(a, b)]);
  };
  return boxed(boxed(camera, plot.horizontal, across), plot.vertical, down);
}

/** Shows a range along x, or all of x where that range is shown already. A single place has some room around it. */
export function zoomToRange(camera: Camera, { bounds, isOfSteps }: PlotScale, [from, to]: Range): Camera {
  const [least, most] = bounds();
  const around = from < to ? 0 : Math.max(isOfSteps === true ? 1 : 0, (most - least) * SINGLE_PLACE_SHARE);
  const [first, last] = [from - around, to + around];
  const slack = (last - first) * SAME_RANGE_SHARE;
  const { x } = camera;
  const isShown = x !== null && Math.abs(x[0] - first) <= slack && Math.abs(x[1] - last) <= slack;
  return isDrawable([first, last]) ? { ...camera, x: isShown ? null : [first, last] } : camera;
}

/** Two fingers, as shares of a plot. */
export type Fingers = readonly [Position, Position];

/** Keeps the touched values below two fingers; an axis along which they are close is only shifted. */
export function pinch(camera: Camera, plot: Plot, began: Fingers, now: Fingers, least: Position): Camera {
  const pinched = (before: Camera, scale: PlotScale | null, side: "x" | "y") => {
    if (scale === null) {
      return before;
    }
    const [a, b] = [began[0][side], began[1][side]];
    const [c, d] = [now[0][side], now[1][side]];
    if (Math.min(Math.abs(a - b), Math.abs(c - d)) < least[side] || a < b !== c < d) {
      return withRange(before, scale, shifted(scale, (c + d - a - b) / 2));
    }
    const [first, second] = [valueAt(scale, a), valueAt(scale, b)];
    const at = (share: number) => first + ((share - c) / (d - c)) * (second - first);
    return withRange(before, scale, [at(scale.ends[0]), at(scale.ends[1])]);
  };
  return pinched(pinched(camera, plot.horizontal, "x"), plot.vertical, "y");
}

function shifted({ range, ends }: PlotScale, share: number): Range {
  const distance = (share / (ends[1] - ends[0])) * (range[1] - range[0]);
  return [range[0] - distance, range[1] - distance];
}

/** The camera with another range along the axis of a scale: within the data, as far as it was there before. */
function withRange(camera: Camera, scale: PlotScale, wanted: Range): Camera {
  const bounds = scale.bounds();
  const range = within(wanted, scale.range, bounds);
  const unchanged = range[0] === scale.range[0] && range[1] === scale.range[1];
  if (!isDrawable(range) || (unchanged && camera[scale.axis] === null)) {
    return camera;
  }
  return { ...camera, [scale.axis]: scale.axis === "x" && covers(range, bounds) ? null : range };
}

/** A range like the wanted one that does not lead farther out of the bounds than the one before. */
function within(wanted: Range, before: Range, bounds: Range): Range {
  const [least, most] = [Math.min(bounds[0], before[0]), Math.max(bounds[1], before[1])];
  const span = wanted[1] - wanted[0];
  if (!isDrawable(wanted)) {
    return before;
  }
  if (!(span < (most - least) * (1 - ROUNDING))) {
    return [least, most];
  }
  if (wanted[0] < least) {
    return [least, least + span];
  }
  return wanted[1] > most ? [most - span, most] : wanted;
}

function covers(range: Range, bounds: Range): boolean {
  const slack = (bounds[1] - bounds[0]) * ROUNDING;
  return range[0] <= bounds[0] + slack && range[1] >= bounds[1] - slack;
}
