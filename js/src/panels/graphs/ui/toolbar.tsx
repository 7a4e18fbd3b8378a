// The actions of the panel, and its toolbar: graph, colors, open scopes, left out ops, traces, saving, and the search.

import { batch, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { safeName } from "../../../lib/filenames";
import { formatCount } from "../../../lib/format";
import { toggle } from "../../../options/declare";
import type { Action } from "../../../ui/actions";
import { choiceAmong, switchOf } from "../../../ui/choices";
import { keyGestures, pointerGestures } from "../../../ui/gestures";
import { MenuLabel, Popover } from "../../../ui/popover";
import { CodeItem } from "../../../ui/save/code";
import { Item } from "../../../ui/save/item";
import { saveTexts } from "../../../ui/save/texts";
import { saveFile } from "../../../ui/savefile";
import { SearchInput } from "../../../ui/searchinput";
import { uiTexts } from "../../../ui/texts";
import { Toolbar } from "../../../ui/toolbar";
import { useView, type View } from "../../../ui/view";
import type { GraphController } from "../draw/canvas";
import { messageOf, type Picture } from "../draw/export";
import { GRAPH_KEYS } from "../draw/stage";
import { Inlined, type Structure } from "../model/structure";
import { COLORINGS, type Coloring } from "../options";
import { searching } from "../searching";
import { type GraphState, graphState } from "../state";
import type { StepStatistics } from "../statistics";
import { graphTexts } from "../texts";
import { onEscape, setTrace } from "./actions";
import "../../../ui/save/save.css";

/** In its usual place, unless the graph has the whole window. */
export function GraphsToolbar() {
  const state = graphState(useView());
  return state.full.value ? <div class="tbwidget-toolbar" /> : <Controls state={state} />;
}

export function Controls({ state }: { readonly state: GraphState }) {
  return (
    <Toolbar
      name={graphTexts().title}
      actions={graphActions}
      inWindow={state.full.value}
      save={<Saving state={state} />}
      filter={<SearchBox state={state} />}
      onKeyDown={onEscape(state)}
    />
  );
}

/** Where inputs come from, where outputs go, or the way between two boxes. */
const TRACES = ["off", "inputs", "outputs", "both", "between"] as const;

const boxes = { menu: "view", section: () => graphTexts().boxes } as const;

const hasStructure = (view: View) => graphState(view).structure.value !== null;

export const graphActions: readonly Action[] = [
  {
    kind: "form",
    id: "graphs.graph",
    bar: "drawn",
    name: () => graphTexts().graph,
    hint: () => graphTexts().graphHint,
    Form: Pickers,
  },
  {
    kind: "form",
    id: "graphs.color",
    bar: "drawn",
    name: () => graphTexts().color,
    hint: () => graphTexts().colorHint,
    Form: ColorBy,
  },
  {
    ...choiceAmong({
      id: "graphs.graph_color_by",
      name: () => graphTexts().color,
      hint: () => graphTexts().colorHint,
      values: COLORINGS,
      names: () => graphTexts().colors,
      option: (view) => graphState(view).chosen.graph_color_by,
    }),
    values: (view) => offeredColorings(graphState(view)),
  },
  {
    ...boxes,
    kind: "command",
    id: "graphs.expand_all",
    bar: "drawn",
    name: () => graphTexts().expandAll,
    hint: () => graphTexts().expandAllHint,
    run: (view) => graphState(view).expandAll(),
  },
  {
    ...boxes,
    kind: "command",
    id: "graphs.collapse_all",
    bar: "drawn",
    name: () => graphTexts().collapseAll,
    hint: () => graphTexts().collapseAllHint,
    run: (view) => graphState(view).collapseAll(),
  },
  {
    ...choiceAmong({
      ...boxes,
      id: "graphs.trace",
      name: () => graphTexts().trace,
      hint: () => graphTexts().traceHint,
      values: TRACES,
      names: () => graphTexts().traces,
      option: (view) => {
        const state = graphState(view);
        return {
          get value() {
            return state.trace.value;
          },
          peek: () => state.trace.peek(),
          set: (mode) => setTrace(state, mode),
        };
      },
      applies: hasStructure,
      active: (view) => graphState(view).trace.value !== "off",
    }),
    barred: (view, value) =>
      value === "between" && graphState(view).chosen.graph_selected.value === null
        ? graphTexts().traceSelect
        : undefined,
  },
  {
    ...boxes,
    kind: "toggle",
    id: "graphs.legend",
    name: () => graphTexts().legend,
    hint: () => graphTexts().legendHint,
    option: (view) => switchOf(graphState(view).legend),
  },
  {
    menu: "view",
    section: () => graphTexts().hide,
    kind: "form",
    id: "graphs.graph_hidden_ops",
    name: () => graphTexts().hide,
    hint: () => graphTexts().hideHint,
    Form: HiddenOps,
    isWide: true,
    applies: hasStructure,
    active: (view) => graphState(view).chosen.graph_hidden_ops.value.size > 0,
  },
  ...pointerGestures(
    "graphs",
    () => graphTexts().title,
    ["click", "open", "drag", "wheel", "menu"],
    () => graphTexts().gestures,
  ),
  ...keyGestures(
    "graphs",
    () => graphTexts().title,
    GRAPH_KEYS,
    () => graphTexts().keys,
  ),
];

interface SelectProps<T extends string> {
  readonly label: string;
  readonly hint: string;
  readonly value: T;
  readonly groups: readonly (readonly [title: string, options: readonly (readonly [value: T, name: string])[]])[];
  choose(value: T): void;
}

/** One of several, in groups where there is more than one. */
function Select<T extends string>({ label, hint, value, groups, choose }: SelectProps<T>) {
  const lists = groups.filter(([, options]) => options.length > 0);
  const made = ([, options]: (typeof groups)[number]) =>
    options.map(([option, name]) => (
      <option key={option} value={option}>
        {name}
      </option>
    ));
  return (
    <select
      class="tbwidget-select"
      title={hint}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        choose(currentTarget.value as T);
        // The choice may fail; the list changes only once it holds.
        currentTarget.value = value;
      }}
    >
      {lists.length === 1
        ? lists.map(made)
        : lists.map((group) => (
            <optgroup key={group[0]} label={group[0]}>
              {made(group)}
            </optgroup>
          ))}
    </select>
  );
}

