// The drawing with what lies upon it: info card, hits of the search, legend, menu, and the message while there is none.

import { computed, type ReadonlySignal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../../lib/format";
import { CloseButton } from "../../../ui/dialog";
import { Expandable } from "../../../ui/expandable";
import { FillButton } from "../../../ui/fillbutton";
import { cardTexts, uiTexts } from "../../../ui/texts";
import { type Colored, colored, plainColors } from "../coloring";
import type { Covered } from "../draw/camera";
import { GraphCanvas } from "../draw/canvas";
import type { Scene } from "../draw/scene";
import type { Structure } from "../model/structure";
import { type Trace, traceBetween, traceFrom } from "../model/trace";
import { boundaryEdges } from "../model/view";
import { MAX_BOXES } from "../openall";
import { entryOf, pathOf, treeOf } from "../pageprogram";
import { isComposed } from "../places";
import { searching } from "../searching";
import type { GraphState, LaidOut } from "../state";
import { graphTexts } from "../texts";
import { Menu, type MenuAt, onEscape, setTrace } from "./actions";
import { InfoCard } from "./info";
import { ColorKey, Legend } from "./legend";
import { AndMore, PathName } from "./names";
import { Controls, titleOf } from "./toolbar";

const ZOOM = 1.4;

/** Problems that are written out where there is nothing else. */
const MAX_PROBLEMS = 5;

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
    <Expandable
      label={graphTexts().title}
      class="tbwidget-graph-stage"
      // The drawing is the same in the card and over the whole window.
      expanded={isFull}
      focus={() => state.canvas.peek()?.focus()}
      leave={() => {
        full.value = false;
      }}
      onKeyDown={onEscape(state)}
    >
      {isFull && (
        <div class="tbwidget-graph-head">
          <Controls state={state} />
          <StageButtons state={state} />
        </div>
      )}
      <Content state={state} />
    </Expandable>
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
          <div class="tbwidget-graph-foot">
            <div class="tbwidget-graph-zoom">
              <button
                type="button"
                title={graphTexts().fitHint}
                data-action="view.fit"
                onClick={() => canvas.peek()?.fit()}
              >
                {graphTexts().fit}
              </button>
              <button
                type="button"
                title={graphTexts().zoomOut}
                data-action="view.zoom_out"
                onClick={() => canvas.peek()?.zoomBy(1 / ZOOM)}
              >
                <span aria-hidden="true">−</span>
              </button>
              <button
                type="button"
                title={graphTexts().zoomIn}
                data-action="view.zoom_in"
                onClick={() => canvas.peek()?.zoomBy(ZOOM)}
              >
                <span aria-hidden="true">+</span>
              </button>
            </div>
            {!state.legend.value && <ColorKey state={state} colored={drawing.colored.value} />}
          </div>
        )}
        {state.legend.value && <Legend state={state} colored={drawing.colored.value} />}
        <InfoCard state={state} />
        {menu.value !== null && <Menu state={state} at={menu.value} close={closeMenu} />}
      </div>
    </div>
  );
}

const CARD = ".tbwidget-graph-info";
const HITS = ".tbwidget-graph-hits";
/** Elements over the drawing, except the map, which is hidden while the whole graph is shown. */
const COVERS = [".tbwidget-graph-foot > *", ".tbwidget-graph-notices > *", ".tbwidget-graph-legend", CARD, HITS].join();

function coveredOf(area: HTMLElement | null): Covered {
  const origin = area?.getBoundingClientRect();
  const rectsOf = (selector: string) =>
    [...(area?.parentElement?.querySelectorAll(selector) ?? [])].map((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return { x: left - (origin?.left ?? 0), y: top - (origin?.top ?? 0), w: width, h: height };
    });
  const [hits] = rectsOf(HITS);
  return {
    card: rectsOf(CARD)[0] ?? null,
    left: hits === undefined ? 0 : Math.max(0, hits.x + hits.w),
    all: rectsOf(COVERS),
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
      {structure?.problems.slice(0, MAX_PROBLEMS).map((one) => (
        <p key={one}>{one}</p>
      ))}
    </div>
  );
}

/** The button at the card's name: into the full window, or out of it. */
export function StageButtons({ state }: { readonly state: GraphState }) {
  const { full } = state;
  return full.value ? (
    <CloseButton
      close={() => {
        full.value = false;
      }}
    />
  ) : (
    <FillButton
      label={cardTexts().full}
      fill={() => {
        full.value = true;
      }}
    />
  );
}

// Messages over the drawing: left out parts, the trace, and problems.

