// Names at the ends of lines: beside the plot where there is room, else only that of the line near the pointer.

import type { Range } from "../lib/range";
import { type LineData, visibleSpan } from "./extent";
import type { Rect, Surface } from "./geometry";
import { fittedName, labelFont, measureLabel } from "./text";
import type { ChartTheme } from "./theme";

export interface EndLabel {
  readonly line: LineData;
  readonly text: string;
  readonly colour: string;
}

/** Lines at most that have labels, and CSS pixels of the narrowest chart in which they do. */
const MOST = 8;
const WIDE_ENOUGH = 400;

/** CSS pixels: from a label to the next, of the longest label, and of the line's colour before it. */
const APART = 14;
const LONGEST = 120;
const STROKE = 10;
const GAP = 5;

/** CSS pixels that labels take at the right of a chart so wide; 0 where there are none. */
export function roomForLabels(labels: readonly EndLabel[], width: number): number {
  if (labels.length < 2 || labels.length > MOST || width < WIDE_ENOUGH) {
    return 0;
  }
  return STROKE + GAP + Math.ceil(Math.min(LONGEST, Math.max(...labels.map(({ text }) => measureLabel(text)))));
}

/** Places at least `apart` from one another, between 0 and `length`, near those wanted; null where they do not fit. */
export function spread(wanted: readonly number[], length: number, apart: number): number[] | null {
  if (wanted.length * apart > length + apart) {
    return null;
  }
  const order = wanted.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  const places = order.map(({ at }) => Math.max(0, Math.min(length, at)));
  for (let k = 1; k < places.length; k += 1) {
    places[k] = Math.max(places[k] as number, (places[k - 1] as number) + apart);
  }
  for (let k = places.length - 1, most = length; k >= 0; k -= 1) {
    places[k] = Math.min(places[k] as number, most);
    most = (places[k] as number) - apart;
  }
  const found = new Array<number>(wanted.length);
  for (const [k, { i }] of order.entries()) {
    found[i] = places[k] as number;
  }
  return found;
}

/** The last finite point of a line that is in sight along x; null without any. */
export function endOf(line: LineData, x: Range): { readonly x: number; readonly y: number } | null {
  const [from, to] = visibleSpan(line, x);
  for (let i = to - 1; i >= from; i -= 1) {
    const [at, y] = [line.x[i] as number, line.y[i] as number];
    if (y - y === 0 && at >= x[0] && at <= x[1]) {
      return { x: at, y };
    }
  }
  return null;
}

type ShareOf = (value: number) => number;

/** Labels beside the plot, or that of the highlighted line upon it. */
export function paintEndLabels(
  { context, ratio }: Surface,
  area: Rect,
  labels: readonly EndLabel[],
  beside: boolean,
  highlight: object | null,
  x: Range,
  across: ShareOf,
  down: ShareOf,
  theme: ChartTheme,
): void {
  const ends = labels
    .filter(({ line }) => beside || line === highlight)
    .flatMap((label) => {
      const end = endOf(label.line, x);
      const share = end === null ? Number.NaN : down(end.y);
      return end !== null && share >= 0 && share <= 1 ? [{ label, share, at: across(end.x) }] : [];
    });
  const places = spread(
    ends.map(({ share }) => share * area.height),
    area.height,
    APART * ratio,
  );
  if (places === null) {
    return;
  }
  context.save();
  context.font = labelFont(ratio);
  context.textBaseline = "middle";
  context.lineWidth = 2 * ratio;
  context.lineJoin = "round";
  for (const [i, { label, at, share }] of ends.entries()) {
    const y = area.top + (places[i] as number);
    const left = area.left + area.width + GAP * ratio;
    if (beside) {
      context.globalAlpha = highlight === null || label.line === highlight ? 1 : 0.4;
      context.strokeStyle = label.colour;
      context.beginPath();
      context.moveTo(left, area.top + share * area.height);
      context.lineTo(left + STROKE * ratio, y);
      context.stroke();
      context.textAlign = "left";
      context.fillStyle = theme.label;
      context.fillText(fittedName(label.text, LONGEST), left + (STROKE + GAP) * ratio, y);
    } else {
      const right = Math.max(area.left + measureLabel(label.text) * ratio, area.left + at * area.width);
      const above = y > area.top + APART * ratio ? y - (APART / 2 + 2) * ratio : y + (APART / 2 + 2) * ratio;
      context.textAlign = "right";
      context.lineWidth = 4 * ratio;
      context.strokeStyle = theme.paper;
      context.strokeText(label.text, right, above);
      context.fillStyle = theme.label;
      context.fillText(label.text, right, above);
    }
  }
  context.restore();
}