/** The run and the graph, where there are several. */
function Pickers() {
  const state = graphState(useView());
  const { graphs, graph, body, functions } = state;
  const now = graph.value;
  if (now === null) {
    return null;
  }
  const runs = [...new Set(graphs.value.map(({ run }) => run))];
  const ofRun = graphs.value.filter(({ run }) => run === now.run);
  const library = functions.value;
  return (
    <>
      {runs.length > 1 && (
        <Select
          label={graphTexts().run}
          hint={graphTexts().runHint}
          value={now.run}
          groups={[["", runs.map((run) => [run, run] as const)]]}
          choose={(run) => state.showGraph(run, null)}
        />
      )}
      {(ofRun.length > 1 || library.length > 0) && (
        <Select
          label={graphTexts().graph}
          hint={graphTexts().graphHint}
          value={JSON.stringify([now.name, body.value])}
          groups={[
            [graphTexts().graphs, ofRun.map(({ name }) => [JSON.stringify([name, null]), titleOf(name)] as const)],
            [
              graphTexts().functions,
              library.map((name) => [JSON.stringify([now.name, name]), graphTexts().functionName(name)] as const),
            ],
          ]}
          choose={(chosen) => {
            const [name, of] = JSON.parse(chosen) as [string, string | null];
            state.showGraph(now.run, name, of);
          }}
        />
      )}
    </>
  );
}

export function titleOf(name: string): string {
  return graphTexts().names[name] ?? name;
}

/** Those that the graph has data for, and the chosen one. */
function offeredColorings({ chosen, statistics }: GraphState): readonly Coloring[] {
  const hasSteps = statistics.steps.value.length > 0;
  const now = chosen.graph_color_by.value;
  return COLORINGS.filter((one) => hasSteps || one === now || (one !== "time" && one !== "memory"));
}

