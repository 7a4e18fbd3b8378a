// The histogram and the bin below the pointer.

import { outsideTexts } from "../../histograms/bins";
import { histogramTexts } from "../../histograms/texts";
import { commonTexts } from "../../lib/commontexts";
import { formatCount, formatExact, formatValue } from "../../lib/format";
import { listOf } from "../../lib/texts";
import { formatDuration, formatMoment } from "../../lib/times";
import type { XAxisMode } from "../../lib/xaxis";
import { lineTexts } from "../../lines/texts";
import { RunName } from "../../ui/runname";
import type { HistogramHit } from "./hit";
import { totalOf } from "./profile";
import { histogramPanelTexts } from "./texts";

interface Props {
  readonly hit: HistogramHit;
  readonly xAxis: XAxisMode;
  readonly now: Date;
}

export function HistogramsTooltip({ hit, xAxis, now }: Props) {
  const { run, row, bin, per, cutAbove } = hit;
  const outside = outsideTexts(hit.beyond, hit.values);
  const { about, heightColumn, cutAbove: saysCut, outsideColumn, perStretch } = histogramTexts();
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
          <th>{lineTexts().stepColumn}</th>
          <td>{formatCount(row.step)}</td>
        </tr>
        <tr>
          <th>{xAxis === "relative" ? lineTexts().relativeColumn : lineTexts().timeColumn}</th>
          <td>{xAxis === "relative" ? formatDuration(relative) : formatMoment(row.wall, now)}</td>
        </tr>
        {bin === null ? (
          <tr>
            <th>{histogramPanelTexts().countColumn}</th>
            <td>{histogramPanelTexts().inAll(formatExact(totalOf(row)))}</td>
          </tr>
        ) : (
          <>
            <tr>
              <th>{histogramPanelTexts().binColumn}</th>
              <td>
                {bin.left === bin.right
                  ? formatValue(bin.left)
                  : commonTexts().fromTo(formatValue(bin.left), formatValue(bin.right))}
              </td>
            </tr>
            <tr>
              <th>{histogramPanelTexts().countColumn}</th>
              <td>
                <b>
                  {bin.even && !Number.isInteger(bin.count) ? about(formatValue(bin.count)) : formatExact(bin.count)}
                </b>{" "}
                {histogramPanelTexts().ofTotal(formatExact(totalOf(row)))}
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
            <th>{histogramTexts().meanColumn}</th>
            <td>{histogramTexts().meanAndDeviation(formatValue(row.mean), formatValue(row.deviation))}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** What the height of a bin stands for: counts of a stretch; null where it is nothing else than the count. */
function heightOf({ bin, per, cutAbove }: HistogramHit): number | null {
  const width = bin === null ? 0 : bin.right - bin.left;
  return bin === null || !(width > 0) || (bin.even && cutAbove === null) ? null : (bin.count / width) * per;
}

/** The same in words. */
export function describe({ run, row, beyond, values }: HistogramHit): string {
  const counts = `${histogramPanelTexts().countColumn} ${histogramPanelTexts().inAll(formatExact(totalOf(row)))}`;
  const mean = histogramTexts().meanAndDeviation(formatValue(row.mean), formatValue(row.deviation));
  const moments = Number.isFinite(row.mean) ? [`${histogramTexts().meanColumn} ${mean}`] : [];
  const step = lineTexts().stepName([formatCount(row.step)]);
  return listOf([step, lineTexts().valueOfRun(run.run, counts), ...moments, ...outsideTexts(beyond, values)]);
}
