// Beside the name of a card of histograms: what of them is not drawn.

import { Superseded } from "../dashboard/superseded";
import { useView } from "../dashboard/view";
import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import type { HistogramData } from "../wire/store";

/** How many of the steps are here, where not all are; and runs that have no plot. */
export function HistogramMarks({ data, more = 0 }: { readonly data: HistogramData; readonly more?: number }) {
  const { choices } = useView();
  void data.version.value;
  const shown = [...data.byRun].filter(([run]) => choices.shows(run)).map(([, { series }]) => series);
  const partly = shown.filter(({ rows, total }) => rows.length < total);
  const held = formatCount(partly.reduce((sum, { rows }) => sum + rows.length, 0));
  const total = formatCount(partly.reduce((sum, series) => sum + series.total, 0));
  return (
    <span class="tbwidget-marks">
      <Superseded by={shown} />
      {more > 0 && <abbr title={strings.moreRunsHint(more)}>{strings.moreRuns(more)}</abbr>}
      {partly.length > 0 && <abbr title={strings.someStepsHint(held, total)}>{strings.someSteps(held, total)}</abbr>}
    </span>
  );
}
