// Alerts as marks in the charts of their tags.

import { formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { alertsOf } from "../ui/alerts";
import { shortName } from "../ui/runname";
import { uiTexts } from "../ui/texts";
import type { View } from "../ui/view";
import type { StepMark } from "./stepmarks";

/** The alerts of these tags, by run. Follows the signals that it reads. */
export function alertMarks(view: View, tags: readonly string[]): ReadonlyMap<string, readonly StepMark[]> {
  const byRun = new Map<string, StepMark[]>();
  for (const { run, tag, step, wallTime, reason } of alertsOf(view).alerts) {
    if (tags.includes(tag)) {
      const marks = byRun.get(run) ?? [];
      marks.push({
        ...{ run, step, kind: "alert" },
        ...(wallTime === null ? {} : { wallTime }),
        text: listOf([shortName(run, view), uiTexts().atStep(formatCount(step)), reason]),
      });
      byRun.set(run, marks);
    }
  }
  return byRun;
}
