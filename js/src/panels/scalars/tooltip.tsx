// The points near the pointer, run by run.

import { formatCount, formatExact, formatValue } from "../../lib/format";
import { compareNatural } from "../../lib/natural";
import { strings } from "../../lib/strings";
import { formatDate, formatDuration, formatMoment } from "../../lib/times";
import type { XAxisOption } from "../../lib/xaxis";
import { RunName } from "../../ui/runname";
import type { TooltipSort } from "./options";
import type { ScalarPoint } from "./points";

const MOST_SPOKEN = 5;

interface Props {
  /** Nearest first. */
  readonly rows: readonly ScalarPoint[];
  readonly xAxis: XAxisOption;
  readonly smoothed: boolean;
  readonly now: Date;
  readonly sort: TooltipSort;
  readonly most: number;
}

/** Rows in an order, as many as fit of those around the nearest, which comes first in `all`. */
export function sortedRows<R extends ScalarPoint>(all: readonly R[], sort: TooltipSort, most: number): readonly R[] {
  const [nearest] = all;
  if (sort === "nearest" || nearest === undefined) {
    return all.slice(0, most);
  }
  // A value that is none comes last either way.
  const down = ({ smoothed }: ScalarPoint) => (Number.isNaN(smoothed) ? Number.NEGATIVE_INFINITY : smoothed);
  const up = ({ smoothed }: ScalarPoint) => (Number.isNaN(smoothed) ? Number.POSITIVE_INFINITY : smoothed);
  const by = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);
  const sorted = [...all].sort((a, b) =>
    sort === "name" ? compareNatural(a.run, b.run) : sort === "ascending" ? by(up(a), up(b)) : by(down(b), down(a)),
  );
  const from = sorted.indexOf(nearest) - Math.floor(most / 2);
  const first = Math.max(0, Math.min(from, sorted.length - most));
  return sorted.slice(first, first + most);
}

export function ScalarsTooltip({ rows: all, xAxis, smoothed, now, sort, most }: Props) {
  const rows = sortedRows(all, sort, most);
  const [nearest] = all;
  const more = all.length - rows.length;
  const several = rows.some(({ n }) => n !== undefined);
  const banded = rows.some(({ low }) => low !== undefined);
  const smooths = smoothed && !several;
  // One step of all rows is written once.
  const step = nearest !== undefined && rows.every((row) => row.step === nearest.step) ? nearest.step : null;
  // So is the day of all rows, if it is not today.
  const days = new Set(rows.map(({ wall }) => new Date(wall * 1000).toDateString()));
  const day = days.size === 1 && !days.has(now.toDateString()) ? new Date((nearest?.wall ?? 0) * 1000) : null;
  const dated = day !== null && !Number.isNaN(day.getTime());
  const timeColumn = dated ? formatDate(day, now) : strings.timeColumn;
  const texts = strings.compare;
  return (
    <>
      <table class="tbwidget-points">
        <thead>
          <tr>
            <th colSpan={2}>{step === null ? strings.runColumn : texts.sameStep(formatCount(step))}</th>
            {smooths && <th>{strings.smoothedColumn}</th>}
            <th>{strings.valueColumn}</th>
            {banded && <th>{texts.bandColumn}</th>}
            {several && <th>{texts.nColumn}</th>}
            {step === null && <th>{strings.stepColumn}</th>}
            {!several && <th>{xAxis === "relative" ? strings.relativeColumn : timeColumn}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.run} data-nearest={row === nearest ? "" : undefined}>
              <td>
                <i style={{ background: row.colour }} />
              </td>
              <td class="tbwidget-run-name">
                <RunName run={row.run} />
              </td>
              {smooths && <td>{formatValue(row.smoothed)}</td>}
              <td>{valueText(row)}</td>
              {banded && <td>{bandText(row)}</td>}
              {several && <td>{row.n === undefined ? "" : formatCount(row.n)}</td>}
              {step === null && <td>{formatCount(row.step)}</td>}
              {!several && (
                <td>
                  {xAxis === "relative" ? formatDuration(row.relative) : formatMoment(row.wall, dated ? day : now)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="tbwidget-quiet">{strings.moreRuns(more)}</p>}
    </>
  );
}

/** The same in words. */
export function describe(rows: readonly ScalarPoint[]): string {
  const values = rows.slice(0, MOST_SPOKEN).map((row) => strings.valueOfRun(row.run, valueText(row)));
  const step = rows[0] === undefined ? [] : [strings.stepName([formatCount(rows[0].step)])];
  return strings.list([...step, ...values]);
}

function valueText({ value, bucket }: ScalarPoint): string {
  return bucket ? strings.mean(formatValue(value)) : formatExact(value);
}

function bandText({ low, high }: ScalarPoint): string {
  return low === undefined || high === undefined ? "" : strings.compare.range(formatValue(low), formatValue(high));
}
