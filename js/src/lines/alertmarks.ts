// Alerts as marks in the charts of their tags.

import { formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { alertsOf } from "../ui/alerts";
import { shortName } from "../ui/runname";
import { uiTexts } from "../ui/texts";
import type { View } from "../ui/view";
import type { StepMark } from "./stepmarks";

/** The alerts of these tags. Follows the signals that it reads. */
export function alertMarks(view: View, tags: readonly string[]): StepMark[] {
  return alertsOf(view)
    .alerts.filter(({ tag }) => tags.includes(tag))
    .map(({ run, step, wallTime, reason }) => ({
      ...{ run, step, kind: "alert" },
      ...(wallTime === null ? {} : { wallTime }),
      text: listOf([shortName(run, view), uiTexts().atStep(formatCount(step)), reason]),
    }));
}