export function Notices({ state }: { readonly state: GraphState }) {
  const { chosen, laidOut, tooMany, message } = state;
  const isolated = chosen.graph_isolated.value;
  const hidden = chosen.graph_hidden_ops.value;
  const now = laidOut.value;
  const problem = state.problem.value;
  const traced = tracing(state).description.value;
  return (
    <div class="tbwidget-graph-notices">
      {isolated !== null && (
        <Chip action="graphs.leave" hint={graphTexts().leave} end={() => chosen.graph_isolated.set(null)}>
          {graphTexts().isolated(isolated)}
        </Chip>
      )}
      {hidden.size > 0 && (
        <Chip
          action="graphs.show_ops"
          hint={graphTexts().showHidden}
          end={() => chosen.graph_hidden_ops.set(new Set())}
        >
          {graphTexts().hidden(hidden.size, formatCount(hidden.size))}
        </Chip>
      )}
      {traced !== null && (
        <Chip hint={graphTexts().endTrace} end={() => setTrace(state, "off")}>
          {traced}
        </Chip>
      )}
      {message.value !== null && (
        <Chip
          hint={graphTexts().endNotice}
          end={() => {
            message.value = null;
          }}
        >
          {message.value}
        </Chip>
      )}
      {tooMany.value && <p role="status">{graphTexts().someExpanded(formatCount(MAX_BOXES))}</p>}
      {problem !== null && now !== null && <p role="alert">{graphTexts().notShown(problem)}</p>}
    </div>
  );
}

interface ChipProps {
  readonly hint: string;
  readonly action?: string;
  readonly children: ComponentChildren;
  end(): void;
}

function Chip({ hint, action, children, end }: ChipProps) {
  return (
    <button type="button" class="tbwidget-chip" title={hint} data-action={action} onClick={end}>
      <bdi>{children}</bdi> ×
    </button>
  );
}

// Composes the drawn scene of a layout: colors, the selection, a trace, hits of the search.

interface Drawing {
  readonly scene: ReadonlySignal<Scene | null>;
  readonly colored: ReadonlySignal<Colored | null>;
}

function drawingOf(state: GraphState): Drawing {
  const { laidOut, chosen, statistics, selectedBox, board } = state;
  const colors = computed<Colored | null>(() => {
    const now = laidOut.value;
    if (now === null) {
      return null;
    }
    const { structure, view } = now;
    return structure !== null && isComposed(view)
      ? colored(structure, view, chosen.graph_color_by.value, statistics.value.value, board.theme.value)
      : plainColors(view.count);
  });
  const scene = computed<Scene | null>(() => {
    const now = laidOut.value;
    const { fills, notes, faint } = colors.value ?? plainColors(0);
    if (now === null) {
      return null;
    }
    const { view, input, layout } = now;
    const standing = emphasis(now, selectedBox.value, tracing(state).traced.value, searching(state).nodes.value, faint);
    return { view, input, layout, fills, note: notes, ...standing };
  });
  return { scene, colored: colors };
}

interface Emphasis {
  readonly faint: Uint8Array;
  readonly marked: Uint8Array;
  readonly emphasized: Uint8Array;
}

/** Apply the selection, a trace and hits of a search. `unrecorded` is 1 for boxes that nothing was recorded of. */
function emphasis(
  { view }: LaidOut,
  selected: number,
  traced: Trace | null,
  hits: ArrayLike<number> | null,
  unrecorded: Uint8Array,
): Emphasis {
  const { edges } = view;
  const marked = new Uint8Array(view.count);
  const emphasized = new Uint8Array(edges.count);
  let faint = unrecorded;
  if (isComposed(view)) {
    for (let i = 0; i < (hits?.length ?? 0); i += 1) {
      const box = view.boxOfNode[hits?.[i] ?? -1] ?? -1;
      if (box >= 0) {
        marked[box] = 1;
      }
    }
  }
  if (traced !== null && isComposed(view)) {
    faint = new Uint8Array(view.count).fill(1);
    for (let node = 0; node < traced.nodes.length; node += 1) {
      // The boxes around it stay as they are, too.
      for (
        let box = traced.nodes[node] === 1 ? (view.boxOfNode[node] ?? -1) : -1;
        box >= 0 && faint[box] === 1;
        box = view.parent[box] as number
      ) {
        faint[box] = 0;
      }
    }
    for (let edge = 0; edge < traced.edges.length; edge += 1) {
      const bundle = view.bundleOfEdge[edge] ?? -1;
      if (traced.edges[edge] === 1 && bundle >= 0) {
        emphasized[bundle] = 1;
      }
    }
  } else if (selected >= 0) {
    for (const bundle of boundaryEdges(view, selected).bundles) {
      emphasized[bundle] = 1;
    }
  }
  return { faint, marked, emphasized };
}

// Hits of a search, by what they were found in.

/** Hits that are listed of each group at first, and when more are asked for. */
const FIRST_SHOWN = 20;
const MAX_SHOWN = 1_000;

