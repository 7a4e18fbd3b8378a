// What a view shows of a graph: from documents and options to what is laid out, and what people do with it.

import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Option, OptionsOf } from "../../options/declare";
import { latestRequest } from "../../ui/latestrequest";
import type { View as Board } from "../../ui/view";
import type { TagContent } from "../../wire/collection";
import { type GraphName, graphRoots, graphStructures, graphsIn, graphToShow } from "./documents";
import type { GraphController } from "./draw/canvas";
import type { Placed, Wanted } from "./layout/program";
import { layoutRunner } from "./layout/runner";
import { narrowed } from "./model/bundles";
import type { Composing } from "./model/compose";
import { decodeStructure } from "./model/decode";
import { FoldKind, type Structure } from "./model/structure";
import { BoxKind } from "./model/view";
import { graphsOptions } from "./options";
import { entryOf, isBox, openedUpTo, pathOf, treeOf } from "./pageprogram";
import { boxAt, boxOfPath } from "./places";
import { type StepStatistics, stepStatistics } from "./statistics";

/** A layout and its input. */
export interface LaidOut extends Placed {
  /** Another one for another graph: nothing of the drawing before is kept. */
  readonly key: string;
  /** Null while there is only the view of the closed root. */
  readonly structure: Structure | null;
}

/** Dependencies or dependents of the selected box, or the paths to it from another. */
export type TraceMode = "off" | "inputs" | "outputs" | "both" | "between";

export interface GraphState {
  readonly board: Board;
  readonly chosen: OptionsOf<typeof graphsOptions>;
  /** Every graph, and the graph that is shown. */
  readonly graphs: ReadonlySignal<readonly GraphName[]>;
  readonly graph: ReadonlySignal<GraphName | null>;
  /** The function of its library that is shown instead of it. */
  readonly body: ReadonlySignal<string | null>;
  readonly bodyWaits: ReadonlySignal<boolean>;
  /** Structure of the graph, or of the function's body; null until it arrives. */
  readonly structure: ReadonlySignal<Structure | null>;
  /** Names of the functions of the graph. */
  readonly functions: ReadonlySignal<readonly string[]>;
  readonly statistics: StepStatistics;
  readonly laidOut: ReadonlySignal<LaidOut | null>;
  readonly layingOut: ReadonlySignal<boolean>;
  /** Reason why nothing, or another graph, is shown; for people. */
  readonly problem: ReadonlySignal<string | null>;
  /** Box of the selection: itself, or the box around it; -1 where it is not on the screen. */
  readonly selectedBox: ReadonlySignal<number>;
  /** The drawing, while it is on the screen. */
  readonly canvas: Signal<GraphController | null>;
  /** Not all could be opened. */
  readonly tooMany: ReadonlySignal<boolean>;
  /** The message about the picture that was saved; null for none. */
  readonly message: Signal<string | null>;
  readonly trace: Signal<TraceMode>;
  /** Path at which the way begins that is traced. */
  readonly traceFrom: Signal<string | null>;
  /** It has the whole window. */
  readonly full: Signal<boolean>;
  readonly legend: Signal<boolean>;
  /** Follows documents and options until what it returns is called. */
  follow(): () => void;
  /** `name` null: the one of the run that says most. */
  showGraph(run: string, name: string | null, body?: string | null): void;
  /** Opens a closed box, closes an open one. */
  toggleBox(path: string): void;
  select(path: string | null): void;
  /** Selects a node that is drawn beside a box. */
  selectNode(node: number): void;
  /** Opens the scopes around a node or scope, selects it and scrolls to it. */
  goTo(entry: number): void;
  /** Opens all scopes in a scope; null: in the graph. */
  expandAll(path?: string | null): void;
  collapseAll(): void;
}

/** By then the first drawing is usually on the screen. */
const SETTLED_MS = 300;

const states = new WeakMap<Board, GraphState>();

/** State of the graph panel in one dashboard view. */
export function graphState(board: Board): GraphState {
  let state = states.get(board);
  if (state === undefined) {
    state = makeState(board);
    states.set(board, state);
  }
  return state;
}

