// The controls of which panels put their toolbars together.

import { useSignal } from "@preact/signals";
import { formatCount, formatTick } from "../lib/format";
import { strings } from "../lib/strings";
import { FilterBox } from "./filter";
import { useView } from "./view";

/** The slider ends here, the box goes further. */
const SLIDER_END = 0.99;

const AXES = ["step", "relative", "wall"] as const;

interface SegmentsProps<T extends string> {
  readonly title: string;
  readonly options: readonly T[];
  readonly names: Readonly<Record<T, string>>;
  readonly hints: Readonly<Record<T, string>>;
  readonly chosen: T;
  choose(option: T): void;
}

/** One of a few. */
export function Segments<T extends string>({ title, options, names, hints, chosen, choose }: SegmentsProps<T>) {
  return (
    <fieldset class="tbwidget-segments">
      <legend>{title}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          title={hints[option]}
          aria-pressed={chosen === option}
          onClick={() => choose(option)}
        >
          {names[option]}
        </button>
      ))}
    </fieldset>
  );
}

/** Steps or times. */
export function AlongAxis({ hints }: { readonly hints: Readonly<Record<(typeof AXES)[number], string>> }) {
  const { choices } = useView();
  return (
    <Segments
      title={strings.xAxis}
      options={AXES}
      names={strings.axes}
      hints={hints}
      chosen={choices.xAxis.value}
      choose={(axis) => choices.along(axis)}
    />
  );
}

export function Outliers({ hint }: { readonly hint: string }) {
  const { choices } = useView();
  return (
    <label class="tbwidget-check" title={hint}>
      <input
        type="checkbox"
        checked={choices.ignoreOutliers.value}
        onChange={(event) => choices.fitOutliers(event.currentTarget.checked)}
      />
      <span>{strings.outliers}</span>
    </label>
  );
}

/** Of each tag one plot, or one for each run; where there are several runs. */
export function OverlayRuns() {
  const { choices, session } = useView();
  return (
    session.store.runs.value.length > 1 && (
      <label class="tbwidget-check" title={strings.overlayRunsHint}>
        <input
          type="checkbox"
          checked={choices.overlayRuns.value}
          onChange={(event) => choices.overlay(event.currentTarget.checked)}
        />
        <span>{strings.overlayRuns}</span>
      </label>
    )
  );
}

/** Which steps are in sight, if not all. */
export function StepsInSight() {
  const { choices } = useView();
  const range = choices.stepRange.value;
  return (
    choices.xAxis.value === "step" &&
    range !== null && (
      <button type="button" class="tbwidget-chip" title={strings.allStepsHint} onClick={() => choices.showSteps(null)}>
        {strings.stepsFromTo(formatStep(range[0], range), formatStep(range[1], range))}
      </button>
    )
  );
}

/** The step that all charts point out, if any. */
export function LinkedStep() {
  const { choices } = useView();
  const step = choices.linkedStep.value;
  return (
    step !== null && (
      <button type="button" class="tbwidget-chip" title={strings.linkedStepHint} onClick={() => choices.link(null)}>
        {strings.linkedStep(formatCount(step))}
      </button>
    )
  );
}

export function FilterTags({ tags }: { readonly tags: readonly string[] }) {
  const { choices } = useView();
  return (
    (tags.length > 1 || choices.tagFilter.value !== "") && (
      <FilterBox
        label={strings.filterTags}
        text={choices.tagFilter.value}
        error={choices.tagPattern.value.error}
        onText={(text) => choices.filterTags(text)}
      />
    )
  );
}

export function Smoothing() {
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
