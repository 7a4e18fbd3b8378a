// What a run came to, in one cell: a spark line and the last value of the headline tag, and whether the run goes on.

import { useComputed } from "@preact/signals";
import { formatCount, formatValue } from "../../lib/format";
import { compareOptions } from "../../lines/options";
import { runTableTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { SPARK_HEIGHT, SPARK_WIDTH, sparkPath } from "./spark";
import { ROLES, type RunTable } from "./table";

const NO_VALUE = { text: "", hint: "", isElsewhere: false };

interface Props {
  readonly run: string;
  readonly tag: string;
  readonly table: RunTable;
  readonly color: string;
}

export function HeadlineCell({ run, tag, table, color }: Props) {
  const { options } = useView();
  const path = useComputed(() => {
    const outline = table.outlineOf(run, tag);
    return outline === null ? "" : sparkPath(outline, table.sparkScale.value);
  }).value;
  const { text, hint, isElsewhere } = useComputed(() => {
    const linked = table.linked.value;
    if (linked !== null) {
      const there = table.valueThere(run, tag, linked);
      if (there === null) {
        return NO_VALUE;
      }
      const written = formatValue(there.value);
      const value = there.approximate ? runTableTexts().meanValue(written) : written;
      const hint = runTableTexts().valueAt(value, formatCount(there.step), formatCount(linked));
      return { text: value, hint, isElsewhere: there.step !== BigInt(linked) };
    }
    const last = table.valueOf({ type: "statistic", what: "last", tag }, run);
    const value = typeof last === "number" ? formatValue(last) : "";
    return { text: value, hint: value, isElsewhere: false };
  }).value;
  const state = useComputed(() => table.stateOf(run, tag)).value;
  const dash = useComputed(() => options.colors.dashOf.value(run)).value;
  return (
    <span class="tbwidget-run-cell tbwidget-headline" role={ROLES.cell}>
      <svg viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} stroke={color} stroke-dasharray={dash.length > 0 ? dash.join(" ") : undefined} />
      </svg>
      <span class="tbwidget-headline-value" data-elsewhere={isElsewhere ? "" : undefined} title={hint}>
        {text}
      </span>
      {state !== null && (
        <i
          class="tbwidget-run-state"
          role="img"
          data-run-state={state}
          aria-label={runTableTexts().runStates[state]}
          title={runTableTexts().runStateHints[state]}
        />
      )}
    </span>
  );
}

interface GroupProps {
  readonly group: string;
  readonly table: RunTable;
}

/** What the line of a group comes to: the mean or the median of its runs. */
export function GroupHeadlineCell({ group, table }: GroupProps) {
  const { options } = useView();
  const found = useComputed(() => table.groupValue(group)).value;
  if (found === undefined) {
    return null;
  }
  const text = formatValue(found.value);
  const aggregate = options.of(compareOptions).aggregate.value ?? "";
  const hint = runTableTexts().groupValueAt(aggregate, found.runs.length, text, formatCount(found.step));
  return (
    <span class="tbwidget-run-cell tbwidget-headline">
      <span class="tbwidget-headline-value" title={hint}>
        {text}
      </span>
    </span>
  );
}
