// One chart of a layout: a card of all scalars that it names.

import { signal } from "@preact/signals";
import { strings } from "../../lib/strings";
import { CardFrame } from "../../ui/card";
import { patternProblem } from "../../ui/patternproblem";
import { useView } from "../../ui/view";
import { scalars } from "../scalars/kind/codec";
import { SeveralTags } from "../scalars/kind/several";
import { type Chart, tagsMatching } from "./kind/layouts";

const NO_DATA = { version: signal(0), failures: new Map() };

interface Props {
  readonly id: string;
  readonly chart: Chart;
}

export function ChartOfLayout({ id, chart }: Props) {
  const { channel, options } = useView();
  const held = channel.store.series(scalars);
  const tags = held.tags.value;
  const patterns = chart.tags.map((pattern) => ({ pattern, ...options.patterns.atStart(pattern) }));
  const problems = patterns.flatMap(({ pattern, problem }) =>
    problem.value === null ? [] : [strings.custom.badPattern(pattern, patternProblem(problem.value))],
  );
  const lines = tagsMatching(
    patterns.map(({ matches }) => matches.value),
    tags,
  ).map((tag) => ({ tag }));
  const margins = chart.series.map(({ value, lower, upper }) => {
    return { tag: value, lower: held.tag(lower), upper: held.tag(upper), margins: [lower, upper] };
  });
  const shown = [...lines, ...margins].flatMap((one) => {
    const data = held.tag(one.tag);
    return data === undefined ? [] : [{ ...one, data }];
  });
  const label = chart.title || strings.custom.untitled;
  if (shown.length === 0) {
    const names = [...chart.tags, ...chart.series.map(({ value }) => value)];
    const why = problems[0] ?? (names.length > 0 ? strings.custom.noneThere(names) : strings.custom.emptyChart);
    return (
      <CardFrame panel="custom_scalars" tag={label} label={label} only data={NO_DATA}>
        <p class="tbwidget-hint">{why}</p>
      </CardFrame>
    );
  }
  return (
    <SeveralTags
      panel="custom_scalars"
      id={id}
      label={label}
      title={`${label}: ${strings.list(shown.map(({ tag }) => tag))}`}
      shown={shown}
      buttons={problems.map((problem) => (
        <abbr key={problem} class="tbwidget-waits" title={problem}>
          !
        </abbr>
      ))}
    />
  );
}
