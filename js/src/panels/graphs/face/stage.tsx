// The drawing with what lies upon it: info card, hits of the search, legend, menu, and the message while there is none.

import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { Dialog } from "../../../ui/dialog";
import { uiTexts } from "../../../ui/texts";
import type { Covered } from "../draw/camera";
import { GraphCanvas } from "../draw/canvas";
import { drawingOf } from "../drawing";
import { searching } from "../searching";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";
import { endTraceOrSelection, onEscape } from "./actions";
import { InfoCard } from "./info";
import { Legend } from "./legend";
import { Menu, type MenuAt } from "./menu";
import { Notices } from "./notices";
import { SearchHits } from "./searchhits";
import { StageButtons } from "./stagebuttons";
import { Controls, titleOf } from "./toolbar";

const ZOOM = 1.4;

/** Problems that are written out where there is nothing else. */
const MOST_PROBLEMS = 5;

export function Stage({ state }: { readonly state: GraphState }) {
  const { full } = state;
  const isFull = full.value;
  useEffect(
    () => () => {
      full.value = false;
    },
    [full],
  );
  return (
    <Dialog
      label={uiTexts().panelTitles.graphs}
      class="tbwidget-graph-stage"
      // The drawing is the same in the card and over the whole window.
      modal={isFull}
      focus={() => state.canvas.peek()?.focus()}
      closed={() => {
        full.value = false;
      }}
      cancel={() => endTraceOrSelection(state)}
      onKeyDown={onEscape(state)}
    >
      {isFull && (
        <div class="tbwidget-graph-head">
          <Controls state={state} />
          <StageButtons state={state} />
        </div>
      )}
      <Content state={state} />
    </Dialog>
  );
}

function Content({ state }: { readonly state: GraphState }) {
  const area = useRef<HTMLDivElement>(null);
  const menu = useSignal<MenuAt | null>(null);
  const drawing = useMemo(() => drawingOf(state), [state]);
  const search = searching(state);
  const { chosen, canvas } = state;
  const scene = drawing.scene.value;
  const closeMenu = useCallback(() => {
    menu.value = null;
  }, [menu]);
  const hasBoxes = scene !== null && scene.view.count > 0;
  const name = state.body.value ?? titleOf(state.graph.value?.name ?? "");
  return (
    <div class="tbwidget-graph-area">
      <SearchHits state={state} />
      <div ref={area} class="tbwidget-graph-drawing">
        {hasBoxes && (
          <GraphCanvas
            key={state.laidOut.value?.key}
            scene={scene}
            label={name}
            selected={chosen.graph_selected.value}
            onSelect={(path) => state.select(path)}
            onSelectNode={(node) => state.selectNode(node)}
            onToggle={(path) => state.toggleBox(path)}
            onMenu={(path, left, top) => {
              const at = area.current?.getBoundingClientRect();
              menu.value = path === null || at === undefined ? null : { path, left: left - at.left, top: top - at.top };
            }}
            onSearch={() => search.box.current?.focus()}
            covered={() => coveredOf(area.current)}
            controller={(controller) => {
              canvas.value = controller;
            }}
          />
        )}
        {!hasBoxes && <Nothing state={state} />}
        <Notices state={state} />
        {hasBoxes && (state.layingOut.value || state.structure.value === null) && (
          <p class="tbwidget-graph-busy" role="status">
            {state.structure.value === null ? graphTexts().loadingHint : graphTexts().layingOut}
          </p>
        )}
        {hasBoxes && (
          <div class="tbwidget-graph-zoom">
            <button type="button" title={graphTexts().fitHint} onClick={() => canvas.peek()?.fit()}>
              {graphTexts().fit}
            </button>
            <button
              type="button"
              title={graphTexts().zoomOut}
              aria-label={graphTexts().zoomOut}
              onClick={() => canvas.peek()?.zoomBy(1 / ZOOM)}
            >
              −
            </button>
            <button
              type="button"
              title={graphTexts().zoomIn}
              aria-label={graphTexts().zoomIn}
              onClick={() => canvas.peek()?.zoomBy(ZOOM)}
            >
              +
            </button>
          </div>
        )}
        {state.legend.value && <Legend state={state} colored={drawing.colored.value} />}
        <InfoCard state={state} />
        {menu.value !== null && <Menu state={state} at={menu.value} close={closeMenu} />}
      </div>
    </div>
  );
}

/** What lies upon the drawing: the info card; and what a search has found, where that is not beside the drawing. */
function coveredOf(area: HTMLElement | null): Covered {
  const card = area?.querySelector<HTMLElement>(".tbwidget-graph-info");
  const hits = area?.parentElement?.querySelector(".tbwidget-graph-hits")?.getBoundingClientRect().right ?? 0;
  return {
    card: card ? { x: card.offsetLeft, y: card.offsetTop, w: card.offsetWidth, h: card.offsetHeight } : null,
    left: Math.max(0, hits - (area?.getBoundingClientRect().left ?? 0)),
  };
}

/** The message while nothing is drawn. */
function Nothing({ state }: { readonly state: GraphState }) {
  const problem = state.problem.value;
  const structure = state.structure.value;
  const { graph_hidden_ops } = state.chosen;
  const isEmpty = state.laidOut.value?.view.count === 0;
  return (
    <div class="tbwidget-graph-message" role="status">
      {problem !== null ? (
        <p>{graphTexts().notLaidOut(problem)}</p>
      ) : !isEmpty ? (
        <p>{state.layingOut.value ? graphTexts().layingOutGraph : graphTexts().loading}</p>
      ) : graph_hidden_ops.value.size > 0 && structure !== null && structure.nodeCount > 0 ? (
        <p>
          {graphTexts().nothingLeft}{" "}
          <button type="button" class="tbwidget-link" onClick={() => graph_hidden_ops.set(new Set())}>
            {graphTexts().showHidden}
          </button>
        </p>
      ) : (
        <p>{graphTexts().empty}</p>
      )}
      {structure?.problems.slice(0, MOST_PROBLEMS).map((one) => (
        <p key={one}>{one}</p>
      ))}
    </div>
  );
}
