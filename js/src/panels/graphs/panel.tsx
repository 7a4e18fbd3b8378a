// The graphs: one card with the graph that was chosen, or a message while there is none.

import { effect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { CardFrame } from "../../ui/card";
import { FixedStopsContext, watchCardStops } from "../../ui/cardstops";
import { WaitsFor } from "../../ui/filter";
import { Mark } from "../../ui/marks";
import { definePanel } from "../../ui/panel";
import { useOnScreen, useView } from "../../ui/view";
import { type GraphName, graphRoots, graphSteps, graphStructures } from "./documents";
import { graphsOptions } from "./options";
import { searching } from "./searching";
import { type GraphState, graphState } from "./state";
import { graphTexts } from "./texts";
import { Stage, StageButtons } from "./ui/graphview";
import { GraphsToolbar, graphActions, titleOf } from "./ui/toolbar";
import "./graphs.css";
import "./info.css";

export function GraphsPanel() {
  const view = useView();
  const state = graphState(view);
  useEffect(() => state.follow(), [state]);
  useEffect(() => searching(state).follow(), [state]);
  useEffect(() => {
    const { runChoice } = view;
    const end = effect(() => {
      const { graph, graphs, showGraph } = state;
      const offered = new Set(graphs.value.map((one) => one.run));
      runChoice.value = { run: graph.value?.run ?? null, offered, choose: (run) => showGraph(run, null) };
    });
    return () => {
      end();
      runChoice.value = null;
    };
  }, [state, view]);
  const { graph_run, graph_name } = state.chosen;
  const graph = state.graph.value;
  const [run, name] = [graph_run.value, graph_name.value];
  return (
    <>
      {run !== null && graph?.run !== run && <WaitsFor names={[run]} text={graphTexts().waitsForRun} />}
      {name !== null && graph !== null && graph.name !== name && (
        <WaitsFor names={[titleOf(name)]} text={graphTexts().waitsForGraph} />
      )}
      {graph !== null ? (
        <GraphCard key={JSON.stringify(graph)} state={state} graph={graph} />
      ) : (
        run === null && <p class="tbwidget-waiting">{graphTexts().noGraphYet}</p>
      )}
    </>
  );
}

/** Height of the dashboard around the card: its lines of controls, in CSS pixels. */
const CONTROLS_HEIGHT_PX = 130;
const MIN_HEIGHT_PX = 380;

/** Errors in reading it are shown where it would be drawn. */
const NO_FAILURES = { failures: new Map<string, never>() };

interface Props {
  readonly state: GraphState;
  readonly graph: GraphName;
}

function GraphCard({ state, graph: { run, name } }: Props) {
  const { channel, options, isMaximized } = useView();
  const card = useRef<HTMLElement>(null);
  useOnScreen(card);
  useLayoutEffect(() => (card.current === null ? undefined : watchCardStops(card.current)), []);
  const structure = state.structure.value;
  const runs = channel.store.runs.value.length;
  const room = isMaximized.value ? window.innerHeight : options.board.height.value;
  const body = state.body.value;
  const title = body === null ? titleOf(name) : graphTexts().functionName(body);
  const label = runs > 1 ? graphTexts().ofRun(title, run) : title;
  const problems = structure?.problems ?? [];
  return (
    <FixedStopsContext.Provider value>
      <CardFrame
        panel="graphs"
        tag={name}
        {...{ label, title: label }}
        data={NO_FAILURES}
        cardRef={card}
        height={Math.max(MIN_HEIGHT_PX, room - CONTROLS_HEIGHT_PX)}
        only
        active
        waits={state.bodyWaits.value}
        marks={
          <span class="tbwidget-marks">
            {problems.length > 0 && (
              <Mark
                text={graphTexts().problems(problems.length, formatCount(problems.length))}
                hint={problems.join("\n")}
              />
            )}
            {structure !== null && (
              <span>{graphTexts().nodes(structure.nodeCount, formatCount(structure.nodeCount))}</span>
            )}
          </span>
        }
        buttons={<StageButtons state={state} />}
      >
        <Stage state={state} />
      </CardFrame>
    </FixedStopsContext.Provider>
  );
}

export const graphs = definePanel({
  name: "graphs",
  title: () => graphTexts().title,
  codecs: [graphRoots, graphStructures, graphSteps],
  options: [graphsOptions],
  actions: graphActions,
  Toolbar: GraphsToolbar,
  Body: GraphsPanel,
});
