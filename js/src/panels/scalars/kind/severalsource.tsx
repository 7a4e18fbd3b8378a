// The `ChartSource` of several tags.

import type { CardData } from "../../../ui/card";
import type { ChartSource } from "../../../ui/mountchart";
import { watchRuns } from "../../../ui/runs";
import type { View } from "../../../ui/view";
import { limitsOf, setLimits } from "../axes/chosen";
import { watchShared } from "../axes/shared";
import { linesOf, watchComparison } from "../compare/lines";
import { optionsOf } from "../compare/options";
import { selectAlong } from "../compare/selection";
import { compareState } from "../compare/state";
import { compareOptions } from "../options";
import { SupersededPoints } from "../superseded";
import { drawnScale, severalContent, severalLegend, type TagLines, type TagPoint } from "./severalcontent";
import { describe, SeveralTooltip } from "./severaltooltip";
import { alongX, freeSeries, freeTag, tooltipOptions, watchLines } from "./sourceparts";

/** `data` changes whenever something of any of them does. */
export function severalSource(
  panel: string,
  name: string,
  shown: readonly TagLines[],
  data: CardData,
  view: View,
): ChartSource<readonly TagPoint[]> {
  const tags = shown.map(({ tag }) => tag);
  const { baseline, compare_as } = view.options.of(compareOptions);
  const superseded = shown.map((part) => new SupersededPoints(panel, part.tag, part.data, view));
  return {
    panel,
    tag: tags[0] ?? "",
    tags,
    name,
    content: () => severalContent(shown, view, superseded),
    legend: () => severalLegend(shown, view),
    watch: () => {
      watchRuns(data, view);
      watchComparison(view);
      for (const one of superseded) {
        one.follow();
      }
      for (const tag of tags) {
        watchShared(tag, view);
      }
      watchLines(view);
    },
    ...alongX(view),
    valueAxis: () => {
      return `${drawnScale(shown, view).key} ${limitsOf(view, tags) ?? ""} ${baseline.value} ${compare_as.value}`;
    },
    fit: () => {
      for (const tag of tags) {
        setLimits(view, tag, [null, null]);
      }
    },
    tooltip: (rows, now) => <SeveralTooltip rows={rows} now={now} {...tooltipOptions(view)} />,
    describe,
    points: (rows) => rows,
    select: {
      always: compareState(view).selecting,
      chosen: (range) => {
        const lines = shown.flatMap((part) => linesOf(part.data, view, optionsOf(part.tag, part.data, view)));
        selectAlong(range, lines, view);
      },
    },
    release: () => {
      for (const one of superseded) {
        one.end();
      }
      for (const part of shown) {
        freeTag(part.data);
        for (const bound of [part.lower, part.upper]) {
          if (bound !== undefined) {
            freeSeries(bound);
          }
        }
      }
    },
  };
}