function ColorBy() {
  const state = graphState(useView());
  const { graph_color_by, graph_step, graph_devices } = state.chosen;
  const steps = state.statistics.steps.value;
  const now = graph_color_by.value;
  const measured = now === "time" || now === "memory";
  const offered = offeredColorings(state);
  return (
    <span class="tbwidget-graph-buttons">
      <span class="tbwidget-quiet" aria-hidden="true">
        {graphTexts().color}
      </span>
      <Select<Coloring>
        label={graphTexts().color}
        hint={graphTexts().colorHint}
        value={now}
        groups={[["", offered.map((one) => [one, graphTexts().colors[one]] as const)]]}
        choose={(one) => graph_color_by.set(one)}
      />
      {steps.length > 0 && (
        <>
          <span class="tbwidget-quiet" aria-hidden="true">
            {graphTexts().step}
          </span>
          <Select
            label={graphTexts().step}
            hint={graphTexts().stepHint}
            value={measured ? (state.statistics.step.value ?? "") : ""}
            groups={[["", [["", graphTexts().noStep], ...steps.map((step) => [step, step] as const)]]]}
            choose={(step) =>
              batch(() => {
                if (step === "") {
                  graph_color_by.set("structure");
                } else {
                  graph_step.set(step);
                  graph_color_by.set(measured ? now : "time");
                }
              })
            }
          />
        </>
      )}
      {measured && <Devices statistics={state.statistics} choose={(devices) => graph_devices.set(devices)} />}
      {measured && state.statistics.waits.value && (
        <span class="tbwidget-waits" role="status" title={uiTexts().waitsForKernelHint}>
          {uiTexts().waitsForKernel}
        </span>
      )}
    </span>
  );
}

/** Enter goes from one hit to the next. */
function SearchBox({ state }: { readonly state: GraphState }) {
  const search = searching(state);
  const count = search.nodes.value.length;
  return (
    <search class="tbwidget-graph-search">
      {search.text.value !== "" && <output>{graphTexts().hitCount(search.place.value, formatCount(count))}</output>}
      <SearchInput
        name={graphTexts().search}
        hint={graphTexts().searchHint}
        text={search.text.value}
        box={search.box}
        invalid={search.problem.value !== null}
        busy={search.waits.value}
        find={(text) => search.setText(text)}
        go={(by) => search.go(by)}
        focused={() => {
          search.listed.value = true;
        }}
      />
    </search>
  );
}

// Leaves nodes out by their ops: a list of all ops of the graph, the most frequent first.

/** Ops that are listed at once; the others are found by typing. */
const MAX_OPS = 100;

/** How many nodes that are boxes each op has, the most frequent first. */
function opsOf({ op, ops, embedded, nodeCount }: Structure): (readonly [op: string, nodes: number])[] {
  const counts = new Int32Array(ops.length);
  for (let node = 0; node < nodeCount; node += 1) {
    if (embedded[node] === Inlined.NOT) {
      (counts[op[node] as number] as number) += 1;
    }
  }
  return ops
    .map((name, i) => [name, counts[i] as number] as const)
    .filter(([, nodes]) => nodes > 0)
    .sort((a, b) => b[1] - a[1]);
}

function HiddenOps() {
  const state = graphState(useView());
  const structure = state.structure.value;
  return structure !== null && <Ops state={state} structure={structure} />;
}

