// The card of one tag's distributions.

import { positionsOf } from "../../charts/along";
import type { Content } from "../../charts/chart";
import { nearestIndex } from "../../charts/extent";
import { heightOf, isWide, MOST_FACETS } from "../../charts/facets";
import { HistogramMarks } from "../../charts/marks";
import { NARROWEST_PANE, type Pane } from "../../charts/panes";
import { percentilesOf } from "../../charts/percentiles";
import { beginPlane } from "../../charts/plane";
import { runsOf, watchRuns } from "../../charts/runs";
import { Card } from "../../dashboard/card";
import type { CardProps } from "../../dashboard/groups";
import { useView, type View } from "../../dashboard/view";
import { sharedStart, shortened } from "../../lib/names";
import { lastUpTo } from "../../lib/search";
import { strings } from "../../lib/strings";
import type { HistogramData } from "../../wire/store";
import { type Bands, bandsOf } from "./bands";
import { type BandLine, outermost, paintBands } from "./paint";
import { type Place, Tooltip } from "./tooltip";

export function DistributionCard({ tag, label, data }: CardProps<HistogramData>) {
  const view = useView();
  const { choices } = view;
  void data.version.value;
  const shown = [...data.byRun.keys()].filter((run) => choices.shows(run)).length;
  const plots = choices.overlayRuns.value ? 1 : Math.min(MOST_FACETS, shown);
  return (
    <Card
      panel="distributions"
      tag={tag}
      label={label}
      wide={isWide(plots)}
      height={plots > 1 ? heightOf(plots, view.width.value, NARROWEST_PANE) : undefined}
      marks={<HistogramMarks data={data} more={choices.overlayRuns.value ? 0 : shown - plots} />}
      log={{ on: choices.logY.value.has(tag), hint: strings.logHint, toggle: () => choices.toggleLogY(tag) }}
      on={data}
      begin={(host, drawn) =>
        beginPlane(
          host,
          view,
          {
            tag,
            panes: () => panesOf(data, view),
            content: (chart) => contentOf(tag, data, view, chart),
            watch: () => {
              watchRuns(data, view);
              void choices.overlayRuns.value;
            },
            tooltip: (hover, now) => <Tooltip hover={hover} now={now} />,
            log: () => choices.logY.value.has(tag),
            end: () => {},
          },
          drawn,
        )
      }
    />
  );
}

/** A chart for each run, unless there is but one, or they are to lie upon one another. */
function panesOf(data: HistogramData, view: View): Pane[] {
  const runs = runsOf(data, view);
  if (view.choices.overlayRuns.value || runs.length < 2) {
    return [];
  }
  const start = sharedStart(view.session.store.runs.value);
  return runs.slice(0, MOST_FACETS).map(({ run, colour }) => ({ run, colour, name: shortened(run, start) }));
}

function contentOf(tag: string, data: HistogramData, view: View, chart: number): Content<Place> {
  const { choices } = view;
  const log = choices.logY.value.has(tag);
  const all = runsOf(data, view).map(({ series, ...run }) => ({
    ...run,
    bands: bandsOf(series, choices.xAxis.value, log),
  }));
  const apart = !choices.overlayRuns.value && all.length > 1;
  const lines = apart ? all.slice(chart, chart + 1) : all;
  const front = lines.filter(({ faded }) => !faded);
  const linked = choices.linkedStep.value;
  return {
    // Charts side by side have the same axes.
    drawn: apart
      ? all.slice(0, MOST_FACETS).map(({ bands }) => bands)
      : all.map(({ bands }) => fitted(bands, all.length)),
    lastStep: lines
      .flatMap(({ bands }) => bands.series.rows)
      .reduce<bigint | null>((last, { step }) => (last === null || step > last ? step : last), null),
    linked:
      linked === null
        ? []
        : front.flatMap((line) => placeAt(line, lastUpTo(positionsOf(line.bands.series, "step"), linked))),
    paint: (context, box, x, y) => paintBands(context, box, lines, x, y),
    near: (x, reach) => front.flatMap((line) => placeNear(line, x, reach)),
  };
}

/** What axes are fitted to: what is drawn of one run among so many. */
function fitted(bands: Bands, runs: number): Bands {
  const [low, high] = outermost(runs);
  return { ...bands, low: bands.percentiles[low] as Float64Array, high: bands.percentiles[high] as Float64Array };
}

/** What is nearest to `x`; nothing if the bands end more than `reach` away. */
function placeNear(line: BandLine, x: number, reach: number): Place[] {
  const { x: column } = line.bands;
  const i = nearestIndex(line.bands, x);
  const inside = i > 0 && i < column.length - 1;
  return i >= 0 && (inside || Math.abs((column[i] as number) - x) <= reach) ? placeAt(line, i) : [];
}

function placeAt({ run, colour, bands }: BandLine, i: number): Place[] {
  const row = bands.series.rows[i];
  if (row === undefined) {
    return [];
  }
  const relative = row.wall - bands.series.startWall;
  const percentiles = percentilesOf(row);
  return [
    { run, colour, row, relative, percentiles, step: row.step, x: bands.x[i] as number, y: bands.y[i] as number },
  ];
}
