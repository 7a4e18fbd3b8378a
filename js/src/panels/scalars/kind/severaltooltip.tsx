// The points near the pointer of a chart of several tags: run by run, tag by tag.

import { formatCount, formatExact, formatValue } from "../../../lib/format";
import { sharedStart, shortened } from "../../../lib/names";
import { strings } from "../../../lib/strings";
import { formatDuration, formatMoment } from "../../../lib/times";
import type { XAxisOption } from "../../../lib/xaxis";
import { RunName } from "../../../ui/runname";
import type { TooltipSort } from "../options";
import { sortedRows } from "../tooltip";
import type { TagPoint } from "./severalcontent";

const MOST_SPOKEN = 5;

interface Props {
  /** Nearest first. */
  readonly rows: readonly TagPoint[];
  readonly xAxis: XAxisOption;
  readonly smoothed: boolean;
  readonly now: Date;
  readonly sort: TooltipSort;
  readonly most: number;
}

export function SeveralTooltip({ rows: all, xAxis, smoothed, now, sort, most }: Props) {
  const rows = sortedRows(all, sort, most);
  const more = all.length - rows.length;
  const shared = sharedStart([...new Set(rows.map(({ tag }) => tag))]);
  const bands = rows.some(({ margin }) => margin !== null);
  const several = rows.some(({ n }) => n !== undefined);
  const smooths = smoothed && !several;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th />
            <th>{strings.runColumn}</th>
            <th class="tbwidget-tag-name">{strings.cards.tag}</th>
            {smooths && <th>{strings.smoothedColumn}</th>}
            <th>{strings.valueColumn}</th>
            {bands && <th>{strings.cards.band}</th>}
            {several && <th>{strings.compare.nColumn}</th>}
            <th>{strings.stepColumn}</th>
            {!several && <th>{xAxis === "relative" ? strings.relativeColumn : strings.timeColumn}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={JSON.stringify([row.run, row.tag])}>
              <td>
                <i style={{ background: row.colour }} />
              </td>
              <td class="tbwidget-run-name">
                <RunName run={row.run} />
              </td>
              <td class="tbwidget-tag-name">{shortened(row.tag, shared)}</td>
              {smooths && <td>{formatValue(row.smoothed)}</td>}
              <td>{valueText(row)}</td>
              {bands && <td>{bandText(row)}</td>}
              {several && <td>{row.n === undefined ? "" : formatCount(row.n)}</td>}
              <td>{formatCount(row.step)}</td>
              {!several && <td>{xAxis === "relative" ? formatDuration(row.relative) : formatMoment(row.wall, now)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="tbwidget-quiet">{strings.moreRuns(more)}</p>}
    </>
  );
}

/** The same in words. */
export function describe(rows: readonly TagPoint[]): string {
  const values = rows.slice(0, MOST_SPOKEN).map((row) => strings.valueOfRun(`${row.run}, ${row.tag}`, spoken(row)));
  const step = rows[0] === undefined ? [] : [strings.stepName([formatCount(rows[0].step)])];
  return strings.list([...step, ...values]);
}

function spoken(row: TagPoint): string {
  const { margin } = row;
  return margin === null
    ? valueText(row)
    : strings.custom.band(valueText(row), formatValue(margin[0]), formatValue(margin[1]));
}

function bandText({ margin }: TagPoint): string {
  return margin === null ? "" : strings.fromTo(formatValue(margin[0]), formatValue(margin[1]));
}

function valueText({ value, bucket }: TagPoint): string {
  return bucket ? strings.mean(formatValue(value)) : formatExact(value);
}
