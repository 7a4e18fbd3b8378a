// The card of one tag's distributions.

import { Card } from "../../dashboard/card";
import { useView, type View } from "../../dashboard/view";
import { lastUpTo } from "../../lib/search";
import { strings } from "../../lib/strings";
import type { HistogramData } from "../../wire/store";
import { Marks, watch } from "../histograms/card";
import { positionsOf } from "../histograms/choose";
import { runsOf } from "../histograms/runs";
import type { Content } from "../scalars/chart";
import { nearestIndex } from "../scalars/extent";
import { beginPlane } from "../scalars/plane";
import { bandsOf } from "./bands";
import { type BandLine, paintBands } from "./paint";
import { percentilesOf } from "./percentiles";
import { type Place, Tooltip } from "./tooltip";

interface Props {
  readonly tag: string;
  readonly label: string;
  readonly data: HistogramData;
}

export function DistributionCard({ tag, label, data }: Props) {
  const view = useView();
  const { choices } = view;
  return (
    <Card
      panel="distributions"
      tag={tag}
      label={label}
      marks={<Marks data={data} />}
      log={{ on: choices.logY.value.has(tag), hint: strings.logHint, toggle: () => choices.toggleLogY(tag) }}
      on={data}
      begin={(host, drawn) =>
        beginPlane(
          host,
          view,
          {
            tag,
            content: () => contentOf(tag, data, view),
            watch: () => watch(data, view),
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

function contentOf(tag: string, data: HistogramData, view: View): Content<Place> {
  const { choices } = view;
  const log = choices.logY.value.has(tag);
  const lines = runsOf(data, view).map(({ run, colour, series, faded }) => ({
    run,
    colour,
    faded,
    bands: bandsOf(series, choices.xAxis.value, log),
  }));
  const front = lines.filter(({ faded }) => !faded);
  const linked = choices.linkedStep.value;
  return {
    drawn: lines.map(({ bands }) => bands),
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
