// What a run came to, in one cell: a spark line and the last value of the headline tag, and whether the run goes on.

import { useComputed } from "@preact/signals";
import { formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import { useView } from "../../ui/view";
import { SPARK_HEIGHT, SPARK_WIDTH, sparkPath } from "./spark";
import { ROLES, type RunTable } from "./table";

const texts = strings.runTable;

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
  const text = useComputed(() => {
    const last = table.valueOf({ type: "statistic", what: "last", tag }, run);
    return typeof last === "number" ? formatValue(last) : "";
  }).value;
  const state = useComputed(() => table.stateOf(run, tag)).value;
  const dash = useComputed(() => options.colors.dashOf.value(run)).value;
  return (
    <span class="tbwidget-run-cell tbwidget-headline" role={ROLES.cell}>
      <svg viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} stroke={color} stroke-dasharray={dash.length > 0 ? dash.join(" ") : undefined} />
      </svg>
      <span class="tbwidget-headline-value" title={text}>
        {text}
      </span>
      {state !== null && (
        <i
          class="tbwidget-run-state"
          role="img"
          data-run-state={state}
          aria-label={texts.runStates[state]}
          title={texts.runStateHints[state]}
        />
      )}
    </span>
  );
}
