// The hyperparameters: plots of all sessions, and below them their table.

import { useLayoutEffect } from "preact/hooks";
import { scalars } from "../../lines/codec";
import type { Action } from "../../ui/actions";
import { choiceAmong } from "../../ui/choices";
import { keyGestures, pointerGestures } from "../../ui/gestures";
import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { Toolbar } from "../../ui/toolbar";
import { useView, type View } from "../../ui/view";
import { SessionCount, SessionsLine } from "./chips";
import { ColumnChooser } from "./chooser";
import { hparamsDocument } from "./codec";
import type { Column } from "./columns";
import { areNamed } from "./names";
import { GOALS, hparamsOptions, METRIC_VALUES, PLOTS, type PlotName } from "./options";
import { AXIS_KEYS } from "./parallel/keys";
import { Parallel } from "./parallel/parallel";
import { parallelTexts } from "./parallel/texts";
import { previewOf, type SessionPreview } from "./preview";
import { SaveTable } from "./save";
import { Importance } from "./scatter/importances";
import { Scatter } from "./scatter/scatter";
import { hparamsOf, useHParams } from "./sessions";
import { SessionsTable, tableOf } from "./table";
import { hparamsTexts } from "./texts";
import "./hparams.css";
import "./scatter/scatter.css";

export function HParamsPanel() {
  const view = useView();
  const state = useHParams();
  const preview = previewOf(view, state);
  useLayoutEffect(() => {
    view.options.runs.preview.value = preview;
  }, [view, preview]);
  const failure = view.channel.store.failure("hparams", "", "");
  const { sessions } = state.document.value;
  const plots = state.options.hparams_plots.value;
  if (sessions.length === 0) {
    return (
      <p class="tbwidget-hint">
        {failure ?? (state.areLeftOut.value ? hparamsTexts().leftOutOfPage : hparamsTexts().noSessions)}
      </p>
    );
  }
  const isEmpty = tableOf(view).rows.value.length === 0;
  return (
    <div class="tbwidget-hparams" data-panel="hparams">
      {failure !== undefined && (
        <p class="tbwidget-hint" role="alert">
          {failure}
        </p>
      )}
      {state.areFromNames.value && <p class="tbwidget-hint">{hparamsTexts().fromRunNames}</p>}
      <SessionsLine>
        <GoalNote />
        {preview.runs.value !== null && <PreviewNote preview={preview} />}
      </SessionsLine>
      <Importance />
      {state.isSingle.value && plots.length > 0 && <p class="tbwidget-hint">{hparamsTexts().plotsLater}</p>}
      {!state.isSingle.value &&
        plots.map((plot) => (plot === "parallel" ? <Parallel key={plot} /> : <Scatter key={plot} />))}
      <SessionsTable />
      {isEmpty && (
        <p class="tbwidget-hint">
          {state.shown.value.length > 0
            ? hparamsTexts().noneBrushed
            : state.selected.value?.size === 0
              ? hparamsTexts().noneSelected
              : hparamsTexts().nonePasses}
        </p>
      )}
    </div>
  );
}

/** The chosen goal is not among the metrics yet: another one colors and ranks. */
function GoalNote() {
  const state = useHParams();
  const missing = state.missingGoal.value;
  const shown = state.goal.value;
  return missing === null ? null : (
    <span class="tbwidget-hint" role="status">
      {hparamsTexts().goalMissing(missing, shown?.title ?? null)}
    </span>
  );
}

/** Says what other panels show. It takes only free space, so that the plots below do not move when a brush is made. */
function PreviewNote({ preview }: { readonly preview: SessionPreview }) {
  const isBrushed = useHParams().brushed.value !== null;
  const { previewHint, endPreview, endPreviewHint } = uiTexts();
  const said = parallelTexts().otherPanels(preview.label.value);
  return (
    <>
      <span class="tbwidget-quiet tbwidget-other-panels" role="status" title={`${said}\n${previewHint}`}>
        {said}
      </span>
      {!isBrushed && (
        <button type="button" class="tbwidget-link" title={endPreviewHint} onClick={() => preview.end()}>
          {endPreview}
        </button>
      )}
    </>
  );
}

