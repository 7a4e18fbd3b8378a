// Ticks of the vertical axis beside histograms.

import { type AxisKind, type Tick, ticksAlong, widthOfLabels } from "../../charts/axis";
import type { Range } from "../../lib/range";

/** CSS pixels from tick to tick, between lines of text, and between a line of text and the label of a linked step. */
const APART = 22;
const LINE = 12;
const LABEL = 15;

/** Ticks beside a plot; none where the label of a step is. `down` is the place of a value, in CSS pixels. */
export function upright(
  kind: AxisKind,
  range: Range,
  height: number,
  down: (value: number) => number,
  labeled: readonly number[] = [],
): readonly Tick[] {
  const length = range[0] < range[1] ? Math.abs(down(range[1]) - down(range[0])) : height;
  const { ticks, newest } = ticksAndNewest(kind, range, length);
  const beside = (tick: Tick, other: number, pixels: number) => Math.abs(down(tick.value) - down(other)) < pixels;
  const all = [...ticks.filter((tick) => newest.length === 0 || !beside(tick, range[1], LINE)), ...newest];
  return all.filter((tick) => !labeled.some((other) => beside(tick, other, LABEL)));
}

/** CSS pixels that the labels need. */
export function widthBeside(kind: AxisKind, range: Range, height: number): number {
  const { ticks, newest } = ticksAndNewest(kind, range, height);
  return widthOfLabels([...ticks, ...newest]) + 1;
}

/** The newest step has a label, too; a lone step has no others around it. */
function ticksAndNewest(kind: AxisKind, range: Range, length: number): { ticks: Tick[]; newest: Tick[] } {
  if (!(range[0] < range[1])) {
    return { ticks: lone(kind, range[0]), newest: [] };
  }
  return { ticks: ticksAlong(kind, range, length, APART), newest: kind === "whole" ? lone(kind, range[1]) : [] };
}

function lone(kind: AxisKind, value: number): Tick[] {
  return ticksAlong(kind, [value - 1, value + 1], 2, 1).filter((tick) => tick.value === value);
}
