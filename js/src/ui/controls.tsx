// The controls that toolbars of panels are composed of.

import { useSignal } from "@preact/signals";
import type { Option } from "../options/declare";
import { FilterBox } from "./filter";
import { uiTexts } from "./texts";
import { useView } from "./view";
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
  /** The beginning of the ids of the actions that press them; an option ends each. */
  readonly action?: string;
  /** Each is pressed or not by itself; `chosen` does not count. */
  isOn?(option: T): boolean;
  choose(option: T): void;
}

/** A row of buttons; one of them is pressed, or each by itself. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { title, options, names, hints, chosen, disabled = false, barred, action, isOn, choose } = props;
  return (
    <fieldset class={isOn ? "tbwidget-segments tbwidget-switches" : "tbwidget-segments"} disabled={disabled}>
      <legend>{title}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          title={barred?.[option] ?? hints[option]}
          aria-pressed={isOn?.(option) ?? chosen === option}
          disabled={barred?.[option] !== undefined}
          data-action={action === undefined ? undefined : action + option}
          onClick={() => choose(option)}
        >
          {names[option]}
        </button>
      ))}
    </fieldset>
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

interface CheckProps {
  readonly option: Option<boolean>;
  readonly name: string;
  readonly hint?: string;
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
  readonly option: Option<number | null>;
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
      value={draft.value ?? String(option.value ?? "")}
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
