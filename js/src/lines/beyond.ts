// Runs that flatten the others, such as one that diverged. Where the user has the axis of values fitted to the others, arrows
// at its edge mark where these runs end.

import type { Cuts, FlatteningLine } from "../charts/cuts";
import type { LineData } from "../charts/extent";
import type { Rect, Surface } from "../charts/geometry";
import { type Range, union } from "../lib/search";
import { newestOf, yRange } from "./valuerange";

/** How many times the range of the others a run may widen the axis to: then a tenth of the chart is left to these. */
const MAX_WIDENING = 10;

/** The share of the runs that may flatten the others: one of at least four runs. */
const MAX_SHARE = 1 / 4;

/** How a line, or a series, is measured. */
export interface Measures<T> {
  /** Its range with all its values, and without its outliers; null where it has no value. */
  whole(one: T): Range | null;
  calm(one: T): Range | null;
  /** Its newest values; none where they are out of sight. */
  newest(one: T): readonly number[];
}

/**
 * Return the lines that flatten the others: an axis that holds their newest values leaves less than a tenth to the calmest half
 * of the lines. A line that was never near the others is not returned: an axis fitted to these would show nothing of it.
 */
export function flattening<T>(all: readonly T[], { whole, calm, newest }: Measures<T>): ReadonlySet<T> {
  if (MAX_SHARE * all.length < 1) {
    return new Set();
  }
  const ended = all.flatMap((one) => {
    const [values, range] = [newest(one), whole(one)];
    return values.length === 0 || range === null ? [] : [{ one, values, range }];
  });
  const bySpan = ended.toSorted((a, b) => spanOf(a.range) - spanOf(b.range));
  const calmest = bySpan.slice(0, Math.ceil(ended.length / 2)).map(({ one }) => calm(one));
  const [low, high] = union(calmest.filter((range) => range !== null)) ?? [0, 0];
  const span = high - low;
  const [least, most] = [high - MAX_WIDENING * span, low + MAX_WIDENING * span];
  const far = ended.filter(
    ({ values, range: [from, to] }) =>
      span > 0 && from <= high + span && to >= low - span && values.some((value) => value < least || value > most),
  );
  return new Set(far.length > MAX_SHARE * ended.length ? [] : far.map(({ one }) => one));
}

/** The lines that flatten the others between two ends along x. */
export function flatteningLines(lines: readonly LineData[], x: Range): ReadonlySet<LineData> {
  const range = (line: LineData, ignoreOutliers: boolean) =>
    yRange([line], x, { scale: "linear", ignoreOutliers, margin: false });
  return flattening(lines, {
    whole: (line) => range(line, false),
    calm: (line) => range(line, true),
    newest: (line) => newestOf(line, x),
  });
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

/** Where the lines that flatten the others end, the farthest first. */
export function flatteningOf(
  names: readonly NamedLine[],
  flat: ReadonlySet<LineData>,
  others: readonly LineData[],
  x: Range,
): FlatteningLine[] {
  if (flat.size === 0) {
    return [];
  }
  const [low, high] = yRange(others, x, { scale: "linear", ignoreOutliers: true, margin: false });
  return names
    .flatMap(({ line, text }): FlatteningLine[] => {
      const [value] = flat.has(line) ? newestOf(line, x) : [];
      return value === undefined ? [] : [{ name: text, value, side: value > (low + high) / 2 ? "above" : "below" }];
    })
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

/** A line that ends beyond an axis: its place along x, and the place of its newest value. */
export interface EndBeyond extends NamedLine {
  readonly side: keyof Cuts;
  readonly x: number;
  readonly y: number;
}

/** The lines whose newest visible value lies beyond the axis of values, the farthest first. */
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