function Ops({ state, structure }: { readonly state: GraphState; readonly structure: Structure }) {
  const { graph_hidden_ops } = state.chosen;
  const typed = useSignal("");
  const ops = useMemo(() => opsOf(structure), [structure]);
  const hidden = graph_hidden_ops.value;
  const looked = typed.value.toLowerCase();
  const there = new Set(ops.map(([op]) => op));
  const absent = [...hidden].filter((op) => !there.has(op)).map((op) => [op, 0] as const);
  const matching = [...absent, ...ops].filter(([op]) => op.toLowerCase().includes(looked));
  return (
    <div class="tbwidget-graph-ops">
      <div class="tbwidget-popover-head">
        <input
          type="search"
          class="tbwidget-filter"
          data-lm-suppress-shortcuts="true"
          placeholder={graphTexts().filterOps}
          aria-label={graphTexts().filterOps}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        {hidden.size > 0 && (
          <button type="button" class="tbwidget-link" onClick={() => graph_hidden_ops.set(new Set())}>
            {graphTexts().showAllOps}
          </button>
        )}
      </div>
      <ul>
        {matching.slice(0, MAX_OPS).map(([op, nodes]) => (
          <li key={op}>
            <label class="tbwidget-check">
              <input type="checkbox" checked={hidden.has(op)} onChange={() => toggle(graph_hidden_ops, op)} />
              <span>{op || graphTexts().noOp}</span>
              <span class="tbwidget-quiet">{formatCount(nodes)}</span>
            </label>
          </li>
        ))}
        {matching.length > MAX_OPS && (
          <li class="tbwidget-quiet">{graphTexts().andMore(formatCount(matching.length - MAX_OPS))}</li>
        )}
      </ul>
    </div>
  );
}

// Which devices count in the times and memory of a recorded step, where it ran on several.

interface Props {
  readonly statistics: StepStatistics;
  choose(devices: readonly string[] | null): void;
}

export function Devices({ statistics, choose }: Props) {
  const { devices, known } = statistics;
  const all = known.value;
  const counted = devices.value ?? all;
  if (all.length < 2) {
    return null;
  }
  return (
    <Popover
      label={
        <MenuLabel
          text={
            devices.value === null
              ? graphTexts().devices
              : graphTexts().someDevices(formatCount(counted.length), formatCount(all.length))
          }
        />
      }
      title={graphTexts().devicesHint}
      active={devices.value !== null}
    >
      {() => (
        <ul class="tbwidget-graph-devices">
          {all.map((device) => (
            <li key={device}>
              <label class="tbwidget-check">
                <input
                  type="checkbox"
                  checked={counted.includes(device)}
                  onChange={({ currentTarget }) => {
                    const chosen = all.filter((one) =>
                      one === device ? currentTarget.checked : counted.includes(one),
                    );
                    choose(chosen.length === all.length ? null : chosen);
                  }}
                />
                <bdi>{device || graphTexts().noneGiven}</bdi>
              </label>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

const FORMATS: readonly (readonly [
  name: () => string,
  ending: string,
  draw: (canvas: GraphController) => Picture | Promise<Picture | null>,
])[] = [
  [() => saveTexts().formats.png, "png", (canvas) => canvas.png()],
  [
    () => saveTexts().formats.svg,
    "svg",
    (canvas) => ({ blob: new Blob([canvas.svg()], { type: "application/octet-stream" }) }),
  ],
];

/** The menu that saves: the drawing as a picture, and the code of the view. */
function Saving({ state }: { readonly state: GraphState }) {
  const canvas = state.canvas.value;
  return (
    <span class="tbwidget-save-menu">
      <Popover label={<MenuLabel text={saveTexts().save} />} title={graphTexts().saveHint}>
        {(close) => (
          <>
            {canvas !== null && (
              <>
                <h4>{saveTexts().picture}</h4>
                <ul>
                  {FORMATS.map(([name, ending, draw]) => (
                    <Item
                      key={ending}
                      name={name()}
                      chosen={async () => {
                        close();
                        const drawn = await draw(canvas);
                        if (drawn) {
                          state.message.value = messageOf(drawn);
                          if (drawn.blob !== null) {
                            saveFile(drawn.blob, `${fileName(state)}.${ending}`);
                          }
                        }
                      }}
                    />
                  ))}
                </ul>
              </>
            )}
            <CodeItem close={close} />
          </>
        )}
      </Popover>
    </span>
  );
}

function fileName({ graph, body }: GraphState): string {
  const { run, name } = graph.peek() ?? { run: "", name: "" };
  const parts = [run, `${name}-${body.peek() ?? ""}`].map(safeName).filter((part) => part !== "");
  return parts.join("_") || "graph";
}
