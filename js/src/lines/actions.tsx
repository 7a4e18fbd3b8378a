// Actions of panels with line charts: how lines are drawn and compared, along which axes, and what stands beside them.

import { SCALE_NAMES, type ScaleName } from "../lib/scale";
import { SMOOTHING_KINDS } from "../lib/smoothing";
import { timeAxis } from "../lib/xaxis";
import type { Option } from "../options/declare";
import { namedRangeOptions } from "../options/namedranges";
import { isSameRange, timeAxisOptions, toExactStep } from "../options/shared";
import type { Action, Choice, NumberAction, Toggle } from "../ui/actions";
import { outliersAction, xAxisAction } from "../ui/axisactions";
import { ofCards } from "../ui/cardactions";
import { chartCardActions, onCard } from "../ui/cardcommands";
import { choiceAmong, choiceOfName, NONE, orNone, switchOf } from "../ui/choices";
import { chartGestures } from "../ui/gestures";
import { GroupBy } from "../ui/grouping";
import { pressing } from "../ui/reach";
import { menuTexts, runTableTexts, stepTexts, uiTexts } from "../ui/texts";
import type { View } from "../ui/view";
import { commonScale, StepLimits, setStepLimits, setValueScale } from "./axes";
import { checkpointsOf } from "./checkpoints";
import { scalars as scalarsCodec } from "./codec";
import { compareState, tagAlongX } from "./compare";
import {
  AGGREGATES,
  BANDS,
  COMPARISONS,
  compareOptions,
  MAX_SMOOTHING,
  MAX_TOOLTIP_ROWS,
  MAX_WINDOW_POINTS,
  RAW_VALUES,
  scalarsOptions,
  TOOLTIP_SORTS,
} from "./options";
import { SmoothingControl } from "./smoothing";
import { checkpointTexts, compareTexts, lineTexts } from "./texts";

const lineOptions = ({ options }: View) => options.of(scalarsOptions);
const comparison = ({ options }: View) => options.of(compareOptions);

const drawing = { menu: "lines", section: () => menuTexts().sections.values } as const;
const runs = { menu: "lines", section: () => menuTexts().sections.runs } as const;
const labels = { menu: "lines", section: () => menuTexts().sections.labels } as const;
const alongX = { menu: "axes", section: () => menuTexts().sections.x } as const;
const alongY = { menu: "axes", section: () => menuTexts().sections.y } as const;
const steps = { menu: "view", section: () => menuTexts().sections.steps } as const;
const tooltip = { menu: "view", section: () => menuTexts().sections.tooltip } as const;

/** Runs are averaged, which they are only along steps or times. */
const isAggregated = (view: View) => comparison(view).aggregate.value !== null && tagAlongX(view) === null;

/** The tag along x; choosing one makes it the x axis. */
function xTag(view: View): Pick<Option<string | null>, "value" | "set"> {
  const { x_axis } = view.options.of(timeAxisOptions);
  return {
    get value() {
      return tagAlongX(view);
    },
    set: (tag) => {
      comparison(view).x_tag.set(tag);
      if (tag !== null || x_axis.peek() === "tag") {
        x_axis.set(tag === null ? "step" : "tag");
      }
    },
  };
}

/** The parts of the smoothing's control, each by itself. */
const smoothingActions: readonly Action[] = [
  choiceAmong({
    id: "lines.smoothing_kind",
    name: () => lineTexts().smoothingKind,
    hint: () => lineTexts().smoothingKindHint,
    values: SMOOTHING_KINDS,
    names: () => lineTexts().smoothingKinds,
    option: (view) => lineOptions(view).smoothing_kind,
  }),
  {
    kind: "number",
    id: "lines.smoothing",
    name: () => lineTexts().smoothing,
    hint: () => lineTexts().smoothingHint,
    least: 0,
    most: MAX_SMOOTHING,
    option: (view) => lineOptions(view).smoothing,
    applies: (view) => lineOptions(view).smoothing_kind.value === "ema",
  },
  {
    kind: "number",
    id: "lines.smoothing_window",
    name: () => lineTexts().smoothingWindow,
    hint: () => lineTexts().smoothingWindowHint,
    least: 1,
    most: MAX_WINDOW_POINTS,
    step: 1,
    option: (view) => lineOptions(view).smoothing_window,
    applies: (view) => ["mean", "gaussian"].includes(lineOptions(view).smoothing_kind.value),
  },
];

