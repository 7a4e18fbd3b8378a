// First and last step in sight, to be typed in.

import { union } from "../../../lib/range";
import { strings } from "../../../lib/strings";
import { timeAxis } from "../../../lib/xaxis";
import { type ExactStep, stepAt, timeAxisOptions, toExactStep } from "../../../options/shared";
import { parseNumber, RangeBoxes } from "../../../ui/rangeboxes";
import { useOptions, useView } from "../../../ui/view";
import { scalars as scalarsCodec } from "../kind/codec";

export function StepLimits() {
  const { channel } = useView();
  const { x_axis, step_range } = useOptions(timeAxisOptions);
  const range = step_range.value;
  /** Of an end that is left open: that of all data. */
  const ends = () => {
    const series = channel.store.series(scalarsCodec);
    const all = series.tags.peek().flatMap((tag) => [...(series.tag(tag)?.byRun.values() ?? [])]);
    const extents = all.flatMap(({ series: { stepExtent } }) => stepExtent ?? []);
    return union(extents.map(({ min, max }) => [min, max])) ?? ([Number.NaN, Number.NaN] as const);
  };
  return (
    <RangeBoxes
      names={strings.stepLimits}
      hint={strings.stepsFromToHint}
      open={strings.openSteps}
      whole
      disabled={timeAxis(x_axis.value) !== "step"}
      low={range?.[0] ?? null}
      high={range?.[1] ?? null}
      parse={parseStepEnd}
      set={(low, high) => {
        if (low === null && high === null) {
          step_range.set(null);
          return;
        }
        const [first, last] = ends();
        const from = low ?? least(stepAt(first), high);
        const to = high ?? greatest(stepAt(last), low);
        step_range.set(from <= to ? [from, to] : null);
      }}
    />
  );
}

/** With all digits that were written; of 1e6, or 2.5, the number, rounded. */
function parseStepEnd(text: string): ExactStep | undefined {
  if (/^\s*-?\d{1,40}\s*$/.test(text)) {
    return toExactStep(BigInt(text));
  }
  const number = parseNumber(text);
  return number === undefined ? undefined : stepAt(Math.round(number));
}

function least(step: ExactStep, other: ExactStep | null): ExactStep {
  return other !== null && other < step ? other : step;
}

function greatest(step: ExactStep, other: ExactStep | null): ExactStep {
  return other !== null && other > step ? other : step;
}
