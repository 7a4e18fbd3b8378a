// Beside a card's name: the last value, or that at the linked step, where there is but one run, and what was left out of the drawing.

import { Superseded } from "../../dashboard/superseded";
import { stepsInSight, useView } from "../../dashboard/view";
import { formatCount, formatValue } from "../../lib/format";
import { lastUpTo } from "../../lib/search";
import { strings } from "../../lib/strings";
import { isWhole } from "../../wire/detail";
import { exactStep, numbers } from "../../wire/series";
import type { TagData } from "../../wire/store";

export function Marks({ tag, data }: { readonly tag: string; readonly data: TagData }) {
  const { choices, session, times } = useView();
  void data.version.value;
  const range = stepsInSight(tag, times.value, session, choices);
  const shown = [...data.byRun].filter(([run]) => choices.shows(run)).map(([, held]) => held.series);
  const buckets = shown.filter((series) => !isWhole(series, range));
  const only = shown.length === 1 ? shown[0] : undefined;
  const linked = choices.linkedStep.value;
  const row = only?.width !== 1 ? -1 : linked === null ? only.value.length - 1 : lastUpTo(numbers(only.step), linked);
  const value = only?.value[row];
  return (
    <span class="tbwidget-marks">
      <Superseded by={shown} />
      {buckets.length > 0 && (
        <abbr
          title={strings.bucketsHint(
            formatCount(sum(buckets.map((series) => series.value.length))),
            formatCount(sum(buckets.map((series) => series.total))),
          )}
        >
          {strings.buckets}
        </abbr>
      )}
      {only !== undefined && value !== undefined && (
        <output>
          {formatValue(value)}
          {linked !== null && ` ${strings.atStep(formatCount(exactStep(only.step, row)))}`}
        </output>
      )}
    </span>
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