function makeState(board: Board): GraphState {
  const { channel, options } = board;
  const { store } = channel;
  const chosen = options.of(graphsOptions);
  const graphs = computed(() => graphsIn(store));
  let shown: GraphName | null = null;
  const graph = computed(() => {
    const wanted = { run: chosen.graph_run.value, name: chosen.graph_name.value };
    const isEmpty = ({ run, name }: GraphName) =>
      store.documents(graphRoots).get(run, name).value?.value?.count === 0 ||
      store.failure("graph_roots", run, name) !== undefined;
    const found = graphToShow(graphs.value, wanted, (run) => options.shows(run), isEmpty);
    if (found?.run !== shown?.run || found?.name !== shown?.name) {
      shown = found;
    }
    return shown;
  });
  const body = signal<string | null>(null);
  const asked = latestRequest<Structure>(channel.requests);
  const documentOf = <V>(codec: Parameters<typeof store.documents<V>>[0]) =>
    computed(() => {
      const at = graph.value;
      return at === null ? null : (store.documents(codec).get(at.run, at.name).value?.value ?? null);
    });
  const whole = documentOf(graphStructures);
  const root = documentOf(graphRoots);
  const structure = computed(() => (body.value === null ? whole.value : asked.value.value));
  const key = computed(() => JSON.stringify([graph.value, body.value]));
  const firstOpened = computed<readonly string[]>(() => {
    const view = body.value === null ? root.value : null;
    return structure.value?.opened ?? view?.path.filter((_, box) => view.open[box] === 1) ?? [];
  });
  const opened = computed<ReadonlySet<string>>(() => chosen.graph_expanded.value ?? new Set(firstOpened.value));
  const composing = computed<Composing>(() => ({
    opened: opened.value,
    ungrouped: chosen.graph_ungrouped.value,
    grouped: chosen.graph_grouped.value,
    hiddenOps: chosen.graph_hidden_ops.value,
    isolated: chosen.graph_isolated.value,
  }));
  const wanted = computed<Wanted | null>(() => {
    const first = body.value === null ? root.value : null;
    const of = structure.value ?? (first && narrowed(first, opened.value));
    const options = {
      main: chosen.graph_keep.value,
      auxiliary: chosen.graph_extract.value,
      hiddenOps: chosen.graph_hidden_ops.value,
    };
    return of && { of, composing: composing.value, options };
  });
  const problem = signal<string | null>(null);
  const failure = computed(() => {
    const at = graph.value;
    const kinds = [store.documents(graphRoots), store.documents(graphStructures)];
    const found = kinds.map((kind) => {
      const content: TagContent<unknown> | undefined = at === null ? undefined : kind.tag(at.name);
      return content?.failures.get(at?.run ?? "")?.reason;
    });
    return found.find((reason) => reason !== undefined) ?? null;
  });
  const laidOut = signal<LaidOut | null>(null);
  const layingOut = signal(false);
  const selectedBox = computed(() => {
    const path = chosen.graph_selected.value;
    return laidOut.value === null || path === null ? -1 : boxOfPath(laidOut.value, path);
  });
  const canvas = signal<GraphController | null>(null);
  const tooMany = signal(false);
  const statistics = stepStatistics(channel, graph, structure, chosen.graph_step, chosen.graph_devices, () => {
    const coloring = chosen.graph_color_by.value;
    return body.value === null && (coloring === "time" || coloring === "memory");
  });

  const follow = () => {
    const runner = layoutRunner();
    const ends = [
      () => runner.close(),
      statistics.follow(),
      effect(() => {
        const of = structure.value;
        // The first click needs it: better now than then.
        const later = setTimeout(() => of && treeOf(of), SETTLED_MS);
        return () => clearTimeout(later);
      }),
      effect(() => {
        const at = graph.value;
        const name = body.value;
        if (at === null || name === null || whole.value === null) {
          asked.cancel();
        } else {
          const args = { run: at.run, tag: at.name, name };
          asked.ask("graphs.function", args, ({ data }) => decodeStructure(data));
        }
      }),
      effect(() => {
        const next = wanted.value;
        const of = { key: key.value, structure: structure.value };
        if (laidOut.peek()?.key !== of.key) {
          // Another graph drops the old layout.
          laidOut.value = null;
        }
        layingOut.value = next !== null;
        if (next !== null) {
          runner.run(next).then(
            (placed) => {
              if (placed !== null && wanted.peek() === next) {
                batch(() => {
                  layingOut.value = false;
                  problem.value = null;
                  laidOut.value = { ...of, ...placed };
                });
              }
            },
            (error: unknown) => {
              if (wanted.peek() === next) {
                layingOut.value = false;
                problem.value = String(error);
              }
            },
          );
        }
      }),
    ];
    return () => {
      for (const end of ends) {
        end();
      }
      asked.cancel();
    };
  };

  return {
    board,
    chosen,
    graphs,
    graph,
    body,
    bodyWaits: asked.waits,
    structure,
    functions: computed(() => whole.value?.functions ?? []),
    statistics,
    laidOut,
    layingOut,
    problem: computed(() => problem.value ?? asked.reason.value ?? failure.value),
    selectedBox,
    canvas,
    tooMany,
    message: signal<string | null>(null),
    trace: signal<TraceMode>("off"),
    traceFrom: signal<string | null>(null),
    full: signal(false),
    legend: signal(false),
    follow,
    showGraph: (run, name, of = null) =>
      batch(() => {
        chosen.graph_run.set(run);
        chosen.graph_name.set(name);
        body.value = of;
      }),
    toggleBox: (path) =>
      batch(() => {
        const now = laidOut.peek();
        const box = now === null ? -1 : boxAt(now.view, path);
        const isOpen = now?.view.open[box] === 1;
        const names = new Set(opened.peek());
        if (isOpen) {
          names.delete(path);
          // A stack's representative is open while the stack is.
          const around = now.view.parent[box] as number;
          if (now.view.kind[around] === BoxKind.STACK) {
            names.delete(now.view.path[around] as string);
          }
        } else {
          names.add(path);
          const member = structure.peek() && memberOf(structure.peek() as Structure, path);
          if (member) {
            names.add(member);
          }
        }
        chosen.graph_expanded.set(names);
        tooMany.value = false;
        if (isOpen && chosen.graph_selected.peek()?.startsWith(`${path}/`)) {
          chosen.graph_selected.set(path);
        }
      }),
    select: (path) => chosen.graph_selected.set(path),
    selectNode: (node) => {
      const of = structure.peek();
      if (of !== null) {
        chosen.graph_selected.set(pathOf(of, node));
      }
    },
    goTo: (entry) => {
      const of = structure.peek();
      if (of === null) {
        return;
      }
      const { opened: around, ungrouped } = reveal(of, entry, chosen.graph_grouped.peek());
      const path = pathOf(of, entry);
      const alone = chosen.graph_isolated.peek();
      batch(() => {
        chosen.graph_expanded.set(new Set([...opened.peek(), ...around]));
        add(chosen.graph_ungrouped, ungrouped);
        if (alone !== null && !path.startsWith(`${alone}/`)) {
          chosen.graph_isolated.set(null);
        }
        chosen.graph_selected.set(path);
        canvas.peek()?.center(path);
      });
    },
    expandAll: (path = null) => {
      const of = structure.peek();
      if (of !== null) {
        const all = openedUpTo(of, composing.peek(), path);
        batch(() => {
          chosen.graph_expanded.set(new Set([...opened.peek(), ...all.paths]));
          tooMany.value = !all.complete;
        });
        if (path === null) {
          canvas.peek()?.fit();
        }
      }
    },
    collapseAll: () => {
      batch(() => {
        chosen.graph_expanded.set(new Set());
        tooMany.value = false;
      });
      canvas.peek()?.fit();
    },
  };
}

