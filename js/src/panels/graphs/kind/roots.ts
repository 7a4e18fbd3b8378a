// Of each graph the view of its closed root, which comes at once.

import type { DocumentCodec } from "../../../wire/codec";
import { decodeRoot } from "../model/decode";
import type { View } from "../model/view";

/** Null where the root has more boxes than are sent at once. */
export const graphRoots: DocumentCodec<View | null> = {
  kind: "graph_roots",
  sort: "document",
  sources: ["graphs"],
  decode: decodeRoot,
};
