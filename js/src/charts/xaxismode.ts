// Which sort of axis each mode of the horizontal axis has.

import type { XAxisOption } from "../lib/xaxis";
import type { AxisKind } from "./axis";

export const AXIS_KINDS: Readonly<Record<XAxisOption, AxisKind>> = {
  step: "whole",
  relative: "duration",
  wall: "clock",
  tag: "number",
};
