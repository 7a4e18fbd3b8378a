// The range of steps that the strip of all steps shows, and what drags and keys make of it.

import type { Range } from "../../../lib/range";
import { type StepRange, stepAt } from "../../../options/shared";

/** Where a step is, as a share of all. */
export function shareIn([first, last]: Range, step: number): number {
  return (step - first) / (last - first);
}

/** A range moved by a share of all steps, as far as they go. */
export function moved(range: Range, [first, last]: Range, by: number): Range {
  const wanted = by * (last - first);
  const shift = Math.max(first - range[0], Math.min(last - range[1], wanted));
  return [range[0] + shift, range[1] + shift];
}

/** A range whose one end went by a share of all steps, at least by one step, as far as the other end. */
export function resized(range: Range, [first, last]: Range, which: "first" | "last", by: number): Range {
  const wanted = by * (last - first);
  const step = wanted === 0 ? 0 : Math.sign(wanted) * Math.max(1, Math.abs(wanted));
  return which === "first"
    ? [Math.max(first, Math.min(range[1] - 1, range[0] + step)), range[1]]
    : [range[0], Math.min(last, Math.max(range[0] + 1, range[1] + step))];
}

/** The steps of a range within all; null where it covers them all. */
export function between(range: Range, [first, last]: Range): StepRange | null {
  const within = (step: number) => Math.max(first, Math.min(last, Math.round(step)));
  const [from, to] = [within(range[0]), within(range[1])];
  return from <= first && to >= last ? null : [stepAt(Math.min(from, to)), stepAt(Math.max(from, to))];
}
