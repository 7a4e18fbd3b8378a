// The actions of the panel, and its toolbar: graph, colors, open scopes, left out ops, traces, saving, and the search.

import { batch, useSignal } from "@preact/signals";
import { safeName } from "../../../lib/filenames";
import { formatCount } from "../../../lib/format";
import { toggle } from "../../../options/declare";
import type { Action } from "../../../ui/actions";
import { fillCard, panelSaving } from "../../../ui/cardcommands";
import { choiceAmong, switchOf } from "../../../ui/choices";
import { fixedCardGestures, keyGestures, pointerGestures } from "../../../ui/gestures";
import { MenuLabel, Popover } from "../../../ui/popover";
import { commandOn, pressing } from "../../../ui/reach";
import { CodeItem } from "../../../ui/save/code";
import { Item } from "../../../ui/save/item";
import { saveTexts } from "../../../ui/save/texts";
import { saveFile } from "../../../ui/savefile";
import { SearchInput } from "../../../ui/searchinput";
import { uiTexts } from "../../../ui/texts";
import { Toolbar } from "../../../ui/toolbar";
import { useView, type View } from "../../../ui/view";
import { hasDataFor } from "../coloring";
import type { GraphController } from "../draw/canvas";
import { messageOf, type Picture } from "../draw/export";
import { GRAPH_KEYS } from "../draw/stage";
import { Inlined, type Structure } from "../model/structure";
import { COLORINGS, type Coloring } from "../options";
import { searching } from "../searching";
import { type GraphState, graphState } from "../state";
import type { StepStatistics } from "../statistics";
import { graphTexts } from "../texts";
import { menuOf, onEscape, setTrace } from "./actions";
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

/** A graph of the shown run; or, unless null, a function of its library. */
type Drawing = readonly [name: string, body: string | null];

function drawingsOf({ graphs, graph, functions }: GraphState): Drawing[] {
  const now = graph.value;
  return now === null
    ? []
    : [
        ...graphs.value.flatMap(({ run, name }): Drawing[] => (run === now.run ? [[name, null]] : [])),
        ...functions.value.map((body): Drawing => [now.name, body]),
      ];
}

/** Times or memory of a recorded step are shown. */
function isMeasured(view: View): boolean {
  return ["time", "memory"].includes(graphState(view).chosen.graph_color_by.value);
}

/** Actions on the selected box, where that is drawn. */
function onSelected(view: View) {
  const state = graphState(view);
  const laidOut = state.laidOut.value;
  const box = state.selectedBox.value;
  return laidOut === null || box < 0 ? [] : menuOf(state, laidOut, box);
}

export const graphActions: readonly Action[] = [
  {
    kind: "choice",
    id: "graphs.graph_run",
    bar: "drawn",
    isList: true,
    name: () => graphTexts().run,
    hint: () => graphTexts().runHint,
    values: (view) => [...new Set(graphState(view).graphs.value.map(({ run }) => run))],
    nameOf: (run) => run,
    chosen: (view) => graphState(view).graph.value?.run ?? null,
    choose: (view, run) => graphState(view).showGraph(run, null),
    applies: (view) => new Set(graphState(view).graphs.value.map(({ run }) => run)).size > 1,
  },
  {
    kind: "choice",
    id: "graphs.graph_name",
    bar: "drawn",
    isList: true,
    name: () => graphTexts().graph,
    hint: () => graphTexts().graphHint,
    values: (view) => drawingsOf(graphState(view)).map((drawing) => JSON.stringify(drawing)),
    nameOf: (value) => {
      const [name, body] = JSON.parse(value) as Drawing;
      return body === null ? titleOf(name) : graphTexts().functionName(body);
    },
    groupOf: (value) => graphTexts()[(JSON.parse(value) as Drawing)[1] === null ? "graphs" : "functions"],
    chosen: (view) => {
      const { graph, body } = graphState(view);
      return graph.value && JSON.stringify([graph.value.name, body.value]);
    },
    choose: (view, value) => {
      const state = graphState(view);
      state.showGraph(state.graph.peek()?.run ?? "", ...(JSON.parse(value) as Drawing));
    },
    applies: (view) => drawingsOf(graphState(view)).length > 1,
  },
  {
    ...choiceAmong({
      id: "graphs.graph_color_by",
      bar: "drawn",
      isList: true,
      name: () => graphTexts().color,
      hint: () => graphTexts().colorHint,
      values: COLORINGS,
      names: () => graphTexts().colors,
      option: (view) => graphState(view).chosen.graph_color_by,
    }),
    values: (view) => offeredColorings(graphState(view)),
  },
  {
    kind: "choice",
    id: "graphs.graph_step",
    bar: "drawn",
    isList: true,
    name: () => graphTexts().step,
    hint: () => graphTexts().stepHint,
    values: (view) => ["", ...graphState(view).statistics.steps.value],
    nameOf: (step) => step || graphTexts().noStep,
    chosen: (view) => (isMeasured(view) ? graphState(view).statistics.step.value : ""),
    choose: (view, step) => {
      const { graph_step, graph_color_by } = graphState(view).chosen;
      batch(() => {
        if (step === "") {
          graph_color_by.set("structure");
        } else {
          graph_step.set(step);
          graph_color_by.set(isMeasured(view) ? graph_color_by.peek() : "time");
        }
      });
    },
    applies: (view) => graphState(view).statistics.steps.value.length > 0,
  },
  {
    kind: "form",
    id: "graphs.devices",
    bar: "drawn",
    name: () => graphTexts().devices,
    hint: () => graphTexts().devicesHint,
    Form: DevicesForm,
    applies: isMeasured,
  },
  {
    kind: "choice",
    id: "graphs.graph_devices",
    isList: true,
    name: () => graphTexts().devices,
    values: (view) => graphState(view).statistics.known.value,
    nameOf: (device) => device || graphTexts().noneGiven,
    isOn: (view, device) => isCounted(graphState(view).statistics, device),
    choose: (view, device) => toggleDevice(graphState(view), device),
    applies: (view) => isMeasured(view) && graphState(view).statistics.known.value.length > 1,
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
      value !== "off" && graphState(view).chosen.graph_selected.value === null ? graphTexts().traceSelect : undefined,
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
    id: "graphs.hidden_ops",
    name: () => graphTexts().hide,
    hint: () => graphTexts().hideHint,
    Form: HiddenOps,
    isWide: true,
    applies: hasStructure,
    active: (view) => graphState(view).chosen.graph_hidden_ops.value.size > 0,
  },
  {
    kind: "choice",
    id: "graphs.graph_hidden_ops",
    isList: true,
    isFoundByValue: true,
    name: () => graphTexts().hide,
    values: (view) => listedOps(graphState(view)).map(([op]) => op),
    nameOf: (op) => op || graphTexts().noOp,
    isOn: (view, op) => graphState(view).chosen.graph_hidden_ops.value.has(op),
    choose: (view, op) => toggle(graphState(view).chosen.graph_hidden_ops, op),
    applies: hasStructure,
  },
  {
    kind: "choice",
    id: "graphs.selected",
    name: () => graphTexts().info,
    values: (view) => onSelected(view).map(({ name }) => name),
    nameOf: (name) => name,
    hintOf: (name, view) => onSelected(view).find((one) => one.name === name)?.hint,
    choose: (view, name) =>
      onSelected(view)
        .find((one) => one.name === name)
        ?.do(),
  },
  pressing("graphs.show_ops", () => graphTexts().showHidden),
  pressing("graphs.leave", () => graphTexts().leave),
  pressing("view.fit", () => graphTexts().fit),
  pressing("view.zoom_out", () => graphTexts().zoomOut),
  pressing("view.zoom_in", () => graphTexts().zoomIn),
  fillCard,
  panelSaving("png"),
  panelSaving("svg"),
  commandOn(".tbwidget-graph-search input", "focus", { id: "graphs.search", name: () => graphTexts().search }),
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
  ...fixedCardGestures(),
];

