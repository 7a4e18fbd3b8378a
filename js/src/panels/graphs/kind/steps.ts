// Of each run the steps that were recorded with their times and memory.

import type { DocumentCodec } from "../../../wire/codec";
import { list, row } from "../../../wire/columns";

/** By their tags; the document has no tag itself. */
export const graphSteps: DocumentCodec<readonly string[]> = {
  kind: "graph_steps",
  sort: "document",
  sources: ["run_metadata"],
  decode: (bytes) => list(row(JSON.parse(new TextDecoder().decode(bytes))).steps).map(String),
};
