// The steps of line charts, and the buttons beside them: drags that select steps, and the table of values.

import { bisect, type Range } from "../lib/search";
import { timeAxis } from "../lib/xaxis";
import { stepAt, stepOverviewOptions, timeAxisOptions, toExactStep } from "../options/shared";
import { shownSeries, shownUnderTags, unfollowed } from "../ui/runs";
import { type NearbySteps, nearest, StepSearch, type StepSource, type StepSpan, unionOfSpans } from "../ui/stepsource";
import { useStepSpan } from "../ui/stepspan";
import { useOptions, useView, type View } from "../ui/view";
import { exactStep } from "../wire/steps";
import { scalars as scalarsCodec, stepsDuring } from "./codec";
import { compareState, tagAlongX } from "./compare";
import { compareOptions } from "./options";
import type { Line } from "./paint";
import type { Series } from "./series";
import { compareTexts } from "./texts";
import { ValuesTable } from "./valuestable";

export function useLineSteps(): StepSource {
  const view = useView();
  const { selected_steps } = useOptions(compareOptions);
  const span = useStepSpan(view.channel.store.series(scalarsCodec), spanOf);
  const strip = useOptions(stepOverviewOptions).step_overview.value;
  const selected = selected_steps.value;
  return {
    span,
    near: (step) => nearbySteps(seriesOnScreen(view), step),
    along: { strip, selected },
    Tools: LineTools,
    Table: ValuesTable,
  };
}

/** Series of the cards on the screen: a search in thousands that are not seen would delay each step that is played. */
function seriesOnScreen(view: View): Series[] {
  const of = view.channel.store.series(scalarsCodec);
  const tags = view.inSight.peek();
  const seen = tags.flatMap((tag) => {
    const data = of.tag(tag);
    return data === undefined ? [] : shownSeries(unfollowed(data), view);
  });
  return seen.length > 0 ? seen : shownUnderTags(of, view);
}

type Steps = Pick<Series, "step" | "first" | "ascending" | "lastStep" | "stepExtent">;

/** The least step and the greatest of these series; null without any. */
export function spanOf(all: readonly Steps[]): StepSpan | null {
  return unionOfSpans(
    all.map(({ first, ascending, lastStep, stepExtent }): StepSpan | null => {
      const least = ascending ? exactStep(first, 0) : BigInt(stepExtent?.min ?? 0);
      return lastStep === null ? null : [least, lastStep];
    }),
  );
}

/** Steps that these series have beside another one. A bucket tells only its first and its last step. */
export function nearbySteps(all: readonly Steps[], at: bigint): NearbySteps {
  const search = new StepSearch(at);
  for (const { step, first, ascending } of all) {
    const stepAt = (row: number) => exactStep(step, row);
    const from = ascending ? Math.max(0, bisect(0, step.length, (row) => stepAt(row) < at) - 1) : 0;
    const behind = ascending ? bisect(from, step.length, (row) => stepAt(row) <= at) + 1 : step.length;
    for (let row = from; row < Math.min(behind, step.length); row += 1) {
      search.see(stepAt(row));
      search.see(exactStep(first, row));
    }
  }
  return search.found;
}

/** The first and the last step of these series within a range; between two steps, the nearest one. */
export function stepsWithin(all: readonly Steps[], [from, to]: Range): StepSpan | null {
  const near = (step: bigint) => nearbySteps(all, step);
  const at = (place: number) => BigInt(stepAt(place));
  const [first, last] = [near(at(Math.ceil(from)) - 1n).after, near(at(Math.floor(to))).upTo];
  if (first !== null && last !== null && first <= last) {
    return [first, last];
  }
  const one = nearest({ near }, at(Math.round((from + to) / 2)));
  return one === null ? null : [one, one];
}

/** Selects the steps of lines between two places along x; along another tag there are none. */
export function selectAlong(range: Range, lines: readonly Line[], view: View): void {
  if (tagAlongX(view) !== null) {
    return;
  }
  const axis = timeAxis(view.options.of(timeAxisOptions).x_axis.peek());
  const series = lines.map(({ curve }) => curve.series);
  const steps = axis === "step" ? stepsWithin(series, range) : stepsDuring(series, range, axis === "relative");
  if (steps !== null) {
    const [first, last] = steps;
    view.options.of(compareOptions).selected_steps.set([toExactStep(BigInt(first)), toExactStep(BigInt(last))]);
  }
}

/** Brackets around a line, and a table. */
const BRACKETS = "M4.5 2H2v10h2.5M9.5 2H12v10H9.5M4.5 7h5";
const GRID = "M1.5 2.5h11v9h-11zM1.5 5.5h11M1.5 8.5h11M6 2.5v9";

function LineTools() {
  const { selecting, open } = compareState(useView());
  const tools = [
    { is: selecting, name: compareTexts().select, hint: compareTexts().selectHint, path: BRACKETS },
    { is: open, name: compareTexts().values, hint: compareTexts().valuesHint, path: GRID },
  ];
  return (
    <>
      {tools.map(({ is, name, hint, path }) => (
        <button
          key={path}
          type="button"
          class="tbwidget-step-tool"
          title={`${name}: ${hint}`}
          aria-label={name}
          aria-pressed={is.value}
          onClick={() => {
            is.value = !is.peek();
          }}
        >
          <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
            <path d={path} />
          </svg>
        </button>
      ))}
    </>
  );
}
