// The card of one tag's scalars.

import type { Content } from "../../charts/chart";
import { beginPlane } from "../../charts/plane";
import { runsOf, watchRuns } from "../../charts/runs";
import { Card } from "../../dashboard/card";
import type { CardProps } from "../../dashboard/groups";
import { useView, type View } from "../../dashboard/view";
import { strings } from "../../lib/strings";
import type { TagData } from "../../wire/store";
import { bytesBeside, curveOf, forgetCurve } from "./curve";
import { type HoverRow, largestStep, rowsLinked, rowsNear } from "./hover";
import { Marks } from "./marks";
import { paint } from "./paint";
import { Tooltip } from "./tooltip";

export function ScalarCard({ tag, label, data }: CardProps<TagData>) {
  const view = useView();
  const { choices, session } = view;
  return (
    <Card
      panel="scalars"
      tag={tag}
      label={label}
      marks={<Marks tag={tag} data={data} />}
      log={{ on: choices.logY.value.has(tag), hint: strings.logHint, toggle: () => choices.toggleLogY(tag) }}
      on={data}
      begin={(host, drawn) =>
        beginPlane(
          host,
          view,
          {
            tag,
            panes: () => [],
            content: () => contentOf(tag, data, view, host),
            watch: () => {
              watchRuns(data, view);
              void choices.smoothing.value;
            },
            tooltip: (hover, now) => <Tooltip hover={hover} smoothing={choices.smoothing.peek()} now={now} />,
            log: () => choices.logY.value.has(tag),
            end: () => {
              session.store.beside(host, 0);
              for (const { series } of data.byRun.values()) {
                forgetCurve(series);
              }
            },
          },
          drawn,
        )
      }
    />
  );
}

/** Lines of the runs shown, in their order of appearance, and how they are drawn. */
function contentOf(tag: string, data: TagData, view: View, owner: HTMLElement): Content<HoverRow> {
  const { choices, session } = view;
  const look = {
    xAxis: choices.xAxis.value,
    smoothing: choices.smoothing.value,
    log: choices.logY.value.has(tag),
  };
  const lines = runsOf(data, view).map(({ series, ...run }) => ({ ...run, curve: curveOf(series, look) }));
  session.store.beside(
    owner,
    lines.reduce((sum, { curve }) => sum + bytesBeside(curve.series), 0),
  );
  return {
    drawn: lines.map(({ curve }) => curve),
    lastStep: largestStep(lines),
    linked: rowsLinked(lines, choices.linkedStep.value),
    paint: (context, box, x, y, zoomed) => paint(context, box, lines, x, y, zoomed),
    near: (x, reach) => rowsNear(lines, x, reach, look.smoothing),
  };
}
