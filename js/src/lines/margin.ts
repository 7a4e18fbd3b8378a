// The area between the lower and the upper end of a margin, run by run.

import type { PaintContext, Rect } from "../charts/geometry";
import type { Range } from "../lib/range";
import type { Curve } from "./curve";

export interface Margin {
  readonly colour: string;
  readonly faded: boolean;
  readonly lower: Curve;
  readonly upper: Curve;
}

const OPACITY = 0.2;
const FADED = 0.05;

/** A corner of an area, in units of the axes. */
type Corner = readonly [x: number, y: number];

/** The corners of the area between two curves: along the upper one, and back along the lower. Where either has a gap, so has it. */
export function marginAreas(lower: Pick<Curve, "x" | "y">, upper: Pick<Curve, "x" | "y">): Corner[][] {
  const areas: Corner[][] = [];
  let [above, below]: [Corner[], Corner[]] = [[], []];
  const close = () => {
    if (above.length > 1 && below.length > 1) {
      areas.push([...above, ...below.reverse()]);
    }
    [above, below] = [[], []];
  };
  const alike = lower.x.length === upper.x.length && lower.x.every((x, i) => x === upper.x[i]);
  if (alike) {
    for (const [i, x] of upper.x.entries()) {
      const [low, high] = [lower.y[i] as number, upper.y[i] as number];
      if (Number.isFinite(low) && Number.isFinite(high)) {
        above.push([x, high]);
        below.push([x, low]);
      } else {
        close();
      }
    }
  } else {
    above = cornersOf(upper);
    below = cornersOf(lower);
  }
  close();
  return areas;
}

function cornersOf({ x, y }: Pick<Curve, "x" | "y">): Corner[] {
  return [...x].map((at, i): Corner => [at, y[i] as number]).filter(([, value]) => Number.isFinite(value));
}

export function paintMargins(context: PaintContext, area: Rect, margins: readonly Margin[], x: Range, y: Range): void {
  const xScale = area.width / (x[1] - x[0]);
  const yScale = -area.height / (y[1] - y[0]);
  const across = (at: number) => area.left + (at - x[0]) * xScale;
  const down = (at: number) => area.top + area.height + (at - y[0]) * yScale;
  context.save();
  context.beginPath();
  context.rect(area.left, area.top, area.width, area.height);
  context.clip();
  for (const { colour, faded, lower, upper } of margins) {
    context.globalAlpha = faded ? FADED : OPACITY;
    context.fillStyle = colour;
    context.beginPath();
    for (const corners of marginAreas(lower, upper)) {
      for (const [i, [at, value]] of corners.entries()) {
        if (i === 0) {
          context.moveTo(across(at), down(value));
        } else {
          context.lineTo(across(at), down(value));
        }
      }
      context.closePath();
    }
    context.fill();
  }
  context.restore();
}
