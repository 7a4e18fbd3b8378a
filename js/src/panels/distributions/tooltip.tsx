// The percentiles where the pointer is, run by run.

import type { Hover, Near } from "../../charts/chart";
import { formatCount, formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import { formatDuration, formatMoment } from "../../lib/times";
import type { Histogram } from "../../wire/histograms";

/** A histogram on the chart. */
export interface Place extends Near {
  readonly run: string;
  readonly row: Histogram;
  /** Seconds since the first one. */
  readonly relative: number;
  readonly percentiles: Float64Array;
}

const MOST_RUNS = 4;

export function Tooltip({ hover, now }: { readonly hover: Hover<Place>; readonly now: Date }) {
  const places = hover.rows.slice(0, MOST_RUNS);
  const more = hover.rows.length - places.length;
  return (
    <>
      <table class="tbwidget-percentiles">
        <thead>
          <tr>
            <th />
            {places.map(({ run, colour }) => (
              <th key={run} class="tbwidget-run-name">
                <i style={{ background: colour }} /> {run}
              </th>
            ))}
          </tr>
          <tr>
            <th>{strings.stepColumn}</th>
            {places.map(({ run, step }) => (
              <th key={run}>{formatCount(step)}</th>
            ))}
          </tr>
          <tr>
            <th>{hover.xAxis === "relative" ? strings.relativeColumn : strings.timeColumn}</th>
            {places.map(({ run, row, relative }) => (
              <th key={run}>{hover.xAxis === "relative" ? formatDuration(relative) : formatMoment(row.wall, now)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...strings.percentiles].reverse().map((name, i) => (
            <tr key={name} class={name === strings.percentiles[4] ? "tbwidget-median" : undefined}>
              <th>{name}</th>
              {places.map(({ run, percentiles }) => (
                <td key={run}>{formatValue(percentiles[percentiles.length - 1 - i] as number)}</td>
              ))}
            </tr>
          ))}
          {places.some(({ row }) => Number.isFinite(row.mean)) && (
            <tr class="tbwidget-moments">
              <th>{strings.meanColumn}</th>
              {places.map(({ run, row }) => (
                <td key={run}>
                  {Number.isFinite(row.mean) &&
                    strings.meanAndDeviation(formatValue(row.mean), formatValue(row.deviation))}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
      {more > 0 && <p class="tbwidget-quiet">{strings.moreRuns(more)}</p>}
    </>
  );
}
