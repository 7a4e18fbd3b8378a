// Encoded graphs with Python's results: those in tests/data/graphs/views, and local ones that
// `python -m tests.support.graph_views LOGDIR build/graph_views/NAME` has written.

import { decodeStructure } from "../../src/panels/graphs/model/decode";
import type { Structure } from "../../src/panels/graphs/model/structure";
import type { View } from "../../src/panels/graphs/model/view";

/** A view, with the columns of `View` in tbwidget/graph/view.py. */
export interface ViewJson {
  readonly edges: Readonly<Record<string, readonly unknown[]>>;
  readonly [column: string]: unknown;
}

/** A file that tests/support/graph_views.py writes. */
export interface Recorded {
  /** The container in base64. */
  readonly structure: string;
  readonly root: string;
  readonly views: readonly {
    readonly all?: boolean;
    readonly opened: readonly string[];
    readonly ungrouped: readonly string[];
    readonly grouped: readonly string[];
    readonly view: ViewJson;
  }[];
  readonly auxiliary: readonly {
    readonly scope: string;
    readonly kept: readonly string[];
    readonly removed: readonly string[];
    readonly areas: Readonly<Record<string, number>>;
  }[];
  readonly revealed: readonly {
    readonly node: number;
    readonly opened: readonly string[];
    readonly ungrouped: readonly string[];
  }[];
  readonly found: readonly {
    readonly text: string;
    readonly regex: boolean;
    readonly count: number;
    readonly nodes: readonly number[];
  }[];
}

const files = import.meta.glob(["../../../tests/data/graphs/views/*.json", "../../../build/graph_views/**/*.json"], {
  query: "?raw",
  import: "default",
});

/** Names of graphs, with functions that read them. */
export const recorded = Object.entries(files).map(
  ([path, read]) =>
    [path.replace(/^.*views\/|\.json$/g, ""), async (): Promise<Recorded> => JSON.parse(await read())] as const,
);

export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function structureOf({ structure }: Recorded): Promise<Structure> {
  return decodeStructure(bytesOf(structure));
}

/** A recorded graph from the repository, such as "train_graph_def". */
export async function structureNamed(name: string): Promise<Structure> {
  const read = recorded.find(([other]) => other === name)?.[1];
  if (read === undefined) {
    throw new Error(`no recorded graph ${name}`);
  }
  return structureOf(await read());
}

/** A view in the same columns. */
export function asJson(view: View): ViewJson {
  const { path, label, kind, parent, op, nodes, copies, odd, unordered, alike, role, open } = view;
  const { source, target, data, control, reference, size, shape } = view.edges;
  const plain = (columns: Record<string, ArrayLike<unknown>>) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, Array.from(column)]));
  return {
    ...plain({ path, label, kind, parent, op, nodes, copies, odd, unordered, alike, role, open }),
    edges: plain({ source, target, data, control, reference, size, shape }),
  };
}
