// Finds nodes by their texts: name, op, output shapes. Twin of tbwidget/graph/search.py, but for attributes,
// which only the kernel has.

import { NameMatcher, type PatternFault, type RegexWorker } from "../../../lib/namematcher";
import type { Structure } from "./structure";

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
export type SearchProblem = PatternFault | "ended" | "unavailable";

const TYPED_TIMES = /(?<=[0-9?])\s*[x*]\s*(?=[0-9?])/g;
const TIMES = "×";

/** The nodes with a text or pattern in their names, ops or output shapes; null where `until` has come before. */
export async function search(
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

const known = new WeakMap<Structure, readonly string[]>();

/** The names of the nodes that are in the graph, as they were written. */
function namesOf(structure: Structure): readonly string[] {
  let names = known.get(structure);
  if (names === undefined) {
    names = buildNames(structure);
    known.set(structure, names);
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

/** Whether a label is that of the scope around it in brackets: the node is called as the scope, and stands in it instead. */
function isRenamed(label: string, scope: string): boolean {
  const brackets = Math.max(0, label.length - scope.length) >> 1;
  return brackets > 0 && label === "(".repeat(brackets) + scope + ")".repeat(brackets);
}
