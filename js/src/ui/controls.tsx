// The controls that toolbars of panels are composed of.

import type { Option } from "../options/declare";
import { overlayRunsOptions, timeAxisOptions } from "../options/shared";
import { FilterBox } from "./filter";
import { uiTexts } from "./texts";
import { useOptions, useView } from "./view";
import "./controls.css";

const AXES = ["step", "relative", "wall"] as const;

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

/** Chooses what runs from left to right: steps or times. */
export function XAxis({ hints }: { readonly hints: Readonly<Record<(typeof AXES)[number], string>> }) {
  const { x_axis } = useOptions(timeAxisOptions);
  return (
    <Segments
      title={uiTexts().xAxis}
      options={AXES}
      names={uiTexts().axes}
      hints={hints}
      chosen={x_axis.value === "tag" ? null : x_axis.value}
      choose={(axis) => x_axis.set(axis)}
    />
  );
}

export function Outliers({ hint }: { readonly hint: string }) {
  return <Check option={useOptions(timeAxisOptions).ignore_outliers} name={uiTexts().outliers} hint={hint} />;
}

/** Chooses between one plot for each run and one for all; only where there are several runs. */
export function OverlayRuns() {
  const { channel } = useView();
  const { overlay_runs } = useOptions(overlayRunsOptions);
  return (
    channel.store.runs.value.length > 1 && (
      <Check option={overlay_runs} name={uiTexts().overlayRuns} hint={uiTexts().overlayRunsHint} />
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
