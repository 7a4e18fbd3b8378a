// The tooltip of line charts: a row for each line near the pointer, and a list of columns.

import type { ComponentChildren } from "preact";
import { formatCount, formatExact, formatRange, formatValue } from "../lib/format";
import { sharedStart, shortened } from "../lib/names";
import { compareNatural } from "../lib/natural";
import { listOf } from "../lib/texts";
import { formatDate, formatDuration, formatMoment } from "../lib/times";
import type { XAxisOption } from "../lib/xaxis";
import { RunName } from "../ui/runname";
import { cardTexts, uiTexts } from "../ui/texts";
import type { TooltipSort } from "./options";
import type { LinePoint } from "./points";
import { compareTexts, lineTexts } from "./texts";

const MAX_SPOKEN_RUNS = 5;

/** A column of the tooltip, beside color and run. */
export interface TooltipColumn<P = LinePoint> {
  readonly name: string;
  /** Texts are aligned at their start, numbers at their end. */
  readonly isText?: boolean;
  cell(point: P): ComponentChildren;
}

interface Props<P> {
  /** Nearest first. */
  readonly points: readonly P[];
  readonly columns: readonly TooltipColumn<P>[];
  readonly sort: TooltipSort;
  readonly most: number;
}

export function LinesTooltip<P extends LinePoint>({ points, columns, sort, most }: Props<P>) {
  const rows = sortedRows(points, sort, most);
  const [nearest] = points;
  const more = points.length - rows.length;
  const step = sameStep(points);
  return (
    <>
      <table class="tbwidget-points">
        <thead>
          <tr>
            <th colSpan={2} data-text="">
              {step === null ? lineTexts().runColumn : compareTexts().sameStep(formatCount(step))}
            </th>
            {columns.map(({ name, isText }) => (
              <th key={name} data-text={isText ? "" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={JSON.stringify([row.run, row.tag])} data-nearest={row === nearest ? "" : undefined}>
              <td>
                <i style={{ background: row.color }} />
              </td>
              <td class="tbwidget-run-name">
                <RunName run={row.run} />
              </td>
              {columns.map(({ name, isText, cell }) => (
                <td key={name} data-text={isText ? "" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="tbwidget-quiet">{uiTexts().moreRuns(more)}</p>}
    </>
  );
}

/** The step of all points, which is written once; null where they differ. */
function sameStep(points: readonly LinePoint[]): bigint | null {
  const [first] = points;
  return first !== undefined && points.every(({ step }) => step === first.step) ? first.step : null;
}

/** The columns for scalars; only those in which some point has a value. */
export function scalarColumns(
  points: readonly LinePoint[],
  xAxis: XAxisOption,
  now: Date,
  shownAs: (tag: string) => string | null,
): TooltipColumn[] {
  const tags = [...new Set(points.map(({ tag }) => tag))];
  const shared = sharedStart(tags);
  const aggregated = points.some(({ n }) => n !== undefined);
  const columns: (TooltipColumn | false)[] = [
    tags.length > 1 && {
      name: cardTexts().tag,
      isText: true,
      cell: ({ tag }) => shownAs(tag) ?? shortened(tag, shared),
    },
    points.some(({ isSmoothed }) => isSmoothed) && {
      name: lineTexts().smoothedColumn,
      cell: ({ smoothed, isSmoothed }) => (isSmoothed ? formatValue(smoothed) : ""),
    },
    { name: lineTexts().valueColumn, cell: valueText },
    points.some(({ band }) => band !== null) && { name: compareTexts().bandColumn, cell: bandText },
    aggregated && { name: compareTexts().nColumn, cell: memberText },
    sameStep(points) === null && { name: lineTexts().stepColumn, cell: ({ step }) => formatCount(step) },
    !aggregated && timeColumn(points, xAxis, now),
  ];
  return columns.filter((column) => column !== false);
}

function timeColumn(points: readonly LinePoint[], xAxis: XAxisOption, now: Date): TooltipColumn {
  if (xAxis === "relative") {
    return { name: lineTexts().relativeColumn, cell: ({ relative }) => formatDuration(relative) };
  }
  // The day of all points is written once, if it is not today.
  const days = new Set(points.map(({ wall }) => new Date(wall * 1000).toDateString()));
  const day = days.size === 1 && !days.has(now.toDateString()) ? new Date((points[0]?.wall ?? 0) * 1000) : null;
  const dated = day !== null && !Number.isNaN(day.getTime());
  return {
    name: dated ? formatDate(day, now) : lineTexts().timeColumn,
    cell: ({ wall }) => formatMoment(wall, dated ? day : now),
  };
}

/** Rows in an order, as many as fit of those around the nearest, which comes first in `all`. */
export function sortedRows<R extends Pick<LinePoint, "run" | "smoothed">>(
  all: readonly R[],
  sort: TooltipSort,
  most: number,
): readonly R[] {
  const [nearest] = all;
  if (sort === "nearest" || nearest === undefined) {
    return all.slice(0, most);
  }
  // A value that is none comes last either way.
  const down = ({ smoothed }: R) => (Number.isNaN(smoothed) ? Number.NEGATIVE_INFINITY : smoothed);
  const up = ({ smoothed }: R) => (Number.isNaN(smoothed) ? Number.POSITIVE_INFINITY : smoothed);
  const by = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);
  const sorted = [...all].sort((a, b) =>
    sort === "name" ? compareNatural(a.run, b.run) : sort === "ascending" ? by(up(a), up(b)) : by(down(b), down(a)),
  );
  const from = sorted.indexOf(nearest) - Math.floor(most / 2);
  const first = Math.max(0, Math.min(from, sorted.length - most));
  return sorted.slice(first, first + most);
}

/** The same in words. */
export function describe(points: readonly LinePoint[]): string {
  const tags = new Set(points.map(({ tag }) => tag));
  const values = points.slice(0, MAX_SPOKEN_RUNS).map((point) => {
    const { run, tag, band } = point;
    const [low, high] = band ?? [];
    const value = valueText(point);
    const spoken =
      low === undefined || high === undefined
        ? value
        : lineTexts().valueWithBand(value, formatValue(low), formatValue(high));
    return lineTexts().valueOfRun(tags.size > 1 ? listOf([run, tag]) : run, spoken);
  });
  const step = points[0] === undefined ? [] : [lineTexts().stepName([formatCount(points[0].step)])];
  return listOf([...step, ...values]);
}

/** How many runs count at a point, and of how many where not all do. */
function memberText({ n, members = n }: LinePoint): string {
  const count = n === undefined ? "" : formatCount(n);
  return members === undefined || members === n ? count : compareTexts().someOf(count, formatCount(members));
}

function valueText({ value, bucket }: LinePoint): string {
  return bucket ? lineTexts().mean(formatValue(value)) : formatExact(value);
}

function bandText({ band }: LinePoint): string {
  return band === null ? "" : formatRange(formatValue(band[0]), formatValue(band[1]));
}