function add(option: Option<ReadonlySet<string>>, names: readonly string[]): void {
  if (names.some((name) => !option.peek().has(name))) {
    option.set(new Set([...option.peek(), ...names]));
  }
}

/** The path of what opens together with a stack: the one scope or layer that stands for all in it; null for none. */
function memberOf(structure: Structure, path: string): string | null {
  const { root, itemCount, foldKind, representative } = structure;
  const stack = entryOf(structure, path) - itemCount;
  const member = representative[stack] ?? -1;
  const isNamed = member > root && foldKind[member - itemCount] !== FoldKind.MEMBER;
  return isNamed ? pathOf(structure, member) : null;
}

// Scopes and stacks to open before an entry becomes visible. Twin of `reveal` in tbwidget/graph/view.py.

interface Revealed {
  /** Paths of boxes. */
  readonly opened: readonly string[];
  /** Paths of stacks that show another member instead. */
  readonly ungrouped: readonly string[];
}

/**
 * Boxes to open, and stacks to ungroup, before an entry becomes visible; of an embedded node, the scope it stands in.
 * `grouped`: paths of the optional stacks that are made.
 */
export function reveal(structure: Structure, entry: number, grouped: ReadonlySet<string> = new Set()): Revealed {
  const { root, itemCount, parent, foldParent, foldKind, representative, optional } = structure;
  const opened: string[] = [];
  const ungrouped: string[] = [];
  for (let item = entry; item !== root; item = parent[item] as number) {
    const scope = parent[item] as number;
    if (scope !== root) {
      opened.push(pathOf(structure, scope));
    }
    let box = isBox(structure, item) ? item : -1;
    while (box >= 0) {
      const around = foldParent[box] as number;
      const kind = foldKind[around - itemCount];
      if (around >= 0 && kind !== FoldKind.MEMBER) {
        const path = pathOf(structure, around);
        if (!optional.has(around) || grouped.has(path)) {
          const isHidden = kind === FoldKind.STACK && representative[around - itemCount] !== box;
          (isHidden ? ungrouped : opened).push(path);
        }
      }
      box = around;
    }
  }
  return { opened, ungrouped };
}