export function titleOf(name: string): string {
  return graphTexts().names[name] ?? name;
}

/** Those that the graph has data for, and the chosen one. */
function offeredColorings({ chosen, statistics, structure }: GraphState): readonly Coloring[] {
  const now = chosen.graph_color_by.value;
  const of = structure.value;
  return COLORINGS.filter((one) => one === now || hasDataFor(one, of, statistics.steps.value.length > 0));
}

/** Enter goes from one hit to the next. */
function SearchBox({ state }: { readonly state: GraphState }) {
  const search = searching(state);
  const count = search.entries.value.length;
  return (
    <search class="tbwidget-graph-search">
      {search.text.value !== "" && (
        <output>{graphTexts().hitCount(search.place.value, count, formatCount(count))}</output>
      )}
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
function countOps({ op, ops, embedded, nodeCount }: Structure): (readonly [op: string, nodes: number])[] {
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

const opCounts = new WeakMap<Structure, ReturnType<typeof countOps>>();

/** The ops of the graph, after those that are hidden and not in it. */
function listedOps({ structure, chosen }: GraphState): ReturnType<typeof countOps> {
  const of = structure.value;
  const ops = of === null ? [] : (opCounts.get(of) ?? countOps(of));
  if (of !== null) {
    opCounts.set(of, ops);
  }
  const there = new Set(ops.map(([op]) => op));
  const absent = [...chosen.graph_hidden_ops.value].filter((op) => !there.has(op)).map((op) => [op, 0] as const);
  return [...absent, ...ops];
}

function HiddenOps() {
  const state = graphState(useView());
  const { graph_hidden_ops } = state.chosen;
  const typed = useSignal("");
  const hidden = graph_hidden_ops.value;
  const looked = typed.value.toLowerCase();
  const matching = listedOps(state).filter(([op]) => op.toLowerCase().includes(looked));
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

function isCounted({ devices, known }: StepStatistics, device: string): boolean {
  return (devices.value ?? known.value).includes(device);
}

function toggleDevice({ statistics, chosen }: GraphState, device: string): void {
  const all = statistics.known.peek();
  const counted = all.filter((one) => isCounted(statistics, one) !== (one === device));
  chosen.graph_devices.set(counted.length === all.length ? null : counted);
}

/** The devices, and whether the kernel still computes what the colors mean. */
function DevicesForm() {
  const state = graphState(useView());
  return (
    <>
      {state.statistics.known.value.length > 1 && <Devices state={state} />}
      {state.statistics.waits.value && (
        <span class="tbwidget-waits" role="status" title={uiTexts().waitsForKernelHint}>
          {uiTexts().waitsForKernel}
        </span>
      )}
    </>
  );
}

function Devices({ state }: { readonly state: GraphState }) {
  const { devices, known } = state.statistics;
  const all = known.value;
  const counted = devices.value ?? all;
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
                  onChange={() => toggleDevice(state, device)}
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
                      action={`save.${ending}`}
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
