// Runs that leave the others far behind, such as one that diverged: the axis of values is fitted to the others, and arrows at
// its edge mark where these runs end.

import type { Cuts } from "../charts/cuts";
import type { LineData } from "../charts/extent";
import type { Rect, Surface } from "../charts/geometry";
import type { Range } from "../lib/range";
import { newestOf, yRange } from "./valuerange";

/** How many times what the others take of the axis a run may widen it to: then a tenth of the chart is left to these. */
const MAX_WIDENING = 10;

/** The share of the lines that may lie beyond the axis. Where more do, or where there are fewer than four, none does. */
const MAX_SHARE = 1 / 4;

/**
 * The lines that an axis of values is fitted to: all but those whose newest value is so far from the calmest half of them
 * that it would leave these less than a tenth of the axis. A line that was never near the others counts, too: without it the
 * chart would not show that line at all.
 */
export function fittedLines(lines: readonly LineData[], x: Range): readonly LineData[] {
  if (MAX_SHARE * lines.length < 1) {
    return lines;
  }
  const ended = lines.flatMap((line) => {
    const newest = newestOf(line, x);
    const range = yRange([line], x, { scale: "linear", ignoreOutliers: false, margin: false });
    return newest.length === 0 ? [] : [{ line, newest, range }];
  });
  const bySpan = ended.toSorted((a, b) => spanOf(a.range) - spanOf(b.range));
  const calm = bySpan.slice(0, Math.ceil(ended.length / 2)).map(({ line }) => line);
  const [low, high] = yRange(calm, x, { scale: "linear", ignoreOutliers: true, margin: false });
  const span = high - low;
  const [least, most] = [high - MAX_WIDENING * span, low + MAX_WIDENING * span];
  const left = ended.filter(
    ({ newest, range: [from, to] }) =>
      span > 0 && from <= high + span && to >= low - span && newest.some((value) => value < least || value > most),
  );
  const far = new Set(left.map(({ line }) => line));
  return far.size === 0 || far.size > MAX_SHARE * ended.length ? lines : lines.filter((line) => !far.has(line));
}

function spanOf([low, high]: Range): number {
  return high - low;
}

/** A line, and what it is called. */
export interface NamedLine {
  readonly line: LineData;
  readonly text: string;
  readonly color: string;
}

/** A line that ends beyond an axis: its place along x, and the place of its newest value. */
export interface EndBeyond extends NamedLine {
  readonly side: keyof Cuts;
  readonly x: number;
  readonly y: number;
}

/** The lines whose newest value in sight along x lies beyond the axis of values, the farthest first. */
export function endsBeyond(lines: readonly NamedLine[], x: Range, [low, high]: Range): EndBeyond[] {
  return lines
    .flatMap((named): EndBeyond[] => {
      const { line } = named;
      const values = newestOf(line, x);
      const y = values.find((value) => value > high || value < low);
      const row = line.y.findLastIndex(Number.isFinite);
      return y === undefined ? [] : [{ ...named, side: y > high ? "above" : "below", x: line.x[row] as number, y }];
    })
    .sort((a, b) => Math.abs(b.y) - Math.abs(a.y));
}

/** CSS pixels of an arrow's half width and height, and of the edge around it. */
const ARROW_HALF_PX = 5;
const ARROW_HEIGHT_PX = 8;
const EDGE_PX = 2;

/** Arrows to what lies beyond the edges of a plot, one below the other where they would cover each other. */
export function paintEndsBeyond(
  { context, ratio, path: newPath }: Surface,
  area: Rect,
  ends: readonly EndBeyond[],
  across: (x: number) => number,
  paper: string,
): void {
  const [half, height] = [ARROW_HALF_PX * ratio, ARROW_HEIGHT_PX * ratio];
  const placed: { readonly at: number; readonly side: keyof Cuts }[] = [];
  context.save();
  context.lineJoin = "round";
  for (const { x, side, color } of ends) {
    const at = area.left + across(x) * area.width;
    const before = placed.filter((one) => one.side === side && Math.abs(one.at - at) < 2 * half).length;
    placed.push({ at, side });
    const inwards = side === "above" ? 1 : -1;
    const tip = (side === "above" ? area.top : area.top + area.height) + inwards * before * (height + EDGE_PX * ratio);
    if (Math.abs(tip - area.top) > area.height) {
      continue;
    }
    const arrow = newPath();
    arrow.moveTo(at, tip);
    arrow.lineTo(at + half, tip + inwards * height);
    arrow.lineTo(at - half, tip + inwards * height);
    arrow.closePath();
    context.strokeStyle = paper;
    context.lineWidth = 2 * EDGE_PX * ratio;
    context.stroke(arrow);
    context.fillStyle = color;
    context.fill(arrow);
  }
  context.restore();
}
