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
  /** Nodes, and scopes before them; none is in two groups. */
  readonly entries: Int32Array;
}

export interface Searching {
  /** As it was typed: between slashes, a regular expression. */
  readonly text: ReadonlySignal<string>;
  readonly groups: ReadonlySignal<readonly Group[]>;
  /** Every hit, in the order of the list. */
  readonly entries: ReadonlySignal<Int32Array>;
  /** Every node with the text, also those that only their scope is listed for. */
  readonly nodes: ReadonlySignal<Int32Array>;
  /** Nodes that only the path to a listed scope has the text for, by that scope. */
  readonly inside: ReadonlySignal<Hits["inside"]>;
  readonly problem: ReadonlySignal<SearchProblem | null>;
  readonly waits: ReadonlySignal<boolean>;
  /** The kernel's hits in attributes have not arrived yet. */
  readonly attributesWait: ReadonlySignal<boolean>;
  /** The hit that was jumped to last; -1 for none. */
  readonly current: ReadonlySignal<number>;
  /** The place of it, or of the scope that it is listed inside, from 1; 0 for none. */
  readonly place: ReadonlySignal<number>;
  /** The list of hits is shown. */
  readonly listed: Signal<boolean>;
  /** Where it is typed. */
  readonly box: { current: HTMLInputElement | null };
  setText(text: string): void;
  /** Goes to the next one, or back. */
  go(by: 1 | -1): void;
  goTo(entry: number): void;
  /** Searches until what it returns is called. */
  follow(): () => void;
}

