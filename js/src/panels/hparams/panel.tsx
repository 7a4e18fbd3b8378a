// The hyperparameters: plots of all sessions, and below them their table.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { scalars } from "../../lines/codec";
import type { Action } from "../../ui/actions";
import { panelSaving } from "../../ui/cardcommands";
import { choiceAmong } from "../../ui/choices";
import { keyGestures, pointerGestures } from "../../ui/gestures";
import { definePanel } from "../../ui/panel";
import { commandOn, pressing } from "../../ui/reach";
import { lightBackground } from "../../ui/save/pictureitems";
import { uiTexts } from "../../ui/texts";
import { Toolbar } from "../../ui/toolbar";
import { useView, type View } from "../../ui/view";
import { SessionCount, SessionsLine } from "./chips";
import { ColumnChooser } from "./chooser";
import { hparamsDocument } from "./codec";
import { areNamed } from "./names";
import { GOALS, hparamsOptions, METRIC_VALUES, type MetricValue, PLOTS, type PlotName } from "./options";
import { AXIS_KEYS } from "./parallel/keys";
import { Parallel } from "./parallel/parallel";
import { parallelTexts } from "./parallel/texts";
import { previewOf, type SessionPreview } from "./preview";
import { SaveTable } from "./save";
import { Importance } from "./scatter/importances";
import { Scatter } from "./scatter/scatter";
import { scatterTexts } from "./scatter/texts";
import { type HParamsState, hparamsOf, useHParams } from "./sessions";
import { SessionsTable, tableOf } from "./table";
import { tableActions } from "./tableactions";
import { hparamsTexts } from "./texts";
import "./hparams.css";
import "./scatter/scatter.css";

/** CSS pixels of the table that are on the screen at least: its titles and a row. */
const MIN_TABLE_PX = 48;

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
        {plots.length > 0 && <TableBelow />}
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

