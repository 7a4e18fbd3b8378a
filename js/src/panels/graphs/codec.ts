// Graphs as they travel, in three documents: the view of the closed root, the whole structure, and the recorded steps of a run.

import type { DocumentCodec } from "../../wire/codec";
import { list, row } from "../../wire/columns";
import { decodeRoot, decodeStructure } from "./model/decode";
import type { Structure } from "./model/structure";
import type { View } from "./model/view";

/** The view of each graph's closed root, which comes at once. Null where the root has more boxes than are sent at once. */
export const graphRoots: DocumentCodec<View | null> = {
  kind: "graph_roots",
  sort: "document",
  sources: ["graphs"],
  decode: decodeRoot,
};

/** Bytes in memory of each edge and of each entry, about: their columns, and the entry's name. */
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
