// The percentiles below the pointer, run by run.

import type { DataPoint } from "../../charts/geometry";
import { MEDIAN } from "../../histograms/bins";
import type { Histogram } from "../../histograms/codec";
import { histogramTexts } from "../../histograms/texts";
import { formatCount, formatValue } from "../../lib/format";
import { listOf } from "../../lib/texts";
import { formatDuration, formatMoment } from "../../lib/times";
import type { XAxisMode } from "../../lib/xaxis";
import { lineTexts } from "../../lines/texts";
import { RunName } from "../../ui/runname";
import { uiTexts } from "../../ui/texts";
import { distributionTexts } from "./texts";

/** One histogram of a run, where its median is drawn. */
export interface DistributionPoint extends DataPoint {
  readonly run: string;
  readonly row: Histogram;
  /** Seconds since the first one. */
  readonly relative: number;
  readonly percentiles: Float64Array;
  /** What is out of sight, in words. */
  readonly outside: readonly string[];
}

const MOST_RUNS = 4;

interface Props {
  /** Nearest first. */
  readonly points: readonly DistributionPoint[];
  readonly xAxis: XAxisMode;
  readonly now: Date;
}

export function DistributionsTooltip({ points: all, xAxis, now }: Props) {
  const points = all.slice(0, MOST_RUNS);
  const more = all.length - points.length;
  return (
    <>
      <table class="tbwidget-percentiles">
        <thead>
          <tr>
            <th />
            {points.map(({ run, color }) => (
              <th key={run} class="tbwidget-run-name">
                <span>
                  <i style={{ background: color }} />
                  <RunName run={run} />
                </span>
              </th>
            ))}
          </tr>
          <tr>
            <th>{lineTexts().stepColumn}</th>
            {points.map(({ run, step }) => (
              <th key={run}>{formatCount(step)}</th>
            ))}
          </tr>
          <tr>
            <th>{xAxis === "relative" ? lineTexts().relativeColumn : lineTexts().timeColumn}</th>
            {points.map(({ run, row, relative }) => (
              <th key={run}>{xAxis === "relative" ? formatDuration(relative) : formatMoment(row.wall, now)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...distributionTexts().percentiles.entries()].reverse().map(([i, name]) => (
            <tr key={name} class={i === MEDIAN ? "tbwidget-median" : undefined}>
              <th>{name}</th>
              {points.map(({ run, percentiles }) => (
                <td key={run}>{formatValue(percentiles[i] as number)}</td>
              ))}
            </tr>
          ))}
          {points.some(({ row }) => Number.isFinite(row.mean)) && (
            <tr class="tbwidget-moments">
              <th>{histogramTexts().meanColumn}</th>
              {points.map(({ run, row }) => (
                <td key={run}>
                  {Number.isFinite(row.mean) &&
                    histogramTexts().meanAndDeviation(formatValue(row.mean), formatValue(row.deviation))}
                </td>
              ))}
            </tr>
          )}
          {points.some(({ outside }) => outside.length > 0) && (
            <tr>
              <th>{histogramTexts().outsideColumn}</th>
              {points.map(({ run, outside }) => (
                <td key={run}>
                  {outside.map((text) => (
                    <div key={text}>{text}</div>
                  ))}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
      {more > 0 && <p class="tbwidget-quiet">{uiTexts().moreRuns(more)}</p>}
    </>
  );
}

/** The same in words. */
export function describe(points: readonly DistributionPoint[]): string {
  const medians = points.slice(0, MOST_RUNS).map(({ run, percentiles, outside }) => {
    const median = formatValue(percentiles[MEDIAN] as number);
    return lineTexts().valueOfRun(run, listOf([`${distributionTexts().percentiles[MEDIAN]} ${median}`, ...outside]));
  });
  const step = points[0] === undefined ? [] : [lineTexts().stepName([formatCount(points[0].step)])];
  return listOf([...step, ...medians]);
}
