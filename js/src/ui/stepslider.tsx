// The handle of the linked step: from one step that there is to the next, through all charts.

import { formatCount } from "../lib/format";
import type { Range } from "../lib/search";
import { timeAxis } from "../lib/xaxis";
import { rangeNumbers, stepNumber, timeAxisOptions } from "../options/shared";
import { LinkedStep } from "./controls";
import { Slider } from "./slider";
import { uiTexts } from "./texts";
import { useOptions } from "./view";

/** Steps that a page key goes. */
const PAGE = 10;

/** Steps beside another one; null where there is none. */
export interface NearbySteps {
  /** The greatest below it, the greatest up to it, and the least above it. */
  readonly before: number | null;
  readonly upTo: number | null;
  readonly after: number | null;
}

/** The steps at which a panel has something. */
export interface StepSource {
  /** The least and the greatest; null without any. */
  span(): Range | null;
  near(step: number): NearbySteps;
}

/** A slider from the first visible step to the last. */
export function StepSlider({ steps }: { readonly steps: StepSource }) {
  const { x_axis, step_range, linked_step } = useOptions(timeAxisOptions);
  const span = steps.span();
  const range = timeAxis(x_axis.value) === "step" ? rangeNumbers(step_range.value) : null;
  const linked = stepNumber(linked_step.value);
  if (span === null || (span[0] === span[1] && linked === null)) {
    return <LinkedStep />;
  }
  const first = Math.max(span[0], Math.min(range?.[0] ?? span[0], span[1]));
  const last = Math.min(span[1], Math.max(range?.[1] ?? span[1], span[0]));
  const at = Math.min(last, Math.max(first, linked ?? last));
  const go = (step: number | null) => {
    if (step !== null && step !== linked) {
      linked_step.set(step);
    }
  };
  const goBy = (count: number, side: "before" | "after") => {
    let step = linked ?? last;
    for (let i = 0; i < count; i += 1) {
      const next = steps.near(step)[side];
      step = next !== null && next >= first && next <= last ? next : step;
    }
    go(step);
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => goBy(1, "before"),
    ArrowDown: () => goBy(1, "before"),
    ArrowRight: () => goBy(1, "after"),
    ArrowUp: () => goBy(1, "after"),
    PageDown: () => goBy(PAGE, "before"),
    PageUp: () => goBy(PAGE, "after"),
    Home: () => go(first),
    End: () => go(last),
    Delete: () => linked_step.set(null),
  };
  return (
    <span class="tbwidget-steps" title={uiTexts().stepSliderHint}>
      <label>
        <span>{uiTexts().stepSlider}</span>
        <Slider
          data-free={linked === null ? "" : undefined}
          min={first}
          max={last}
          step="any"
          value={at}
          aria-label={uiTexts().stepSliderLabel}
          aria-valuetext={linked === null ? uiTexts().noStep : formatCount(linked)}
          keys={keys}
          choose={(value) => go(steps.near(value).upTo)}
        />
      </label>
      <LinkedStep />
    </span>
  );
}