// The controls of the panel: the goal metric, which values of metrics count, plots, columns.

function HParamsToolbar() {
  return <Toolbar name={hparamsTexts().title} actions={ACTIONS} save={<SaveTable />} />;
}

const hasMetrics = (view: View) => hparamsOf(view).sessions.value.metrics.length > 0;

const ACTIONS: readonly Action[] = [
  {
    kind: "form",
    id: "hparams.hparams_plots",
    bar: "drawn",
    name: () => hparamsTexts().plots,
    Form: PlotChoice,
    applies: (view) => hparamsOf(view).sessions.value.rows.length > 1,
  },
  {
    kind: "form",
    id: "hparams.hparams_goal",
    bar: "drawn",
    name: () => hparamsTexts().goal,
    hint: () => hparamsTexts().goalHint,
    Form: GoalSelect,
    applies: hasMetrics,
  },
  {
    ...choiceAmong({
      id: "hparams.hparams_goal_best",
      bar: "drawn",
      name: () => hparamsTexts().bestTitle,
      values: GOALS,
      names: () => hparamsTexts().best,
      hints: () => hparamsTexts().bestHints,
      option: (view) => {
        const { options, goalBest } = hparamsOf(view);
        return {
          get value() {
            return goalBest.value;
          },
          peek: () => goalBest.peek(),
          set: (best) => options.hparams_goal_best.set(best),
        };
      },
    }),
    applies: hasMetrics,
  },
  {
    kind: "form",
    id: "hparams.hparams_metric",
    bar: "drawn",
    name: () => hparamsTexts().metric,
    hint: () => hparamsTexts().metricHint,
    Form: MetricSelect,
    applies: hasMetrics,
  },
  {
    kind: "toggle",
    id: "hparams.hparams_groups",
    bar: "drawn",
    name: () => hparamsTexts().groups,
    hint: () => hparamsTexts().groupsHint,
    option: (view) => hparamsOf(view).options.hparams_groups,
    applies: (view) => hparamsOf(view).hasGroups.value,
  },
  {
    kind: "form",
    id: "hparams.hparams_columns",
    bar: "drawn",
    name: () => hparamsTexts().columns,
    hint: () => hparamsTexts().columnsHint,
    Form: ColumnChooser,
  },
  ...pointerGestures(
    "parallel",
    () => hparamsTexts().plotNames.parallel,
    ["brush", "clear", "flip", "order"],
    () => parallelTexts().gestures,
  ),
  ...keyGestures(
    "parallel",
    () => hparamsTexts().plotNames.parallel,
    AXIS_KEYS,
    () => parallelTexts().keys,
  ),
];

function GoalSelect() {
  const state = useHParams();
  const { hparams_goal } = state.options;
  const { metrics } = state.sessions.value;
  const chosen = hparams_goal.value;
  const automatic = state.automaticGoal.value;
  return (
    <label title={hparamsTexts().goalHint}>
      <span>{hparamsTexts().goal}</span>
      {/* A select cuts the end of a name, which tells metrics apart. */}
      <span class="tbwidget-button tbwidget-goal">
        <span aria-hidden="true">
          <bdi>{state.missingGoal.value ?? state.goal.value?.title}</bdi>
        </span>
        <span aria-hidden="true">▾</span>
        <select
          class="tbwidget-select"
          aria-label={hparamsTexts().goal}
          title={`${hparamsTexts().goalHint}\n${state.goal.value?.hint ?? ""}`.trim()}
          value={chosen ?? ""}
          onChange={({ currentTarget: { value } }) => hparams_goal.set(value === "" ? null : value)}
        >
          {automatic !== null && <option value="">{hparamsTexts().automaticGoal(automatic.title)}</option>}
          <MetricChoices metrics={metrics} chosen={chosen} />
        </select>
      </span>
    </label>
  );
}

/** Before the key of a metric, in the list of values. */
const AT = "at:";

