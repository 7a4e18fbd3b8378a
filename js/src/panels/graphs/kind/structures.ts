// Of each graph all of its structure.

import type { DocumentCodec } from "../../../wire/codec";
import { decodeStructure } from "../model/decode";
import type { Structure } from "../model/structure";

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
