// The histogram and the bin below the pointer.

import { outsideTexts } from "../../histograms/bins";
import { formatCount, formatExact, formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import { formatDuration, formatMoment } from "../../lib/times";
import type { XAxisMode } from "../../lib/xaxis";
import { RunName } from "../../ui/runname";
import type { HistogramHit } from "./hit";
import { totalOf } from "./profile";

interface Props {
  readonly hit: HistogramHit;
  readonly xAxis: XAxisMode;
  readonly now: Date;
}

export function HistogramsTooltip({ hit, xAxis, now }: Props) {
  const { run, row, bin, per, cutAbove } = hit;
  const outside = outsideTexts(hit.beyond, hit.values);
  const { about, heightColumn, cutAbove: saysCut, outsideColumn, perStretch } = strings.histograms;
  const stretch = formatValue(per);
  const height = heightOf(hit);
  const relative = row.wall - run.series.startWall;
  return (
    <table class="tbwidget-facts">
      <tbody>
        <tr>
          <th>
            <i style={{ background: run.color }} />
          </th>
          <td class="tbwidget-run-name">
            <RunName run={run.run} />
          </td>
        </tr>
        <tr>
          <th>{strings.stepColumn}</th>
          <td>{formatCount(row.step)}</td>
        </tr>
        <tr>
          <th>{xAxis === "relative" ? strings.relativeColumn : strings.timeColumn}</th>
          <td>{xAxis === "relative" ? formatDuration(relative) : formatMoment(row.wall, now)}</td>
        </tr>
        {bin === null ? (
          <tr>
            <th>{strings.countColumn}</th>
            <td>{strings.inAll(formatExact(totalOf(row)))}</td>
          </tr>
        ) : (
          <>
            <tr>
              <th>{strings.binColumn}</th>
              <td>
                {bin.left === bin.right
                  ? formatValue(bin.left)
                  : strings.fromTo(formatValue(bin.left), formatValue(bin.right))}
              </td>
            </tr>
            <tr>
              <th>{strings.countColumn}</th>
              <td>
                <b>
                  {bin.even && !Number.isInteger(bin.count) ? about(formatValue(bin.count)) : formatExact(bin.count)}
                </b>{" "}
                {strings.ofTotal(formatExact(totalOf(row)))}
              </td>
            </tr>
          </>
        )}
        {height !== null && (
          <tr>
            <th>{heightColumn}</th>
            <td>
              {perStretch(formatValue(height), stretch)}
              {cutAbove !== null && ` ${saysCut(formatValue(cutAbove))}`}
            </td>
          </tr>
        )}
        {outside.map((text, i) => (
          <tr key={text}>
            <th>{i === 0 && outsideColumn}</th>
            <td>{text}</td>
          </tr>
        ))}
        {Number.isFinite(row.mean) && (
          <tr>
            <th>{strings.meanColumn}</th>
            <td>{strings.meanAndDeviation(formatValue(row.mean), formatValue(row.deviation))}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** The counts per width that a bin's height stands for; null if the height is the count itself. */
function heightOf({ bin, per, cutAbove }: HistogramHit): number | null {
  const width = bin === null ? 0 : bin.right - bin.left;
  return bin === null || !(width > 0) || (bin.even && cutAbove === null) ? null : (bin.count / width) * per;
}

/** The same in words. */
export function describe({ run, row, beyond, values }: HistogramHit): string {
  const counts = `${strings.countColumn} ${strings.inAll(formatExact(totalOf(row)))}`;
  const mean = strings.meanAndDeviation(formatValue(row.mean), formatValue(row.deviation));
  const moments = Number.isFinite(row.mean) ? [`${strings.meanColumn} ${mean}`] : [];
  const step = strings.stepName([formatCount(row.step)]);
  return strings.list([step, strings.valueOfRun(run.run, counts), ...moments, ...outsideTexts(beyond, values)]);
}
