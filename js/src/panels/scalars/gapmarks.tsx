// Beside a card's name: how many values are not finite, and where steps go back.

import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import { useOptions, useView } from "../../ui/view";
import { exactStep } from "../../wire/steps";
import { type Gaps, gapsOf } from "./gaps";
import type { TagScalars } from "./kind/codec";
import type { Series } from "./kind/series";
import { scalarsOptions } from "./options";
import { stepsBack } from "./pieces";

interface Props {
  readonly data: TagScalars;
}

/** Runs, and steps of one, that a hint names. */
const MOST_NAMED = 5;

/** The runs that are shown, in their order. */
function useShown({ byRun, version }: TagScalars): [string, Series][] {
  const { channel, options } = useView();
  void version.value;
  return channel.store.runs.value.flatMap((run) => {
    const held = byRun.get(run);
    return held === undefined || !options.shows(run) ? [] : [[run, held.series] as [string, Series]];
  });
}

export function NotFinite({ data }: Props) {
  const found = useShown(data).flatMap(([run, series]) => {
    const gaps = gapsOf(series);
    return gaps === null ? [] : [{ run, gaps }];
  });
  if (found.length === 0) {
    return null;
  }
  const sum = (kind: "nan" | "up" | "down" | "other") => found.reduce((total, { gaps }) => total + gaps[kind], 0);
  const all = { nan: sum("nan"), up: sum("up"), down: sum("down"), other: sum("other") };
  const hint = found.map(({ run, gaps }) =>
    strings.notFiniteHint(run, textOf(gaps), formatCount(gaps.first), formatCount(gaps.last)),
  );
  return (
    <abbr class="tbwidget-not-finite" title={listed(hint)}>
      {textOf(all)}
    </abbr>
  );
}

function textOf({ nan, up, down, other }: Pick<Gaps, "nan" | "up" | "down" | "other">): string {
  const [a, b, c, d] = [nan, up, down, other].map((count) => (count > 0 ? formatCount(count) : ""));
  return strings.notFinite(a ?? "", b ?? "", c ?? "", d ?? "");
}

/** Where lines are split. */
export function Restarts({ data }: Props) {
  const { split_restarts } = useOptions(scalarsOptions);
  const found = useShown(data).flatMap(([run, series]) => {
    const rows = Array.from(stepsBack(series));
    return rows.length === 0 ? [] : [{ run, steps: rows.map((row) => formatCount(exactStep(series.first, row))) }];
  });
  if (found.length === 0 || !split_restarts.value) {
    return null;
  }
  const count = found.reduce((total, { steps }) => total + steps.length, 0);
  const hint = found.map(({ run, steps }) => {
    const more = steps.length > MOST_NAMED ? [strings.moreRuns(steps.length - MOST_NAMED)] : [];
    return strings.restartsHint(run, strings.list([...steps.slice(0, MOST_NAMED), ...more]));
  });
  return <abbr title={listed(hint)}>{strings.restarts(count, formatCount(count))}</abbr>;
}

function listed(lines: readonly string[]): string {
  const more = lines.length > MOST_NAMED ? [strings.moreRuns(lines.length - MOST_NAMED)] : [];
  return [...lines.slice(0, MOST_NAMED), ...more].join("\n");
}
