// The controls that toolbars of panels are composed of.

import { useSignal } from "@preact/signals";
import { formatCount, formatTick } from "../lib/format";
import { timeAxis } from "../lib/xaxis";
import type { Option } from "../options/declare";
import { type ExactStep, type StepRange, timeAxisOptions } from "../options/shared";
import { FilterBox } from "./filter";
import { uiTexts } from "./texts";
import { useOptions, useView } from "./view";
import "./controls.css";
import "./targets.css";

interface SegmentsProps<T extends string> {
  readonly title: string;
  readonly options: readonly T[];
  readonly names: Readonly<Record<T, string>>;
  readonly hints: Readonly<Record<T, string>>;
  /** Null: none of them. */
  readonly chosen: T | null;
  readonly disabled?: boolean;
  /** Options that cannot be chosen now, and why. */
  readonly barred?: Readonly<Partial<Record<T, string>>>;
  choose(option: T): void;
}

/** A row of buttons; one of them is pressed. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { title, options, names, hints, chosen, disabled = false, barred, choose } = props;
  return (
    <fieldset class="tbwidget-segments" disabled={disabled}>
      <legend>{title}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          title={barred?.[option] ?? hints[option]}
          aria-pressed={chosen === option}
          disabled={barred?.[option] !== undefined}
          onClick={() => choose(option)}
        >
          {names[option]}
        </button>
      ))}
    </fieldset>
  );
}

/** The visible range of steps, if it is not all; a click shows all. */
export function StepsInSight() {
  const { x_axis, step_range } = useOptions(timeAxisOptions);
  const range = step_range.value;
  return (
    timeAxis(x_axis.value) === "step" &&
    range !== null && (
      <button type="button" class="tbwidget-chip" title={uiTexts().allStepsHint} onClick={() => step_range.set(null)}>
        {uiTexts().stepsFromTo(formatStep(range[0], range), formatStep(range[1], range))}
      </button>
    )
  );
}

/** The linked step, if any; a click unlinks it. */
export function LinkedStep() {
  const { linked_step } = useOptions(timeAxisOptions);
  const step = linked_step.value;
  return (
    step !== null && (
      <button
        type="button"
        class="tbwidget-chip tbwidget-linked-chip"
        title={uiTexts().linkedStepHint}
        onClick={() => linked_step.set(null)}
      >
        {uiTexts().linkedStep(formatCount(step))}
      </button>
    )
  );
}

export function FilterTags({ tags }: { readonly tags: readonly string[] }) {
  const { tagFilter } = useView().options;
  return (
    (tags.length > 1 || tagFilter.text.value !== "") && (
      <FilterBox label={uiTexts().filterTags} filter={tagFilter} names={tags} />
    )
  );
}

function formatStep(step: ExactStep, range: StepRange): string {
  const [first, last] = [Number(range[0]), Number(range[1])];
  return typeof step === "bigint"
    ? formatCount(step)
    : formatTick(step, Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, last - first)) - 1)));
}

interface CheckProps {
  readonly option: Option<boolean>;
  readonly name: string;
  readonly hint: string;
}

/** An option that is on or off. */
export function Check({ option, name, hint }: CheckProps) {
  return (
    <label class="tbwidget-check" title={hint}>
      <input
        type="checkbox"
        checked={option.value}
        onChange={({ currentTarget }) => option.set(currentTarget.checked)}
      />
      <span>{name}</span>
    </label>
  );
}

interface NumberBoxProps {
  readonly option: Option<number>;
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly step?: number;
  readonly disabled?: boolean;
}

export function NumberBox({ option, name, least, most, step, disabled = false }: NumberBoxProps) {
  /** The text that is being typed, which may not be a number yet. */
  const draft = useSignal<string | null>(null);
  return (
    <input
      type="number"
      min={least}
      max={most}
      step={step ?? "any"}
      value={draft.value ?? String(option.value)}
      aria-label={name}
      disabled={disabled}
      data-lm-suppress-shortcuts="true"
      onInput={({ currentTarget: { value, valueAsNumber } }) => {
        draft.value = value;
        if (Number.isFinite(valueAsNumber)) {
          const whole = step === 1 ? Math.round(valueAsNumber) : valueAsNumber;
          option.set(Math.min(most, Math.max(least, whole)));
        }
      }}
      onBlur={() => {
        draft.value = null;
      }}
    />
  );
}