/** Which value of each metric counts. */
function MetricSelect() {
  const state = useHParams();
  const { hparams_metric, hparams_at } = state.options;
  const at = hparams_at.value;
  const choose = (value: string) => {
    const known = METRIC_VALUES.find((one) => one === value);
    if (known !== undefined) {
      hparams_metric.set(known);
    }
    hparams_at.set(value.startsWith(AT) ? value.slice(AT.length) : null);
  };
  return (
    <label title={hparamsTexts().metricHint}>
      <span>{hparamsTexts().metric}</span>
      <select
        class="tbwidget-select tbwidget-metric-value"
        data-active={at === null ? undefined : ""}
        aria-label={hparamsTexts().metric}
        value={at === null ? hparams_metric.value : AT + at}
        onChange={({ currentTarget: { value } }) => choose(value)}
      >
        {METRIC_VALUES.map((value) => (
          <option key={value} value={value}>
            {hparamsTexts().metricValues[value]}
          </option>
        ))}
        <optgroup label={hparamsTexts().atBestStep}>
          <MetricChoices
            metrics={state.sessions.value.metrics}
            chosen={at}
            prefix={AT}
            name={hparamsTexts().atBest}
            isOffered={(key) => state.hasBestStepOf(key)}
          />
        </optgroup>
      </select>
    </label>
  );
}

/** Metrics that a list offers. */
const MAX_OFFERED = 300;

interface ChoicesProps {
  readonly metrics: readonly Column[];
  readonly chosen: string | null;
  /** Before the value of each option. */
  readonly prefix?: string;
  name?(title: string): string;
  /** Others are listed, but cannot be chosen. */
  isOffered?(key: string): boolean;
}

function MetricChoices({
  metrics,
  chosen,
  prefix = "",
  name = (title) => title,
  isOffered = () => true,
}: ChoicesProps) {
  const offered = metrics.slice(0, MAX_OFFERED).map(({ key, title }) => ({ key, title }));
  const isListed = chosen === null || offered.some(({ key }) => key === chosen);
  const title = metrics.find(({ key }) => key === chosen)?.title ?? chosen?.replace(/^metric:/, "") ?? "";
  return (
    <>
      {[...(isListed || chosen === null ? [] : [{ key: chosen, title }]), ...offered].map((metric) => (
        <option
          key={metric.key}
          value={prefix + metric.key}
          disabled={!isOffered(metric.key)}
          title={isOffered(metric.key) ? undefined : hparamsTexts().bestStepNotSaved}
        >
          {name(metric.title)}
        </option>
      ))}
    </>
  );
}

function PlotChoice() {
  const { hparams_plots } = useHParams().options;
  const chosen = hparams_plots.value;
  // A plot that is turned on comes first, and into view.
  const toggle = (plot: PlotName, button: Element) => {
    const others = chosen.filter((one) => one !== plot);
    hparams_plots.set(chosen.includes(plot) ? others : [plot, ...others]);
    const root = button.closest(".tbwidget");
    requestAnimationFrame(() => root?.querySelector(`[data-plot=${plot}]`)?.scrollIntoView({ block: "nearest" }));
  };
  return (
    <fieldset class="tbwidget-segments">
      <legend>{hparamsTexts().plots}</legend>
      {PLOTS.map((plot) => (
        <button
          key={plot}
          type="button"
          title={hparamsTexts().plotHints[plot]}
          aria-pressed={chosen.includes(plot)}
          onClick={({ currentTarget }) => toggle(plot, currentTarget)}
        >
          {hparamsTexts().plotNames[plot]}
        </button>
      ))}
    </fieldset>
  );
}

export const hparams = definePanel({
  name: "hparams",
  title: () => hparamsTexts().title,
  codecs: [hparamsDocument, scalars],
  sources: ["hparams"],
  offers: areNamed,
  listsRuns: true,
  options: [hparamsOptions],
  actions: ACTIONS,
  Count: SessionCount,
  Toolbar: HParamsToolbar,
  Body: HParamsPanel,
});
