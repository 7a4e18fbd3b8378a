// The line of controls: which graph, its colors, what is open, what is left out, traces, and the search.

import { batch } from "@preact/signals";
import { formatCount } from "../../../lib/format";
import { SearchInput } from "../../../ui/searchinput";
import { uiTexts } from "../../../ui/texts";
import { useView } from "../../../ui/view";
import { COLORINGS, type Coloring } from "../options";
import { searching } from "../searching";
import { type GraphState, graphState } from "../state";
import { graphTexts } from "../texts";
import { onEscape } from "./actions";
import { Devices } from "./devices";
import { HideOps } from "./hideops";
import { TraceMenu } from "./tracemenu";

/** In its usual place, unless the graph has the whole window. */
export function GraphsToolbar() {
  const state = graphState(useView());
  return state.full.value ? <div class="tbwidget-toolbar" /> : <Controls state={state} />;
}

export function Controls({ state }: { readonly state: GraphState }) {
  return (
    <div class="tbwidget-toolbar tbwidget-graph-toolbar" role="toolbar" onKeyDown={onEscape(state)}>
      <Pickers state={state} />
      <ColorBy state={state} />
      <span class="tbwidget-graph-buttons">
        <button
          type="button"
          class="tbwidget-button"
          title={graphTexts().expandAllHint}
          onClick={() => state.expandAll()}
        >
          {graphTexts().expandAll}
        </button>
        <button
          type="button"
          class="tbwidget-button"
          title={graphTexts().collapseAllHint}
          onClick={() => state.collapseAll()}
        >
          {graphTexts().collapseAll}
        </button>
        <HideOps state={state} />
        <TraceMenu state={state} />
      </span>
      <SearchBox state={state} />
    </div>
  );
}

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
        // What follows may be out of reach for now.
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
function Pickers({ state }: { readonly state: GraphState }) {
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

function ColorBy({ state }: { readonly state: GraphState }) {
  const { graph_color_by, graph_step, graph_devices } = state.chosen;
  const steps = state.statistics.steps.value;
  const now = graph_color_by.value;
  const measured = now === "time" || now === "memory";
  const offered = COLORINGS.filter((one) => steps.length > 0 || one === now || (one !== "time" && one !== "memory"));
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
