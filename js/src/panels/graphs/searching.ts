// Search of a graph and its hits: by the browser in names, ops and shapes, by the kernel in attributes.

import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { NameMatcher, type PatternFault, RegexWorker } from "../../lib/namematcher";
import { latestRequest } from "../../ui/latestrequest";
import type { Structure } from "./model/structure";
import type { GraphState } from "./state";
import type { graphTexts } from "./texts";

/** Texts by which nodes were found. */
export type FoundIn = keyof ReturnType<typeof graphTexts>["searchGroups"];

export interface Group {
  readonly by: FoundIn;
  /** Ascending; none of them is in two groups. */
  readonly nodes: Int32Array;
}

export interface Searching {
  /** As it was typed: between slashes, a regular expression. */
  readonly text: ReadonlySignal<string>;
  readonly groups: ReadonlySignal<readonly Group[]>;
  /** Every hit, in the order of the list. */
  readonly nodes: ReadonlySignal<Int32Array>;
  readonly problem: ReadonlySignal<SearchProblem | null>;
  readonly waits: ReadonlySignal<boolean>;
  /** The kernel's hits in attributes have not arrived yet. */
  readonly attributesWait: ReadonlySignal<boolean>;
  /** Place of the node that was jumped to last, from 1; 0 for none. */
  readonly place: ReadonlySignal<number>;
  /** The list of hits is shown. */
  readonly listed: Signal<boolean>;
  /** Where it is typed. */
  readonly box: { current: HTMLInputElement | null };
  setText(text: string): void;
  /** Goes to the next one, or back. */
  go(by: 1 | -1): void;
  goTo(node: number): void;
  /** Searches until what it returns is called. */
  follow(): () => void;
}

const NOTHING: Hits = { nodes: new Int32Array(0), by: new Uint8Array(0) };

/** Hits, and their graph. */
interface Found {
  readonly hits: Hits;
  readonly structure: Structure | null;
}

const known = new WeakMap<GraphState, Searching>();

export function searching(state: GraphState): Searching {
  let found = known.get(state);
  if (found === undefined) {
    found = makeSearching(state);
    known.set(state, found);
  }
  return found;
}

/** The query: a text, or a regular expression between slashes. */
export function parseSearch(typed: string): { readonly text: string; readonly regex: boolean } {
  const pattern = /^\/(.+)\/$/s.exec(typed);
  return pattern === null ? { text: typed, regex: false } : { text: pattern[1] as string, regex: true };
}

function makeSearching(state: GraphState): Searching {
  const { structure, graph, body, board } = state;
  const text = signal("");
  const found = signal<Found>({ hits: NOTHING, structure: null });
  const problem = signal<SearchProblem | null>(null);
  const waits = signal(false);
  const listed = signal(true);
  const current = signal(-1);
  const asked = latestRequest<Int32Array>(board.channel.requests);
  const groups = computed<readonly Group[]>(() => {
    if (found.value.structure !== structure.value) {
      return [];
    }
    const { nodes, by } = found.value.hits;
    const here = new Set(nodes);
    // By the first of these that holds.
    const foundBy = (sort: number, before: number) =>
      nodes.filter((_, i) => ((by[i] as number) & sort) > 0 && ((by[i] as number) & before) === 0);
    const attributes = (asked.value.value ?? NOTHING.nodes).filter((node) => !here.has(node));
    const all: Group[] = [
      { by: "name", nodes: foundBy(FoundBy.NAME, 0) },
      { by: "op", nodes: foundBy(FoundBy.OP, FoundBy.NAME) },
      { by: "shape", nodes: foundBy(FoundBy.SHAPE, FoundBy.NAME + FoundBy.OP) },
      { by: "attribute", nodes: attributes },
    ];
    return all.filter((group) => group.nodes.length > 0);
  });
  const nodes = computed(() => Int32Array.from(groups.value.flatMap((group) => [...group.nodes])));
  const place = computed(() => nodes.value.indexOf(current.value) + 1);
  const goTo = (node: number) => {
    current.value = node;
    state.goTo(node);
  };
  /** Where to go as soon as something is found. */
  let awaited: 1 | -1 | null = null;
  const go = (by: 1 | -1) => {
    const all = nodes.peek();
    awaited = waits.peek() ? by : null;
    if (awaited === null && all.length > 0) {
      const from = all.indexOf(current.peek());
      goTo(all.at(from < 0 ? (by > 0 ? 0 : -1) : (from + by) % all.length) as number);
    }
  };
  const follow = () => {
    const worker = new RegexWorker();
    let end = new AbortController();
    const stop = effect(() => {
      const of = structure.value;
      const wanted = parseSearch(text.value);
      const at = graph.value;
      const isBody = body.value !== null;
      end.abort();
      end = new AbortController();
      const until = end.signal;
      asked.cancel();
      const take = (now: Hits | SearchProblem) => {
        batch(() => {
          waits.value = false;
          found.value = { hits: typeof now === "string" ? NOTHING : now, structure: of };
          problem.value = typeof now === "string" ? now : null;
        });
        if (awaited !== null) {
          go(awaited);
        }
      };
      if (of === null || wanted.text === "") {
        take(NOTHING);
        return;
      }
      waits.value = true;
      searchIn(of, wanted, worker, until).then((now) => {
        if (now !== null && !until.aborted) {
          take(now);
        }
      });
      if (at !== null && !isBody) {
        const args = { run: at.run, tag: at.name, ...wanted };
        asked.ask("graphs.find", args, ({ data }) => nodesOf(data, of.nodeCount));
      }
    });
    return () => {
      stop();
      end.abort();
      asked.cancel();
      worker.close();
    };
  };
  return {
    text,
    groups,
    nodes,
    problem,
    waits,
    attributesWait: asked.waits,
    place,
    listed,
    box: { current: null },
    setText: (typed) =>
      batch(() => {
        text.value = typed;
        current.value = -1;
        listed.value = true;
      }),
    go,
    goTo,
    follow,
  };
}

