// The options of PR curves alone.

import { defineOptions, flag, notStored, type OptionSpec, oneOf } from "../../options/declare";

export const DRAWS = ["pr", "roc", "average_precision"] as const;

const threshold: OptionSpec<number | null> = {
  initial: null,
  remembered: true,
  parse: (value) => (value === null || (typeof value === "number" && value >= 0 && value <= 1) ? value : undefined),
};

export const prCurvesOptions = defineOptions({
  pr_curve: oneOf(DRAWS, "pr"),
  /** Marked on all curves; null for none. */
  pr_threshold: notStored(threshold),
  pr_iso_f1: flag(true),
  pr_earlier_steps: flag(true),
});