const NOTHING: Hits = { nodes: new Int32Array(0), by: new Uint8Array(0), named: new Int32Array(0), inside: new Map() };

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
  const hits = computed(() => (found.value.structure === structure.value ? found.value.hits : NOTHING));
  const groups = computed<readonly Group[]>(() => {
    const { nodes, by, named } = hits.value;
    const here = new Set(nodes);
    // By the first of these that holds.
    const foundBy = (sort: number, before: number) =>
      nodes.filter((_, i) => ((by[i] as number) & sort) > 0 && ((by[i] as number) & before) === 0);
    const isCurrent = found.value.structure === structure.value;
    const attributes = isCurrent ? (asked.value.value ?? NOTHING.nodes) : NOTHING.nodes;
    const all: Group[] = [
      { by: "name", entries: named },
      { by: "op", entries: foundBy(FoundBy.OP, FoundBy.NAME) },
      { by: "shape", entries: foundBy(FoundBy.SHAPE, FoundBy.NAME + FoundBy.OP) },
      { by: "attribute", entries: attributes.filter((node) => !here.has(node)) },
    ];
    return all.filter((group) => group.entries.length > 0);
  });
  const entries = computed(() => joined(groups.value.map((group) => group.entries)));
  const attributes = computed(() => groups.value.find(({ by }) => by === "attribute")?.entries ?? NOTHING.nodes);
  const nodes = computed(() => joined([hits.value.nodes, attributes.value]));
  const place = computed(() => {
    const around = [...hits.value.inside].find(([, nodes]) => nodes.includes(current.value));
    return entries.value.indexOf(around?.[0] ?? current.value) + 1;
  });
  const goTo = (entry: number) => {
    current.value = entry;
    state.goTo(entry);
  };
  /** Where to go as soon as something is found. */
  let awaited: 1 | -1 | null = null;
  const go = (by: 1 | -1) => {
    const all = entries.peek();
    awaited = waits.peek() ? by : null;
    if (awaited === null && all.length > 0) {
      const from = place.peek() - 1;
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
    entries,
    current,
    nodes,
    inside: computed(() => hits.value.inside),
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

function joined(lists: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return all;
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
  /** Scopes, then nodes, whose own names have the text, and not only the paths to them. */
  readonly named: Int32Array;
  /** Nodes with the text only in the path to them, by the innermost scope around them that is `named`. */
  readonly inside: ReadonlyMap<number, readonly number[]>;
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
  const paths = pathsOf(structure);
  const found: Flags[] = [];
  let within: readonly number[] = [];
  const steps: readonly (() => readonly [NameMatcher, readonly string[]])[] = [
    () => [names, paths],
    () => [names, structure.ops],
    () => [sizes, structure.shapes.map((shapes) => shapes.join(", "))],
    () => {
      within = hitsWithin(structure, found[0] as Flags);
      return [names, within.map((entry) => structure.labels[entry] as string)];
    },
  ];
  for (const step of steps) {
    const [matcher, texts] = step();
    const matches = text === "" ? [] : await matcher.match(texts, () => !until.aborted);
    if (until.aborted || matches === "unwanted") {
      return null;
    }
    if (typeof matches === "string") {
      return matches;
    }
    found.push(matches);
  }
  const [byPath, byOp, byShape, byLabel] = found as [Flags, Flags, Flags, Flags];
  const isFolded = new Uint8Array(structure.itemCount);
  for (let i = 0; i < within.length; i += 1) {
    isFolded[within[i] as number] = byLabel[i] ? 0 : 1;
  }
  return {
    ...nodeHits(structure, byPath, byOp, byShape),
    ...namedHits(structure, paths, byPath, isFolded, text.toLowerCase()),
  };
}

type Flags = readonly boolean[];

function nodeHits({ nodeCount, op, outputs }: Structure, byPath: Flags, byOp: Flags, byShape: Flags) {
  const nodes: number[] = [];
  const by: number[] = [];
  for (let node = 0; node < nodeCount; node += 1) {
    const texts =
      (byPath[node] ? FoundBy.NAME : 0) |
      (byOp[op[node] as number] ? FoundBy.OP : 0) |
      (byShape[outputs[node] as number] ? FoundBy.SHAPE : 0);
    if (texts > 0) {
      nodes.push(node);
      by.push(texts);
    }
  }
  return { nodes: new Int32Array(nodes), by: new Uint8Array(by) };
}

/** Separates the hits by paths: those with the text in their own names, and nodes that only stand inside such a scope. */
function namedHits(
  structure: Structure,
  paths: readonly string[],
  byPath: Flags,
  isFolded: Uint8Array,
  text: string,
): Pick<Hits, "named" | "inside"> {
  const { nodeCount, parent, labels } = structure;
  const scopes: number[] = [];
  const nodes: number[] = [];
  const inside = new Map<number, number[]>();
  for (let i = 0; i < paths.length; i += 1) {
    const entry = entryOfPath(structure, i);
    if (byPath[i] && isFolded[entry] === 0) {
      (i < nodeCount ? nodes : scopes).push(entry);
    } else if (byPath[i] && i < nodeCount) {
      let scope = parent[entry] as number;
      while (isFolded[scope] === 1) {
        scope = parent[scope] as number;
      }
      const others = inside.get(scope);
      if (others === undefined) {
        inside.set(scope, [entry]);
      } else {
        others.push(entry);
      }
    }
  }
  /** Less is better: the name is the text, begins with it, or has it elsewhere. */
  const distance = (scope: number) => {
    const label = (labels[scope] as string).toLowerCase();
    return label === text ? 0 : label.startsWith(text) ? 1 : 2;
  };
  const depth = (scope: number) => (paths[indexOfPath(structure, scope)] as string).split("/").length;
  const named = scopes
    .map((scope) => [scope, distance(scope), depth(scope)] as const)
    .sort((a, b) => a[1] - b[1] || a[2] - b[2] || a[0] - b[0])
    .map(([scope]) => scope)
    .concat(nodes);
  // A whole path was typed or pasted to get there.
  const exact = named.findIndex((entry) => paths[indexOfPath(structure, entry)]?.toLowerCase() === text);
  named.unshift(...(exact > 0 ? named.splice(exact, 1) : []));
  return { named: new Int32Array(named), inside };
}

// Paths are listed by node, and behind the nodes by scope, without the root.

function entryOfPath({ nodeCount, root }: Structure, index: number): number {
  return index < nodeCount ? index : index - nodeCount + root + 1;
}

function indexOfPath({ nodeCount, root }: Structure, entry: number): number {
  return entry < nodeCount ? entry : entry - root - 1 + nodeCount;
}

/** Entries whose scope matches by its path, too: their own names need not contain the text. */
function hitsWithin(structure: Structure, byPath: Flags): number[] {
  const { root, parent } = structure;
  const within: number[] = [];
  for (let i = 0; i < byPath.length; i += 1) {
    const entry = entryOfPath(structure, i);
    const scope = parent[entry] as number;
    if (byPath[i] && scope !== root && byPath[indexOfPath(structure, scope)]) {
      within.push(entry);
    }
  }
  return within;
}

const knownPaths = new WeakMap<Structure, readonly string[]>();

/** The names of the nodes that are in the graph, as they were written, and the paths of scopes. */
function pathsOf(structure: Structure): readonly string[] {
  let paths = knownPaths.get(structure);
  if (paths === undefined) {
    paths = buildPaths(structure);
    knownPaths.set(structure, paths);
  }
  return paths;
}

function buildPaths({ nodeCount, root, itemCount, labels, parent }: Structure): string[] {
  const paths = [""];
  for (let scope = root + 1; scope < itemCount; scope += 1) {
    const around = parent[scope] as number;
    paths.push(around === root ? (labels[scope] as string) : `${paths[around - root]}/${labels[scope]}`);
  }
  const names = Array.from({ length: nodeCount }, (_, node) => {
    const scope = parent[node] as number;
    const label = labels[node] as string;
    const path = paths[scope - root] as string;
    return scope === root ? label : isRenamed(label, labels[scope] as string) ? path : `${path}/${label}`;
  });
  return [...names, ...paths.slice(1)];
}

/** Whether a label is the name of the scope around it, in brackets: the node has the scope's name, and stands inside it. */
function isRenamed(label: string, scope: string): boolean {
  const brackets = Math.max(0, label.length - scope.length) >> 1;
  return brackets > 0 && label === "(".repeat(brackets) + scope + ")".repeat(brackets);
}
