// Alerts as marks in the charts of their tags.

import { formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { type Alert, alertsOf } from "../ui/alerts";
import { shortName } from "../ui/runname";
import { uiTexts } from "../ui/texts";
import type { View } from "../ui/view";
import type { StepMark } from "./stepmarks";

interface Marked {
  /** The shown name of the run. */
  readonly name: string;
  readonly mark: StepMark;
}

/** The same mark as long as nothing has changed. */
const marked = new WeakMap<Alert, Marked>();

function markOf(alert: Alert, name: string): StepMark {
  const { run, step, wallTime } = alert;
  let made = marked.get(alert);
  if (made?.name !== name) {
    const mark = {
      ...{ run, step, kind: "alert" as const },
      ...(wallTime === null ? {} : { wallTime }),
      get text() {
        return listOf([name, uiTexts().atStep(formatCount(step)), alert.reason]);
      },
    };
    made = { name, mark };
    marked.set(alert, made);
  }
  return made.mark;
}

/** The alerts of these tags, by run. Follows the signals that it reads. */
export function alertMarks(view: View, tags: readonly string[]): ReadonlyMap<string, readonly StepMark[]> {
  const byRun = new Map<string, StepMark[]>();
  for (const alert of alertsOf(view).alerts) {
    if (tags.includes(alert.tag)) {
      const marks = byRun.get(alert.run) ?? [];
      marks.push(markOf(alert, shortName(alert.run, view)));
      byRun.set(alert.run, marks);
    }
  }
  return byRun;
}
