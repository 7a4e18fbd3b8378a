// The handle of the linked step: from one step that there is to the next, through all charts.

import { LinkedStep } from "../dashboard/toolbar";
import { useView, type View } from "../dashboard/view";
import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import type { HistogramSeries } from "../wire/histograms";
import { stopsBeside, stopsSpan } from "./stops";

/** Steps that a page key goes. */
const PAGE = 10;

/** Steps in sight, of the histograms that are shown: the slider's ends, and where it stops. */
export function StepSlider() {
  const view = useView();
  const { choices } = view;
  const shown = shownOf(view);
  const span = stopsSpan(shown);
  const range = choices.xAxis.value === "step" ? choices.stepRange.value : null;
  const linked = choices.linkedStep.value;
  if (span === null || (span[0] === span[1] && linked === null)) {
    return <LinkedStep />;
  }
  const first = Math.max(span[0], Math.min(range?.[0] ?? span[0], span[1]));
  const last = Math.min(span[1], Math.max(range?.[1] ?? span[1], span[0]));
  const at = Math.min(last, Math.max(first, linked ?? last));
  const go = (step: number | null) => {
    // The same step once more would let it go.
    if (step !== null && step !== choices.linkedStep.peek()) {
      choices.link(step);
    }
  };
  const goBy = (stops: number, side: "before" | "after") => {
    let step = linked ?? last;
    for (let i = 0; i < stops; i += 1) {
      const next = stopsBeside(shown, step)[side];
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
    Delete: () => choices.link(null),
  };
  const part = last > first ? (at - first) / (last - first) : 1;
  // JupyterLab would take the arrow keys for its own.
  return (
    <span class="tbwidget-steps" title={strings.stepSliderHint}>
      <label>
        <span>{strings.stepSlider}</span>
        <input
          type="range"
          data-lm-suppress-shortcuts="true"
          data-free={linked === null ? "" : undefined}
          min={first}
          max={last}
          step="any"
          value={at}
          aria-label={strings.stepSliderLabel}
          aria-valuetext={linked === null ? strings.noStep : formatCount(linked)}
          style={{ "--tbwidget-part": `${100 * part}%` }}
          onInput={({ currentTarget }) => {
            go(stopsBeside(shown, currentTarget.valueAsNumber).upTo);
          }}
          onKeyDown={(event) => {
            const key = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
            if (key !== undefined) {
              event.preventDefault();
              key();
            }
          }}
        />
      </label>
      <LinkedStep />
    </span>
  );
}

/** All histograms of the runs that are shown, under the tags that are. */
function shownOf({ session, choices }: View): HistogramSeries[] {
  const { histograms } = session.store;
  const pattern = choices.tagPattern.value;
  return histograms.tags.value.filter(pattern.matches).flatMap((tag) => {
    const data = histograms.tag(tag);
    void data?.version.value;
    return [...(data?.byRun ?? [])].filter(([run]) => choices.shows(run)).map(([, { series }]) => series);
  });
}