function SearchHits({ state }: { readonly state: GraphState }) {
  const search = searching(state);
  const structure = state.structure.value;
  if (search.text.value === "" || structure === null || !search.listed.value) {
    return null;
  }
  const problem = search.problem.value;
  const groups = search.groups.value;
  return (
    <aside class="tbwidget-graph-hits" aria-label={graphTexts().searchHits}>
      {problem !== null && (
        <p role="alert">
          {problem === "ended" || problem === "unavailable"
            ? graphTexts().searchProblems[problem]
            : uiTexts().filterProblems[problem]}
        </p>
      )}
      {groups.length === 0 && problem === null && !search.waits.value && (
        <p class="tbwidget-quiet">{graphTexts().noHits}</p>
      )}
      {search.attributesWait.value && (
        <p class="tbwidget-quiet" role="status" title={uiTexts().waitsForKernelHint}>
          {graphTexts().attributesLater}
        </p>
      )}
      {groups.map(({ by, entries }) => (
        <section key={`${by} ${search.text.value}`}>
          <h5>{graphTexts().searchGroups[by]}</h5>
          <HitList state={state} structure={structure} entries={entries} />
        </section>
      ))}
    </aside>
  );
}

interface HitListProps {
  readonly state: GraphState;
  readonly structure: Structure;
  readonly entries: ArrayLike<number>;
}

function HitList({ state, structure, entries }: HitListProps) {
  const shown = useSignal(FIRST_SHOWN);
  const opened = useSignal<ReadonlySet<number>>(new Set());
  const search = searching(state);
  const current = search.current.value;
  const more = entries.length - shown.value;
  return (
    <ul>
      {Array.from({ length: Math.min(entries.length, shown.value) }, (_, i) => {
        const entry = entries[i] as number;
        const inside = search.inside.value.get(entry) ?? [];
        const isOpen = opened.value.has(entry);
        return (
          <li key={entry}>
            <button type="button" aria-current={entry === current} onClick={() => search.goTo(entry)}>
              <PathName path={pathOf(structure, entry)} />
            </button>
            <span class="tbwidget-quiet">{hitDetail(structure, entry)}</span>
            {inside.length > 0 && (
              <>
                <button
                  type="button"
                  class="tbwidget-link"
                  aria-expanded={isOpen}
                  onClick={() => {
                    const others = [...opened.value].filter((one) => one !== entry);
                    opened.value = new Set(isOpen ? others : [...others, entry]);
                  }}
                >
                  {graphTexts().moreInside(formatCount(inside.length))}
                </button>
                {isOpen && <HitList state={state} structure={structure} entries={inside} />}
              </>
            )}
          </li>
        );
      })}
      <AndMore
        count={more}
        isDisabled={shown.value === MAX_SHOWN}
        show={() => {
          shown.value = MAX_SHOWN;
        }}
      />
    </ul>
  );
}

/** How many nodes a scope has; op and output shapes of a node. */
function hitDetail(structure: Structure, entry: number): string {
  if (entry >= structure.root) {
    const nodes = treeOf(structure).nodes[entry] as number;
    return graphTexts().nodes(nodes, formatCount(nodes));
  }
  const shapes = structure.shapes[structure.outputs[entry] as number] ?? [];
  return [structure.ops[structure.op[entry] as number] ?? "", shapes.join(", ")].filter(Boolean).join(" · ");
}

// The requested trace: its nodes and edges, and the sentence about it.

interface Tracing {
  /** Null while nothing is traced. */
  readonly traced: ReadonlySignal<Trace | null>;
  /** The trace, or the reason for its absence. */
  readonly description: ReadonlySignal<string | null>;
}

const known = new WeakMap<GraphState, Tracing>();

function tracing(state: GraphState): Tracing {
  let found = known.get(state);
  if (found === undefined) {
    found = makeTracing(state);
    known.set(state, found);
  }
  return found;
}

function makeTracing({ structure, chosen, trace, traceFrom: from }: GraphState): Tracing {
  const entryAt = (path: string | null) => {
    const of = structure.value;
    return of === null || path === null ? -1 : entryOf(of, path);
  };
  const begin = computed(() => entryAt(from.value));
  const end = computed(() => entryAt(chosen.graph_selected.value));
  const isWay = computed(
    () => trace.value === "between" && begin.value >= 0 && end.value >= 0 && begin.value !== end.value,
  );
  const traced = computed<Trace | null>(() => {
    const mode = trace.value;
    const of = structure.value;
    if (of === null || end.value < 0 || mode === "off") {
      return null;
    }
    if (mode !== "between") {
      return traceFrom(of, end.value, mode, true);
    }
    // Whichever of the two comes first.
    return isWay.value
      ? (traceBetween(of, begin.value, end.value, true) ?? traceBetween(of, end.value, begin.value, true))
      : null;
  });
  const description = computed(() => {
    const mode = trace.value;
    const [one, other] = [from.value, chosen.graph_selected.value].map((path) => path?.split("/").at(-1) ?? "");
    if (mode === "off" || one === undefined || other === undefined) {
      return null;
    }
    if (mode !== "between") {
      return other === "" ? graphTexts().traceSelect : graphTexts().tracing[mode](other);
    }
    if (!isWay.value) {
      return graphTexts().traceFrom(one);
    }
    return traced.value === null ? graphTexts().noWay(one, other) : graphTexts().tracing.between(one, other);
  });
  return { traced, description };
}
