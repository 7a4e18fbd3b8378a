// The axes of line charts: their scales and limits, an axis of values that a group of cards shares, and their menus.

import { batch, type Signal, signal } from "@preact/signals";
import { rangeWithoutOutliers } from "../lib/quantiles";
import { type AxisScale, LINEAR, LOG, SCALE_NAMES, type ScaleName, scaleOf, symlog } from "../lib/scale";
import { type Range, union } from "../lib/search";
import type { Smoothing } from "../lib/smoothing";
import { groupNameOf } from "../lib/tagorder";
import { timeAxis } from "../lib/xaxis";
import { type ExactStep, logValueOptions, stepAt, timeAxisOptions, toExactStep } from "../options/shared";
import { LabeledRow } from "../ui/actionmenu";
import { Segments } from "../ui/controls";
import { MenuLabel, Popover } from "../ui/popover";
import { parseNumber, RangeBoxes } from "../ui/rangeboxes";
import { uiTexts } from "../ui/texts";
import { useOptions, useView, type View } from "../ui/view";
import { flattening, type Measures } from "./beyond";
import { scalars as scalarsCodec } from "./codec";
import { scalarsOptions } from "./options";
import type { Series } from "./series";
import { lineTexts } from "./texts";
import { MIN_CUT_POINTS, type ValueLimits } from "./valuerange";
import "./axes.css";

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
    <Popover
      label={<MenuLabel text={lineTexts().cardAxes} icon="M1.5 1v9.5H11M3.5 8 6 5l1.8 1.6 3-4.1" />}
      title={lineTexts().cardAxesHint}
      active={active}
      action="card.axes"
    >
      {() => (
        <div class="tbwidget-action-menu tbwidget-card-axes">
          <LabeledRow name={lineTexts().yScale}>
            <Segments
              title={lineTexts().yScale}
              options={SCALE_NAMES}
              names={lineTexts().scales}
              hints={lineTexts().yScaleHints}
              chosen={scale.name}
              choose={(name) => {
                for (const tag of tags) {
                  setValueScale(view, [tag], name);
                }
              }}
            />
          </LabeledRow>
          <LabeledRow name={lineTexts().valuesFromTo}>
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
          </LabeledRow>
          <LabeledRow name={lineTexts().stepsInSight}>
            <StepLimits />
          </LabeledRow>
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
          <button
            type="button"
            class="tbwidget-button"
            title={lineTexts().fitToDataHint}
            data-action="card.fit"
            onClick={fit}
          >
            {lineTexts().fitToData}
          </button>
        </div>
      )}
    </Popover>
  );
}

/** Sets the steps that charts show; null: the end of all data. */
export function setStepLimits({ channel, options }: View, low: ExactStep | null, high: ExactStep | null): void {
  const { step_range } = options.of(timeAxisOptions);
  if (low === null && high === null) {
    step_range.set(null);
    return;
  }
  const series = channel.store.series(scalarsCodec);
  const all = series.tags.peek().flatMap((tag) => [...(series.tag(tag)?.byRun.values() ?? [])]);
  const extents = all.flatMap(({ series: { stepExtent } }) => stepExtent ?? []);
  const [first, last] = union(extents.map(({ min, max }) => [min, max])) ?? [Number.NaN, Number.NaN];
  const from = low ?? least(stepAt(first), high);
  const to = high ?? greatest(stepAt(last), low);
  step_range.set(from <= to ? [from, to] : null);
}

export function StepLimits() {
  const view = useView();
  const { x_axis, step_range } = useOptions(timeAxisOptions);
  const range = step_range.value;
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
      set={(low, high) => setStepLimits(view, low, high)}
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

const scaleLists = ({ options }: Chosen) => ({
  log: options.of(logValueOptions).log_y,
  symlog: options.of(scalarsOptions).symlog_y,
});

/** The scale that the axes of all these tags have; null if they differ. */
export function commonScale(view: Chosen, tags: readonly string[]): ScaleName | null {
  const { log, symlog } = scaleLists(view);
  if (log.value.size + symlog.value.size === 0) {
    return "linear";
  }
  const nameOf = (tag = "") => (symlog.value.has(tag) ? "symlog" : log.value.has(tag) ? "log" : "linear");
  const first = nameOf(tags[0]);
  return tags.every((tag) => nameOf(tag) === first) ? first : null;
}

export function setValueScale(view: Chosen, tags: readonly string[], name: ScaleName): void {
  batch(() => {
    for (const [scale, list] of Object.entries(scaleLists(view))) {
      const names = new Set(list.peek());
      const changed = tags.filter((tag) => names.has(tag) !== (scale === name));
      for (const tag of changed) {
        if (scale === name) {
          names.add(tag);
        } else {
          names.delete(tag);
        }
      }
      if (changed.length > 0) {
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
