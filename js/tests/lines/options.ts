// Options of curves, for tests.

import { LINEAR } from "../../src/lib/scale";
import type { Smoothing } from "../../src/lib/smoothing";
import type { CurveOptions } from "../../src/lines/curve";

export function ema(amount: number): Smoothing {
  return { kind: "ema", amount };
}

export const PLAIN: CurveOptions = {
  xAxis: "step",
  xScale: LINEAR,
  yScale: LINEAR,
  smoothing: ema(0),
  split: false,
  behind: "line",
};
