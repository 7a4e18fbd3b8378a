// The axes of line charts: their scales and limits, an axis of values that a group of cards shares, and their menus.

import { batch, type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { rangeWithoutOutliers } from "../lib/quantiles";
import { type AxisScale, LINEAR, LOG, SCALE_NAMES, type ScaleName, scaleOf, symlog } from "../lib/scale";
import { type Range, union } from "../lib/search";
import type { Smoothing } from "../lib/smoothing";
import { groupNameOf } from "../lib/tagorder";
import { timeAxis } from "../lib/xaxis";
import type { Option } from "../options/declare";
import { type ExactStep, logValueOptions, stepAt, timeAxisOptions, toExactStep } from "../options/shared";
import { Check, Segments } from "../ui/controls";
import { Popover } from "../ui/popover";
import { parseNumber, RangeBoxes } from "../ui/rangeboxes";
import { uiTexts } from "../ui/texts";
import { useOptions, useView, type View } from "../ui/view";
import { flattening, type Measures } from "./beyond";
import { scalars as scalarsCodec } from "./codec";
import { RAW_VALUES, scalarsOptions } from "./options";
import type { Series } from "./series";
import { lineTexts } from "./texts";
import { MIN_CUT_POINTS, type ValueLimits } from "./valuerange";
import "./axes.css";

export function AxesMenu() {
  const { x_scale, raw_values, share_y, split_restarts, superseded, symlog_constant } = useOptions(scalarsOptions);
  const { x_axis, ignore_outliers } = useOptions(timeAxisOptions);
  const wall = x_axis.value === "wall";
  const active = (!wall && x_scale.value !== "linear") || share_y.value;
  return (
    <AxesForm label={lineTexts().axesMenu} title={lineTexts().axesMenuHint} active={active}>
      {() => (
        <>
          <ScaleRow
            name={lineTexts().xScale}
            hints={lineTexts().xScaleHints}
            chosen={wall ? "linear" : x_scale.value}
            choose={(scale) => x_scale.set(scale)}
            fixed={wall ? lineTexts().xScaleWall : undefined}
          />
          <StepsRow />
          <hr />
          <AxesRow name={lineTexts().rawValues}>
            <Segments
              title={lineTexts().rawValues}
              options={RAW_VALUES}
              names={lineTexts().rawValuesNames}
              hints={lineTexts().rawValuesHints}
              chosen={raw_values.value}
              choose={(behind) => raw_values.set(behind)}
            />
          </AxesRow>
          <Check option={split_restarts} name={lineTexts().splitRestarts} hint={lineTexts().splitRestartsHint} />
          <Check option={superseded} name={lineTexts().showSuperseded} hint={lineTexts().showSupersededHint} />
          <hr />
          <Check option={ignore_outliers} name={uiTexts().outliers} hint={lineTexts().outliersHint} />
          <Check option={share_y} name={lineTexts().shareY} hint={lineTexts().shareYHint} />
          <AxesRow name={lineTexts().symlogConstant} hint={lineTexts().symlogConstantHint}>
            <NumberBox option={symlog_constant} name={lineTexts().symlogConstant} least={1e-300} most={1e300} />
          </AxesRow>
        </>
      )}
    </AxesForm>
  );
}

interface CardAxesProps {
  /** All tags of the card: a chosen option applies to each. */
  readonly tags: readonly string[];
  readonly scale: AxisScale;
  readonly active: boolean;
  fit(): void;
}

export function CardAxes({ tags, scale, active, fit }: CardAxesProps) {
  const view = useView();
  const { ignore_outliers } = useOptions(timeAxisOptions);
  const [low, high] = limitsOf(view, tags) ?? [null, null];
  return (
    <AxesForm label={lineTexts().cardAxes} title={lineTexts().cardAxesHint} active={active}>
      {() => (
        <>
          <ScaleRow
            name={lineTexts().yScale}
            hints={lineTexts().yScaleHints}
            chosen={scale.name}
            choose={(name) => {
              for (const tag of tags) {
                setValueScale(view, tag, name);
              }
            }}
          />
          <AxesRow name={lineTexts().valuesFromTo}>
            <RangeBoxes
              names={lineTexts().valueLimits}
              hint={lineTexts().valuesFromToHint}
              open={[lineTexts().fitted, lineTexts().fitted]}
              low={low}
              high={high}
              parse={parseNumber}
              set={(from, to) => {
                for (const tag of tags) {
                  setLimits(view, tag, [from, to]);
                }
              }}
            />
          </AxesRow>
          <StepsRow />
          {ignore_outliers.value && (
            <label class="tbwidget-check" title={lineTexts().outliersOfCardHint}>
              <input
                type="checkbox"
                checked={ignoresOutliers(tags, view)}
                onChange={({ currentTarget }) => includeOutliers(tags, view, !currentTarget.checked)}
              />
              <span>{uiTexts().outliers}</span>
            </label>
          )}
          <button type="button" class="tbwidget-button" title={lineTexts().fitToDataHint} onClick={fit}>
            {lineTexts().fitToData}
          </button>
        </>
      )}
    </AxesForm>
  );
}

interface FormProps {
  readonly label: string;
  readonly title: string;
  readonly active: boolean;
  /** Called while the menu is open. */
  children(): ComponentChildren;
}

function AxesForm({ label, title, active, children }: FormProps) {
  return (
    <Popover label={label} title={title} active={active}>
      {() => <div class="tbwidget-axes">{children()}</div>}
    </Popover>
  );
}

interface AxesRowProps {
  readonly name: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}

function AxesRow({ name, hint, children }: AxesRowProps) {
  return (
    <div title={hint}>
      <span>{name}</span>
      {children}
    </div>
  );
}

interface ScaleProps {
  readonly name: string;
  readonly hints: Readonly<Record<ScaleName, string>>;
  readonly chosen: ScaleName;
  choose(scale: ScaleName): void;
  /** Why the option is missing. */
  readonly fixed?: string | undefined;
}

function ScaleRow({ name, hints, chosen, choose, fixed }: ScaleProps) {
  return (
    <AxesRow name={name} hint={fixed}>
      <Segments
        title={name}
        options={SCALE_NAMES}
        names={lineTexts().scales}
        hints={hints}
        chosen={chosen}
        choose={choose}
        disabled={fixed !== undefined}
      />
    </AxesRow>
  );
}

function StepsRow() {
  return (
    <AxesRow name={lineTexts().stepsInSight}>
      <StepLimits />
    </AxesRow>
  );
}

function StepLimits() {
  const { channel } = useView();
  const { x_axis, step_range } = useOptions(timeAxisOptions);
  const range = step_range.value;
  /** The placeholder of an open end: the end of all data. */
  const ends = () => {
    const series = channel.store.series(scalarsCodec);
    const all = series.tags.peek().flatMap((tag) => [...(series.tag(tag)?.byRun.values() ?? [])]);
    const extents = all.flatMap(({ series: { stepExtent } }) => stepExtent ?? []);
    return union(extents.map(({ min, max }) => [min, max])) ?? ([Number.NaN, Number.NaN] as const);
  };
  return (
    <RangeBoxes
      names={lineTexts().stepLimits}
      hint={lineTexts().stepsFromToHint}
      open={lineTexts().openSteps}
      mayBeEqual
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

type Chosen = Pick<View, "options">;

export function smoothingOf({ options }: Chosen): Smoothing {
  const { smoothing, smoothing_kind, smoothing_window } = options.of(scalarsOptions);
  const kind = smoothing_kind.value;
  return { kind, amount: kind === "ema" ? smoothing.value : smoothing_window.value };
}

/** Times of day are spread evenly; steps and seconds as chosen. */
export function xScaleOf({ options }: Chosen): AxisScale {
  const { x_axis } = options.of(timeAxisOptions);
  return x_axis.value === "wall" ? LINEAR : scaleOf(options.of(scalarsOptions).x_scale.value);
}

/** A tag that stands in both lists has the scale on which all values have a place. */
export function valueScaleOf({ options }: Chosen, tag: string): AxisScale {
  const { symlog_y, symlog_constant } = options.of(scalarsOptions);
  if (symlog_y.value.has(tag)) {
    return symlog(symlog_constant.value);
  }
  return options.of(logValueOptions).log_y.value.has(tag) ? LOG : LINEAR;
}

/** The limits that have been chosen for all of these tags: from the least of theirs to the greatest. */
export function limitsOf({ options }: Chosen, tags: readonly string[]): ValueLimits | undefined {
  const ranges = options.of(scalarsOptions).y_ranges.value;
  const chosen = tags.map((tag) => ranges.get(tag) ?? [null, null]);
  const [lows, highs] = [chosen.map(([low]) => low), chosen.map(([, high]) => high)];
  const every = (ends: readonly (number | null)[]) => ends.filter((end) => end !== null).length === tags.length;
  const [low, high] = [
    every(lows) ? Math.min(...(lows as number[])) : null,
    every(highs) ? Math.max(...(highs as number[])) : null,
  ];
  return low === null && high === null ? undefined : [low, high];
}

/** Whether the axis of a card of these tags leaves outliers out. */
export function ignoresOutliers(tags: readonly string[], { options }: Chosen): boolean {
  const included = options.of(scalarsOptions).outliers_y.value;
  return (
    options.of(timeAxisOptions).ignore_outliers.value && !(tags.length > 0 && tags.every((tag) => included.has(tag)))
  );
}

/** Whether the axes of these tags alone include outliers. */
export function includeOutliers(tags: readonly string[], { options }: Chosen, included: boolean): void {
  const { outliers_y } = options.of(scalarsOptions);
  const names = new Set(outliers_y.peek());
  for (const tag of tags) {
    if (included) {
      names.add(tag);
    } else {
      names.delete(tag);
    }
  }
  outliers_y.set(names);
}

/** By view: the axes that are fitted without the runs that flatten the others. Kept as a zoom is: while the view lives. */
const cutAxes = new WeakMap<Chosen, Signal<ReadonlySet<string>>>();

function cutAxesOf(view: Chosen): Signal<ReadonlySet<string>> {
  const axes = cutAxes.get(view) ?? signal<ReadonlySet<string>>(new Set());
  cutAxes.set(view, axes);
  return axes;
}

/** Tells the axis of values of a tag's card from all others; cards that share one have the same. */
function axisKey(tag: string, { options }: Chosen): string {
  const group = options.of(scalarsOptions).share_y.value ? groupNameOf(tag) : "";
  return JSON.stringify(group === "" ? { tag } : { group });
}

/** Whether the axis of a card of these tags is fitted without the runs that flatten the others. */
export function cutsRuns(tags: readonly string[], view: Chosen): boolean {
  const axes = cutAxesOf(view).value;
  return tags.length > 0 && tags.every((tag) => axes.has(axisKey(tag, view)));
}

/** Fits the axes of these tags without the runs that flatten the others, or with all runs. */
export function cutRuns(tags: readonly string[], view: Chosen, cut: boolean): void {
  const axes = new Set(cutAxesOf(view).peek());
  for (const key of tags.map((tag) => axisKey(tag, view))) {
    if (cut) {
      axes.add(key);
    } else {
      axes.delete(key);
    }
  }
  cutAxesOf(view).value = axes;
}

export function setValueScale({ options }: Chosen, tag: string, name: ScaleName): void {
  const lists = { log: options.of(logValueOptions).log_y, symlog: options.of(scalarsOptions).symlog_y };
  batch(() => {
    for (const [scale, list] of Object.entries(lists)) {
      const names = new Set(list.peek());
      const changed = scale === name ? !names.has(tag) && names.add(tag) : names.delete(tag);
      if (changed) {
        list.set(names);
      }
    }
  });
}

/** Fixes the ends of a tag's axis of values; null for one that is fitted. */
export function setLimits({ options }: Chosen, tag: string, [low, high]: ValueLimits): void {
  const { y_ranges } = options.of(scalarsOptions);
  const ranges = new Map(y_ranges.peek());
  const [before, after] = [ranges.get(tag), low === null && high === null ? undefined : ([low, high] as const)];
  if (before?.[0] === after?.[0] && before?.[1] === after?.[1]) {
    return;
  }
  ranges.delete(tag);
  y_ranges.set(after === undefined ? ranges : ranges.set(tag, after));
}

/** The least and greatest shown value of a tag's group, at all steps; null where cards have axes of their own. */
export function sharedValues(tag: string, view: View): Range | null {
  const scale = valueScaleOf(view, tag).name;
  const positive = scale === "log";
  const members = membersOf(tag, view);
  // The outliers are included for all members if they are for one: the axis is the same.
  const ignoreOutliers = members.every((one) => ignoresOutliers([one], view));
  const held = view.channel.store.series(scalarsCodec);
  const cuts = ignoreOutliers && scale === "linear" && cutsRuns([tag], view);
  const ranges = members.flatMap((one) => {
    const drawn = [...(held.tag(one)?.byRun ?? [])].flatMap(([run, { series }]) =>
      view.options.shows(run) ? [series] : [],
    );
    const flat = cuts ? flattening(drawn, SERIES_MEASURES) : null;
    return drawn.flatMap((series) => {
      const range = flat?.has(series) ? null : extentOf(series, positive, ignoreOutliers);
      return range === null ? [] : [range];
    });
  });
  return union(ranges);
}

const SERIES_MEASURES: Measures<Series> = {
  whole: (series) => extentOf(series, false, false),
  calm: (series) => extentOf(series, false, true),
  newest: (series) => newestIn(series, false),
};

/** The tags that share the axis of one. */
function membersOf(tag: string, { options, channel }: View): string[] {
  const group = groupNameOf(tag);
  if (!options.of(scalarsOptions).share_y.value || group === "") {
    return [];
  }
  const matches = options.tagFilter.matches.value;
  return channel.store
    .series(scalarsCodec)
    .tags.value.filter((other) => other === tag || (groupNameOf(other) === group && matches(other)));
}

const extents = new WeakMap<Series, Map<string, Range | null>>();

/** The range of the finite values of a series; on a logarithmic axis, of the positive ones. */
function extentOf(series: Series, positive: boolean, ignoreOutliers: boolean): Range | null {
  const known = extents.get(series) ?? new Map<string, Range | null>();
  extents.set(series, known);
  const key = `${positive} ${ignoreOutliers}`;
  let range = known.get(key);
  if (range === undefined) {
    const columns = [...new Set([series.min, series.max])].map((column) =>
      column.filter((value) => isHeld(value, positive)),
    );
    const isCut = ignoreOutliers && series.total >= MIN_CUT_POINTS;
    const newest = newestIn(series, positive).map((value): Range => [value, value]);
    range = union(isCut ? [...columns.flatMap(inliers), ...newest] : columns.flatMap(ends));
    known.set(key, range);
  }
  return range;
}

function isHeld(value: number, positive: boolean): boolean {
  return value - value === 0 && (value > 0 || !positive);
}

/** The newest value that has a place on the axis. A bucket that ends with another value gives its least and its greatest. */
function newestIn({ value, min, max, last }: Series, positive: boolean): number[] {
  const row = value.findLastIndex((_, i) => isHeld(max[i] as number, positive));
  const isNewest = row === value.length - 1 && last !== null && isHeld(last, positive);
  return (isNewest ? [last] : [min[row], max[row]]).filter(
    (one): one is number => one !== undefined && isHeld(one, positive),
  );
}

function inliers(values: Float64Array): Range[] {
  const range = rangeWithoutOutliers(values);
  return range === null ? [] : [range];
}

function ends(values: Float64Array): Range[] {
  if (values.length === 0) {
    return [];
  }
  let [min, max] = [values[0] as number, values[0] as number];
  for (const value of values) {
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  return [[min, max]];
}
