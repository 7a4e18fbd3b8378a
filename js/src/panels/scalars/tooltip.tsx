// What the pointer is near, run by run.

import type { Hover } from "../../charts/chart";
import { formatExact, formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import { formatDuration, formatMoment } from "../../lib/times";
import type { HoverRow } from "./hover";

const MOST_ROWS = 10;

interface Props {
  readonly hover: Hover<HoverRow>;
  readonly smoothing: number;
  readonly now: Date;
}

export function Tooltip({ hover, smoothing, now }: Props) {
  const { xAxis } = hover;
  const rows = hover.rows.slice(0, MOST_ROWS);
  const more = hover.rows.length - rows.length;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th />
            <th>{strings.runColumn}</th>
            {smoothing > 0 && <th>{strings.smoothedColumn}</th>}
            <th>{strings.valueColumn}</th>
            <th>{strings.stepColumn}</th>
            <th>{xAxis === "relative" ? strings.relativeColumn : strings.timeColumn}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.run}>
              <td>
                <i style={{ background: row.colour }} />
              </td>
              <td class="tbwidget-run-name">{row.run}</td>
              {smoothing > 0 && <td>{formatValue(row.smoothed)}</td>}
              <td>{valueText(row)}</td>
              <td>{row.step.toString()}</td>
              <td>{xAxis === "relative" ? formatDuration(row.relative) : formatMoment(row.wall, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="tbwidget-quiet">{strings.moreRuns(more)}</p>}
    </>
  );
}

function valueText({ value, bucket }: HoverRow): string {
  return bucket ? strings.mean(formatValue(value)) : formatExact(value);
}
