// The modes of the horizontal axis.

/** Steps, seconds since the first point of a run, or seconds since the epoch. */
export type XAxisMode = "step" | "relative" | "wall";

/** The values of the option; "tag" draws scalars along another tag. */
export type XAxisOption = XAxisMode | "tag";

/** The axis of what has steps and times alone. */
export function timeAxis(option: XAxisOption): XAxisMode {
  return option === "tag" ? "step" : option;
}
