// The graphs that there are, and which of them is shown.

import type { DocumentCodec } from "../../wire/codec";
import type { TagContent } from "../../wire/collection";
import { list, row } from "../../wire/columns";
import type { Store } from "../../wire/store";
import { decodeRoot, decodeStructure } from "./model/decode";
import type { Structure } from "./model/structure";
import type { View } from "./model/view";

/** A graph of a run, by the name that its document has as tag. */
export interface GraphName {
  readonly run: string;
  readonly name: string;
}

/** Names of the graphs that events hold without one, in the order in which they are preferred. */
const UNNAMED = ["__run_graph__", "__meta_graph__"];

/** The graphs of all runs: runs in natural order, of each first what says most. */
export function graphsIn(store: Store): GraphName[] {
  const found = new Map<string, Set<string>>();
  for (const kind of [store.documents(graphRoots), store.documents(graphStructures)]) {
    for (const name of kind.tags.value) {
      const content: TagContent<unknown> | undefined = kind.tag(name);
      for (const run of [...(content?.byRun.keys() ?? []), ...(content?.failures.keys() ?? [])]) {
        found.set(run, (found.get(run) ?? new Set()).add(name));
      }
    }
  }
  const order = new Map(store.tags.value.map((tag, place) => [tag, place]));
  const rank = (name: string) => {
    const unnamed = UNNAMED.indexOf(name);
    return unnamed >= 0 ? unnamed - UNNAMED.length : (order.get(name) ?? 0);
  };
  return store.runs.value.flatMap((run) =>
    [...(found.get(run) ?? [])].sort((a, b) => rank(a) - rank(b)).map((name) => ({ run, name })),
  );
}

/**
 * The one to show: what was chosen, where it is there; of what was not chosen the first of a run that is shown and that is
 * not known to be empty. A run that was chosen and is not there is waited for.
 */
export function graphToShow(
  graphs: readonly GraphName[],
  chosen: { readonly run: string | null; readonly name: string | null },
  shows: (run: string) => boolean,
  isEmpty: (graph: GraphName) => boolean,
): GraphName | null {
  const ofRun = graphs.filter(({ run }) => (chosen.run ?? run) === run);
  const named = ofRun.filter(({ name }) => name === chosen.name);
  const among = named.length > 0 ? named : ofRun;
  const shown = among.filter(({ run }) => shows(run));
  return [...shown, ...among].find((graph) => !isEmpty(graph)) ?? shown[0] ?? among[0] ?? null;
}

// Graphs as they travel, in three documents: the view of the closed root, the whole structure, and the recorded steps of a run.

/** The view of each graph's closed root, which comes at once. Null where the root has more boxes than are sent at once. */
export const graphRoots: DocumentCodec<View | null> = {
  kind: "graph_roots",
  sort: "document",
  sources: ["graphs"],
  decode: decodeRoot,
};

/** Approximate memory of an edge and of an entry: their columns, and the entry's name. */
const EDGE_BYTES = 40;
const ENTRY_BYTES = 120;

export const graphStructures: DocumentCodec<Structure> = {
  kind: "graph_structures",
  sort: "document",
  sources: ["graphs"],
  decode: decodeStructure,
  bytesOf: ({ source, entryCount }) => EDGE_BYTES * source.length + ENTRY_BYTES * entryCount,
};

/** The steps of each run that were recorded with their times and memory, by their tags. The document has no tag itself. */
export const graphSteps: DocumentCodec<readonly string[]> = {
  kind: "graph_steps",
  sort: "document",
  sources: ["run_metadata"],
  decode: (bytes) => list(row(JSON.parse(new TextDecoder().decode(bytes))).steps).map(String),
};
