// What runs from left to right in charts.

/** Steps, seconds since the first point of a run, or seconds since the epoch. */
export type XAxisMode = "step" | "relative" | "wall";

/** What can be chosen: another tag, too, which only scalars can stand along. */
export type XAxisOption = XAxisMode | "tag";

/** The axis of what has steps and times alone. */
export function timeAxis(option: XAxisOption): XAxisMode {
  return option === "tag" ? "step" : option;
}