/** An end of the range of steps. */
const stepEnd = (name: string, end: 0 | 1): Action => ({
  kind: "step",
  id: `axes.${name}`,
  name: () => lineTexts().stepLimits[end],
  applies: ({ options }) => timeAxis(options.of(timeAxisOptions).x_axis.value) === "step",
  choose: (view, step) => {
    const range = view.options.of(timeAxisOptions).step_range.peek();
    const at = toExactStep(step);
    const [low, high] = end === 0 ? [at, range?.[1] ?? null] : [range?.[0] ?? null, at];
    const areOrdered = low === null || high === null || low <= high;
    // A step beyond the other end opens that.
    setStepLimits(view, areOrdered || end === 0 ? low : null, areOrdered || end === 1 ? high : null);
  },
});

/** How lines are drawn and compared, and along which axes. */
const drawingActions: readonly Action[] = [
  {
    kind: "form",
    id: "lines.smooth",
    bar: "drawn",
    name: () => lineTexts().smoothing,
    hint: () => lineTexts().smoothingHint,
    Form: SmoothingControl,
  },
  ...smoothingActions,
  xAxisAction(() => lineTexts().axisHints),
  choiceAmong({
    ...drawing,
    id: "lines.raw_values",
    name: () => lineTexts().rawValues,
    values: RAW_VALUES,
    names: () => lineTexts().rawValuesNames,
    hints: () => lineTexts().rawValuesHints,
    option: (view) => lineOptions(view).raw_values,
  }),
  {
    ...drawing,
    kind: "toggle",
    id: "lines.split_restarts",
    name: () => lineTexts().splitRestarts,
    hint: () => lineTexts().splitRestartsHint,
    option: (view) => lineOptions(view).split_restarts,
  },
  {
    ...drawing,
    kind: "toggle",
    id: "lines.superseded",
    name: () => lineTexts().showSuperseded,
    hint: () => lineTexts().showSupersededHint,
    option: (view) => lineOptions(view).superseded,
  },
  {
    ...choiceAmong({
      ...runs,
      id: "lines.aggregate",
      name: () => compareTexts().aggregate,
      values: [NONE, ...AGGREGATES],
      names: () => compareTexts().aggregates,
      hints: () => compareTexts().aggregateHints,
      option: (view) => orNone(comparison(view).aggregate),
      active: isAggregated,
    }),
    chosen: (view) => (isAggregated(view) ? comparison(view).aggregate.value : NONE),
    barred: (view) => (tagAlongX(view) === null ? undefined : compareTexts().notAggregatedAlong),
  },
  choiceAmong({
    ...runs,
    id: "lines.band",
    name: () => compareTexts().band,
    values: [NONE, ...BANDS],
    names: () => compareTexts().bands,
    hints: () => compareTexts().bandHints,
    option: (view) => orNone(comparison(view).band),
    applies: isAggregated,
  }),
  {
    ...runs,
    kind: "form",
    id: "lines.group_by",
    name: () => runTableTexts().groupBy,
    Form: GroupBy,
    applies: isAggregated,
  },
  {
    ...runs,
    kind: "toggle",
    id: "lines.aggregate_members",
    name: () => compareTexts().members,
    hint: () => compareTexts().membersHint,
    option: (view) => comparison(view).aggregate_members,
    applies: isAggregated,
  },
  choiceOfName({
    ...runs,
    id: "lines.baseline",
    name: () => compareTexts().baseline,
    hint: () => compareTexts().baselineHint,
    none: () => compareTexts().noBaseline,
    names: ({ channel }) => channel.store.runs.value,
    option: (view) => comparison(view).baseline,
    active: (view) => comparison(view).baseline.value !== null,
  }),
  choiceAmong({
    ...runs,
    id: "lines.compare_as",
    name: () => compareTexts().comparedAs,
    values: COMPARISONS,
    names: () => compareTexts().compareAs,
    hints: () => compareTexts().compareAsHints,
    option: (view) => comparison(view).compare_as,
    applies: (view) => comparison(view).baseline.value !== null,
  }),
  {
    ...labels,
    kind: "toggle",
    id: "lines.line_labels",
    name: () => compareTexts().labels,
    hint: () => compareTexts().labelsHint,
    option: (view) => comparison(view).line_labels,
  },
  {
    ...labels,
    kind: "toggle",
    id: "lines.checkpoints",
    name: () => checkpointTexts().marks,
    hint: () => checkpointTexts().marksHint,
    option: (view) => comparison(view).checkpoints,
    applies: ({ channel }) => checkpointsOf(channel.store).counts.size > 0,
  },
  {
    ...choiceAmong({
      ...alongX,
      id: "axes.x_scale",
      name: () => lineTexts().xScale,
      values: SCALE_NAMES,
      names: () => lineTexts().scales,
      hints: () => lineTexts().xScaleHints,
      option: (view) => lineOptions(view).x_scale,
      active: (view) => !isWall(view) && lineOptions(view).x_scale.value !== "linear",
    }),
    chosen: (view) => (isWall(view) ? "linear" : lineOptions(view).x_scale.value),
    barred: (view) => (isWall(view) ? lineTexts().xScaleWall : undefined),
  },
  {
    ...alongX,
    kind: "form",
    id: "axes.step_range",
    name: () => lineTexts().stepsInSight,
    Form: StepLimits,
  },
  stepEnd("first_step", 0),
  stepEnd("last_step", 1),
  {
    kind: "command",
    id: "axes.all_steps",
    name: () => stepTexts().allSteps,
    applies: ({ options }) => options.of(timeAxisOptions).step_range.value !== null,
    run: ({ options }) => options.of(timeAxisOptions).step_range.set(null),
  },
  choiceOfName({
    ...alongX,
    id: "axes.x_tag",
    name: () => compareTexts().xTag,
    hint: () => compareTexts().xTagHint,
    none: () => compareTexts().noTag,
    names: ({ channel }) => channel.store.series(scalarsCodec).tags.value,
    option: xTag,
    active: (view) => tagAlongX(view) !== null,
  }),
  outliersAction(() => lineTexts().outliersHint),
  {
    ...alongY,
    kind: "toggle",
    id: "axes.share_y",
    name: () => lineTexts().shareY,
    hint: () => lineTexts().shareYHint,
    option: (view) => lineOptions(view).share_y,
    active: (view) => lineOptions(view).share_y.value,
  },
];