/** Leads to the table while the plots leave no room for it on the screen. */
function TableBelow() {
  const isBelow = useSignal(false);
  const link = useRef<HTMLButtonElement>(null);
  const tableOfPage = () => link.current?.closest(".tbwidget-hparams")?.querySelector(".tbwidget-hparams-table");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table is the same element
  useEffect(() => {
    const table = tableOfPage();
    const root = link.current?.closest(".tbwidget-main");
    if (!table || !root) {
      return;
    }
    const observer = new IntersectionObserver(
      ([entry]) => {
        isBelow.value = entry?.isIntersecting === false;
      },
      { root, rootMargin: `0px 0px -${MIN_TABLE_PX}px` },
    );
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return (
    <button
      ref={link}
      type="button"
      class="tbwidget-link"
      hidden={!isBelow.value}
      data-action="hparams.table"
      onClick={() => tableOfPage()?.scrollIntoView({ block: "nearest" })}
    >
      {hparamsTexts().toTable} ↓
    </button>
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

const hasMetrics = (view: View) => hparamsOf(view).metrics.value.size > 0;

/** The automatic choice, among the keys of columns. */
const AUTOMATIC = "";

/** Before the key of a metric, in the list of values. */
const AT = "at:";

/** The metrics; a chosen one that is not there yet comes first. */
function metricKeys(view: View, chosen: string | null): string[] {
  const keys = [...hparamsOf(view).metrics.value.keys()];
  return chosen === null || keys.includes(chosen) ? keys : [chosen, ...keys];
}

/** It does not follow the values of metrics. */
function titleOf(state: HParamsState, key: string): string {
  const metric = state.metrics.value.get(key);
  return metric?.title ?? state.columnOf(key)?.title ?? key.replace(/^metric:/, "");
}

/** A plot that is turned on comes first, and the line above it into view: it has the link to the table. */
function togglePlot(view: View, name: string): void {
  const { hparams_plots } = hparamsOf(view).options;
  const chosen = hparams_plots.peek();
  const others = chosen.filter((one) => one !== name);
  if (others.length < chosen.length) {
    hparams_plots.set(others);
    return;
  }
  hparams_plots.set([name as PlotName, ...others]);
  requestAnimationFrame(() => view.root.querySelector(".tbwidget-sessions-line")?.scrollIntoView({ block: "nearest" }));
}

const hasPlots = (view: View) => hparamsOf(view).options.hparams_plots.value.length > 0;

const ACTIONS: readonly Action[] = [
  {
    kind: "choice",
    id: "hparams.hparams_plots",
    bar: "drawn",
    name: () => hparamsTexts().plots,
    values: () => PLOTS,
    nameOf: (plot) => hparamsTexts().plotNames[plot as PlotName],
    hintOf: (plot) => hparamsTexts().plotHints[plot as PlotName],
    isOn: (view, plot) => hparamsOf(view).options.hparams_plots.value.includes(plot as PlotName),
    choose: togglePlot,
    applies: (view) => hparamsOf(view).sessions.value.rows.length > 1,
  },
  {
    kind: "choice",
    id: "hparams.hparams_goal",
    bar: "drawn",
    isList: true,
    name: () => hparamsTexts().goal,
    hint: () => hparamsTexts().goalHint,
    values: (view) => {
      const { options, automaticGoal } = hparamsOf(view);
      return [...(automaticGoal.value === null ? [] : [AUTOMATIC]), ...metricKeys(view, options.hparams_goal.value)];
    },
    nameOf: (key, view) => {
      const state = hparamsOf(view);
      return key === AUTOMATIC
        ? hparamsTexts().automaticGoal(state.automaticGoal.value?.title ?? "")
        : titleOf(state, key);
    },
    hintOf: (key, view) => {
      const { automaticGoal, metrics } = hparamsOf(view);
      const goal = key === AUTOMATIC ? automaticGoal.value : metrics.value.get(key);
      return `${hparamsTexts().goalHint}\n${goal?.hint ?? ""}`.trim();
    },
    chosen: (view) => hparamsOf(view).options.hparams_goal.value ?? AUTOMATIC,
    choose: (view, key) => hparamsOf(view).options.hparams_goal.set(key === AUTOMATIC ? null : key),
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
    kind: "choice",
    id: "hparams.hparams_metric",
    bar: "drawn",
    isList: true,
    name: () => hparamsTexts().metric,
    hint: () => hparamsTexts().metricHint,
    values: (view) => [
      ...METRIC_VALUES,
      ...metricKeys(view, hparamsOf(view).options.hparams_at.value).map((key) => AT + key),
    ],
    nameOf: (value, view) =>
      value.startsWith(AT)
        ? hparamsTexts().atBest(titleOf(hparamsOf(view), value.slice(AT.length)))
        : hparamsTexts().metricValues[value as MetricValue],
    groupOf: (value) => (value.startsWith(AT) ? hparamsTexts().atBestStep : undefined),
    chosen: (view) => {
      const { hparams_metric, hparams_at } = hparamsOf(view).options;
      return hparams_at.value === null ? hparams_metric.value : AT + hparams_at.value;
    },
    choose: (view, value) => {
      const { hparams_metric, hparams_at } = hparamsOf(view).options;
      const known = METRIC_VALUES.find((one) => one === value);
      if (known !== undefined) {
        hparams_metric.set(known);
      }
      hparams_at.set(value.startsWith(AT) ? value.slice(AT.length) : null);
    },
    barred: (view, value) =>
      !value.startsWith(AT) || hparamsOf(view).hasBestStepOf(value.slice(AT.length))
        ? undefined
        : hparamsTexts().bestStepNotSaved,
    active: (view) => hparamsOf(view).options.hparams_at.value !== null,
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
    id: "hparams.columns",
    bar: "drawn",
    name: () => hparamsTexts().columns,
    hint: () => hparamsTexts().columnsHint,
    Form: ColumnChooser,
  },
  {
    kind: "choice",
    id: "hparams.hparams_columns",
    isList: true,
    isFoundByValue: true,
    name: () => hparamsTexts().columns,
    values: (view) => {
      const { hparams, metrics } = hparamsOf(view).sessions.value;
      return [AUTOMATIC, ...[...hparams, ...metrics].map(({ key }) => key)];
    },
    nameOf: (key, view) => (key === AUTOMATIC ? hparamsTexts().automatic : titleOf(hparamsOf(view), key)),
    isOn: (view, key) => {
      const { options, columns } = hparamsOf(view);
      return key === AUTOMATIC
        ? options.hparams_columns.value.length === 0
        : columns.value.some((column) => column.key === key);
    },
    choose: (view, key) => {
      const { options, columns } = hparamsOf(view);
      const shown = columns.peek().map((column) => column.key);
      const others = shown.filter((one) => one !== key);
      options.hparams_columns.set(key === AUTOMATIC ? [] : shown.includes(key) ? others : [...shown, key]);
    },
  },
  ...tableActions,
  panelSaving("csv"),
  panelSaving("json"),
  panelSaving("markdown", () => hparamsTexts().asMarkdown),
  panelSaving("copy"),
  panelSaving("copy_markdown", () => hparamsTexts().copyMarkdown),
  ...(["png", "svg", "copy_picture"] as const).map((item): Action => ({ ...panelSaving(item), applies: hasPlots })),
  lightBackground,
  pressing("hparams.clear_filters", () => hparamsTexts().clearFilters),
  pressing("hparams.only_these", () => uiTexts().onlyThese),
  pressing("hparams.show_all", () => hparamsTexts().allSessions),
  pressing("hparams.table", () => hparamsTexts().toTable),
  pressing("scatter.back", () => scatterTexts().back),
  ...(["y", "x"] as const).map((axis) =>
    commandOn(`[data-action="scatter.${axis}"]`, "focus", { id: `scatter.${axis}`, name: () => scatterTexts()[axis] }),
  ),
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
