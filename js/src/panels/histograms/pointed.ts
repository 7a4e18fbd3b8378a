// The linked step, named where it is: each run's true one.

import type { Box } from "../../charts/chart";
import { begin } from "./axes";
import type { Ground } from "./paint";
import { css } from "./shades";

/** CSS pixels. */
const HIGH = 15;
const PAD = 4;

/** Which side of its place a name is on. */
export type Side = "right" | "left" | "middle";

/** Names steps at their places, in canvas pixels; of those that would cover one another the first. */
export function nameSteps(
  context: CanvasRenderingContext2D,
  places: readonly { readonly name: string; readonly x: number; readonly y: number }[],
  side: Side,
  { paper, ink }: Ground,
  { left, width }: Box,
  ratio: number,
): void {
  begin(context, ratio, { label: css(ink) });
  context.textAlign = "left";
  context.textBaseline = "middle";
  const taken: number[] = [];
  for (const { name, x, y } of places) {
    if (taken.some((other) => Math.abs(other - y) < HIGH * ratio)) {
      continue;
    }
    taken.push(y);
    const wide = context.measureText(name).width + 2 * PAD * ratio;
    const from = side === "right" ? x : side === "left" ? x - wide : x - wide / 2;
    const most = side === "right" ? context.canvas.width - wide - ratio : left + width - wide;
    const begins = Math.round(Math.max(ratio, Math.min(from, most)));
    const top = Math.round(Math.max(ratio, Math.min(y - (HIGH / 2) * ratio, context.canvas.height - HIGH * ratio)));
    context.fillStyle = css(ink);
    context.beginPath();
    context.roundRect(begins, top, Math.round(wide), HIGH * ratio, 3 * ratio);
    context.fill();
    context.fillStyle = css(paper);
    context.fillText(name, begins + PAD * ratio, top + (HIGH / 2) * ratio + ratio / 2);
  }
}