/** The scale of the axes of all these tags; those of others stay as they are. */
const yScale = (tagsOf: (view: View) => readonly string[]): Choice => ({
  ...alongY,
  kind: "choice",
  id: "axes.y_scale",
  name: () => lineTexts().yScale,
  hint: () => lineTexts().yScaleHint,
  values: () => SCALE_NAMES,
  nameOf: (value) => lineTexts().scales[value as ScaleName],
  hintOf: (value) => lineTexts().yScaleHints[value as ScaleName],
  chosen: (view) => commonScale(view, tagsOf(view)),
  choose: (view, value) => {
    const name = SCALE_NAMES.find((one) => one === value);
    if (name !== undefined) {
      setValueScale(view, tagsOf(view), name);
    }
  },
  active: (view) => commonScale(view, tagsOf(view)) !== "linear",
});

const symlogThreshold: NumberAction = {
  ...alongY,
  kind: "number",
  id: "axes.symlog_constant",
  name: () => lineTexts().symlogConstant,
  hint: () => lineTexts().symlogConstantHint,
  least: 1e-300,
  most: 1e300,
  option: (view) => lineOptions(view).symlog_constant,
};

function isWall({ options }: View): boolean {
  return options.of(timeAxisOptions).x_axis.value === "wall";
}

/** Two limits with arrows between them, and a table, in 14 by 14. */
const SELECT_ICON = "M1.5 2v10M12.5 2v10M4 7h6M5.5 5.2 3.8 7l1.7 1.8M8.5 5.2 10.2 7 8.5 8.8";
const TABLE_ICON = "M1.5 2.5h11v9h-11zM1.5 5.5h11M1.5 8.5h11M5.5 2.5v9";

