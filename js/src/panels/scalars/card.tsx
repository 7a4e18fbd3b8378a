// The card of one tag's scalars.

import { Card } from "../../dashboard/card";
import { useView, type View } from "../../dashboard/view";
import { runColour } from "../../lib/colours";
import { strings } from "../../lib/strings";
import type { TagData } from "../../wire/store";
import type { Content } from "./chart";
import { bytesBeside, curveOf, forgetCurve } from "./curve";
import { type HoverRow, largestStep, rowsLinked, rowsNear } from "./hover";
import { Marks } from "./marks";
import { paint } from "./paint";
import { beginPlane } from "./plane";
import { Tooltip } from "./tooltip";

interface Props {
  readonly tag: string;
  readonly label: string;
  readonly data: TagData;
}

export function ScalarCard({ tag, label, data }: Props) {
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
            content: () => contentOf(tag, data, view, host),
            watch: () => watch(data, view),
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

function watch(data: TagData, { choices, pointedOut }: View): void {
  void data.version.value;
  void pointedOut.value;
  void choices.selection.value;
  void choices.runPattern.value;
  void choices.colours.value;
  void choices.smoothing.value;
}

/** Lines of the runs shown, in their order of appearance, and how they are drawn. */
function contentOf(
  tag: string,
  data: TagData,
  { session, choices, theme, pointedOut }: View,
  owner: HTMLElement,
): Content<HoverRow> {
  const { store } = session;
  const look = {
    xAxis: choices.xAxis.value,
    smoothing: choices.smoothing.value,
    log: choices.logY.value.has(tag),
  };
  const pointed = pointedOut.value;
  const shown = [...data.byRun].filter(([run]) => choices.shows(run));
  const fading = pointed !== null && shown.some(([run]) => run === pointed);
  const lines = shown
    .sort(([a], [b]) => store.place(a) - store.place(b))
    .map(([run, { series }]) => ({
      run,
      colour: choices.colours.value.get(run) ?? runColour(store.place(run), theme.value),
      curve: curveOf(series, look),
      faded: fading && run !== pointed,
    }));
  store.beside(
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
