// Which sort of axis each mode of the horizontal axis has.

import type { XAxisChoice } from "../lib/xaxis";
import type { AxisKind } from "./axis";

export const AXIS_KINDS: Readonly<Record<XAxisChoice, AxisKind>> = {
  step: "whole",
  relative: "duration",
  wall: "clock",
  tag: "number",
};