/** Drags in charts select steps instead of zooming. */
export const selectRange: Toggle = {
  ...steps,
  kind: "toggle",
  id: "steps.select",
  name: () => compareTexts().select,
  hint: () => compareTexts().selectHint,
  option: (view) => switchOf(compareState(view).selecting),
  icon: SELECT_ICON,
};

/** The named ranges, to select the steps of one. */
export const namedRanges: Choice = {
  kind: "choice",
  id: "steps.ranges",
  isBelow: true,
  isList: true,
  isFoundByValue: true,
  name: () => compareTexts().rangesName,
  values: ({ options }) => options.of(namedRangeOptions).named_ranges.value.map((_, i) => String(i)),
  nameOf: (i, { options }) => options.of(namedRangeOptions).named_ranges.value[Number(i)]?.name ?? "",
  isOn: (view, i) => {
    const range = view.options.of(namedRangeOptions).named_ranges.value[Number(i)];
    return range !== undefined && isSameRange(comparison(view).selected_steps.value, range.steps);
  },
  choose: (view, i) => {
    const steps = view.options.of(namedRangeOptions).named_ranges.peek()[Number(i)]?.steps ?? null;
    const { selected_steps } = comparison(view);
    selected_steps.set(isSameRange(selected_steps.peek(), steps) ? null : steps);
  },
};

/** Ends the selection of steps. */
export const clearSteps: Action = pressing("steps.clear", () => compareTexts().clear);

/** A table of the charts on the screen is open. */
export const valuesTable: Toggle = {
  ...steps,
  kind: "toggle",
  id: "steps.values",
  isBelow: true,
  name: () => compareTexts().values,
  hint: () => compareTexts().valuesHint,
  option: (view) => switchOf(compareState(view).open),
  icon: TABLE_ICON,
};

const tooltipActions: readonly Action[] = [
  choiceAmong({
    ...tooltip,
    id: "tooltip.tooltip_sort",
    name: () => compareTexts().tooltipSort,
    values: TOOLTIP_SORTS,
    names: () => compareTexts().tooltipSorts,
    option: (view) => comparison(view).tooltip_sort,
  }),
  {
    ...tooltip,
    kind: "number",
    id: "tooltip.tooltip_rows",
    name: () => compareTexts().tooltipMost,
    least: 1,
    most: MAX_TOOLTIP_ROWS,
    step: 1,
    option: (view) => comparison(view).tooltip_rows,
  },
];

/** Charts of tags without data of the shown runs. */
export const emptyCards: Toggle = {
  ...ofCards,
  kind: "toggle",
  id: "cards.empty_cards",
  name: () => compareTexts().emptyCards,
  hint: () => compareTexts().emptyCardsHint,
  option: (view) => comparison(view).empty_cards,
  active: (view) => comparison(view).empty_cards.value,
};

/** Training and validation of one measure in one card. */
export const joinSplits: Toggle = {
  ...ofCards,
  kind: "toggle",
  id: "cards.join_splits",
  name: () => compareTexts().joinSplits,
  hint: () => compareTexts().joinSplitsHint,
  option: (view) => comparison(view).join_splits,
};

/** Actions on the charts themselves: above one that fills the window, too. */
export const chartActions: readonly Action[] = [...drawingActions, symlogThreshold, selectRange, ...tooltipActions];

/** Actions on charts of these tags. */
export const tagChartActions = (tagsOf: (view: View) => readonly string[]): readonly Action[] => [
  ...drawingActions,
  yScale(tagsOf),
  symlogThreshold,
  selectRange,
  ...tooltipActions,
];

/** Actions on a card of lines. */
export const lineCardActions: readonly Action[] = [
  ...chartCardActions,
  onCard("card.log", () => uiTexts().log, { isOn: ({ tags }, view) => commonScale(view, tags) !== "linear" }),
  onCard("card.axes", () => lineTexts().cardAxes),
  onCard("card.fit", () => lineTexts().fitToData, { menu: '[data-action="card.axes"]' }),
];

/** Gestures and keys of line charts. */
export const lineGestures: readonly Action[] = chartGestures({ without: ["upright"], selects: true });