/** Numbers of nodes, as the kernel sends them. */
function nodesOf(data: Uint8Array, nodeCount: number): Int32Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Int32Array.from({ length: data.byteLength >> 2 }, (_, i) => view.getInt32(4 * i, true)).filter(
    (node) => node >= 0 && node < nodeCount,
  );
}

// Finds nodes by their texts: name, op, output shapes. Twin of tbwidget/graph/search.py, but for attributes,
// which only the kernel has.

/** Text by which a node was found; several add up. */
export const FoundBy = { NAME: 1, OP: 2, SHAPE: 4 } as const;

export interface Hits {
  /** Ascending; embedded nodes are among them. */
  readonly nodes: Int32Array;
  /** Sums of `FoundBy`, of each. */
  readonly by: Uint8Array;
}

export interface Searched {
  /** Upper and lower case are alike. In shapes, an `x` or `*` between sizes of a plain text stands for the sign there. */
  readonly text: string;
  /** Whether it is a regular expression. */
  readonly regex: boolean;
}

/** Why there are no hits: no regular expression, ended at its deadline, or one that this page cannot run safely. */
type SearchProblem = PatternFault | "ended" | "unavailable";

const TYPED_TIMES = /(?<=[0-9?])\s*[x*]\s*(?=[0-9?])/g;
const TIMES = "×";

/** The nodes with a text or pattern in their names, ops or output shapes; null where `until` has come before. */
export async function searchIn(
  structure: Structure,
  { text, regex }: Searched,
  worker: RegexWorker,
  until: AbortSignal,
): Promise<Hits | SearchProblem | null> {
  const names = new NameMatcher(text, worker, { isPlain: !regex });
  if (names.pattern.type === "invalid") {
    return names.pattern.fault;
  }
  const sizes = regex ? names : new NameMatcher(text.replace(TYPED_TIMES, TIMES), worker, { isPlain: true });
  const found: Flags[] = [];
  for (const [matcher, texts] of [
    [names, namesOf(structure)],
    [names, structure.ops],
    [sizes, structure.shapes.map((shapes) => shapes.join(", "))],
  ] as const) {
    const matches = text === "" ? [] : await matcher.match(texts, () => !until.aborted);
    if (until.aborted || matches === "unwanted") {
      return null;
    }
    if (typeof matches === "string") {
      return matches;
    }
    found.push(matches);
  }
  const [byName, byOp, byShape] = found as [Flags, Flags, Flags];
  return hits(structure, byName, byOp, byShape);
}

type Flags = readonly boolean[];

function hits({ nodeCount, op, outputs }: Structure, byName: Flags, byOp: Flags, byShape: Flags): Hits {
  const by = new Uint8Array(nodeCount);
  for (let node = 0; node < nodeCount; node += 1) {
    by[node] =
      (byName[node] ? FoundBy.NAME : 0) |
      (byOp[op[node] as number] ? FoundBy.OP : 0) |
      (byShape[outputs[node] as number] ? FoundBy.SHAPE : 0);
  }
  const nodes = Int32Array.from(by.keys()).filter((node) => (by[node] as number) > 0);
  return { nodes, by: Uint8Array.from(nodes, (node) => by[node] as number) };
}

const knownNames = new WeakMap<Structure, readonly string[]>();

/** The names of the nodes that are in the graph, as they were written. */
function namesOf(structure: Structure): readonly string[] {
  let names = knownNames.get(structure);
  if (names === undefined) {
    names = buildNames(structure);
    knownNames.set(structure, names);
  }
  return names;
}

function buildNames({ nodeCount, root, itemCount, labels, parent }: Structure): string[] {
  const paths = [""];
  for (let scope = root + 1; scope < itemCount; scope += 1) {
    const around = parent[scope] as number;
    paths.push(around === root ? (labels[scope] as string) : `${paths[around - root]}/${labels[scope]}`);
  }
  return Array.from({ length: nodeCount }, (_, node) => {
    const scope = parent[node] as number;
    const label = labels[node] as string;
    const path = paths[scope - root] as string;
    return scope === root ? label : isRenamed(label, labels[scope] as string) ? path : `${path}/${label}`;
  });
}

/** Whether a label is the name of the scope around it, in brackets: the node has the scope's name, and stands inside it. */
function isRenamed(label: string, scope: string): boolean {
  const brackets = Math.max(0, label.length - scope.length) >> 1;
  return brackets > 0 && label === "(".repeat(brackets) + scope + ")".repeat(brackets);
}
