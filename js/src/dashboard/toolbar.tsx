// How all cards are drawn, and which of them are shown.

import { useSignal } from "@preact/signals";
import { formatTick } from "../lib/format";
import { strings } from "../lib/strings";
import { FilterBox } from "./filter";
import { useView } from "./view";

/** The slider ends here, the box goes further. */
const SLIDER_END = 0.99;

const AXES = ["step", "relative", "wall"] as const;

export function Toolbar() {
  const { choices, session } = useView();
  const tags = session.store.tags.value;
  const axis = choices.xAxis.value;
  const range = choices.stepRange.value;
  return (
    <div class="tbwidget-toolbar">
      <Smoothing />
      <fieldset class="tbwidget-segments">
        <legend>{strings.xAxis}</legend>
        {AXES.map((name) => (
          <button
            key={name}
            type="button"
            title={strings.axisHints[name]}
            aria-pressed={axis === name}
            onClick={() => choices.along(name)}
          >
            {strings.axes[name]}
          </button>
        ))}
      </fieldset>
      <label class="tbwidget-check" title={strings.outliersHint}>
        <input
          type="checkbox"
          checked={choices.ignoreOutliers.value}
          onChange={(event) => choices.fitOutliers(event.currentTarget.checked)}
        />
        <span>{strings.outliers}</span>
      </label>
      {axis === "step" && range !== null && (
        <button
          type="button"
          class="tbwidget-chip"
          title={strings.allStepsHint}
          onClick={() => choices.showSteps(null)}
        >
          {strings.stepsFromTo(formatStep(range[0], range), formatStep(range[1], range))}
        </button>
      )}
      {(tags.length > 1 || choices.tagFilter.value !== "") && (
        <FilterBox
          label={strings.filterTags}
          text={choices.tagFilter.value}
          error={choices.tagPattern.value.error}
          onText={(text) => choices.filterTags(text)}
        />
      )}
    </div>
  );
}

function Smoothing() {
  const { choices } = useView();
  const weight = choices.smoothing.value;
  /** What is in the box while it is being written, and perhaps no number yet. */
  const draft = useSignal<string | null>(null);
  // JupyterLab would take the arrow keys for its own.
  return (
    <label class="tbwidget-smoothing" title={strings.smoothingHint}>
      <span>{strings.smoothing}</span>
      <input
        type="range"
        data-lm-suppress-shortcuts="true"
        min={0}
        max={SLIDER_END}
        step={0.01}
        value={Math.min(SLIDER_END, weight)}
        aria-label={strings.smoothing}
        style={{ "--tbwidget-part": `${(100 * Math.min(SLIDER_END, weight)) / SLIDER_END}%` }}
        onInput={(event) => choices.smooth(event.currentTarget.valueAsNumber)}
      />
      <input
        type="number"
        min={0}
        max={0.999}
        step={0.001}
        value={draft.value ?? String(weight)}
        aria-label={strings.smoothing}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
          if (Number.isFinite(event.currentTarget.valueAsNumber)) {
            choices.smooth(event.currentTarget.valueAsNumber);
          }
        }}
        onBlur={() => {
          draft.value = null;
        }}
      />
    </label>
  );
}

function formatStep(step: number, [first, last]: readonly [number, number]): string {
  return formatTick(step, Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, last - first)) - 1)));
}
