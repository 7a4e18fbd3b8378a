// The histogram that the pointer is on, and the bin.

import { formatCount, formatExact, formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import { formatDuration, formatMoment } from "../../lib/times";
import type { Hover } from "./chart";
import { totalOf } from "./profile";

export function Tooltip({ hover, now }: { readonly hover: Hover; readonly now: Date }) {
  const { found, along } = hover;
  const { run, row, bin } = found;
  const relative = row.wall - run.series.startWall;
  return (
    <table class="tbwidget-facts">
      <tbody>
        <tr>
          <th>
            <i style={{ background: run.colour }} />
          </th>
          <td class="tbwidget-run-name">{run.run}</td>
        </tr>
        <tr>
          <th>{strings.stepColumn}</th>
          <td>{formatCount(row.step)}</td>
        </tr>
        <tr>
          <th>{along === "relative" ? strings.relativeColumn : strings.timeColumn}</th>
          <td>{along === "relative" ? formatDuration(relative) : formatMoment(row.wall, now)}</td>
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
                <b>{formatExact(bin.count)}</b> {strings.ofTotal(formatExact(totalOf(row)))}
              </td>
            </tr>
          </>
        )}
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
