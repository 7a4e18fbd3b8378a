// Finds nodes by their texts: name, op, output shapes. Twin of tbwidget/graph/search.py, but for attributes,
// which only the kernel has.

import { PATTERN_FLAGS, type PatternFault, parsePattern } from "../../../lib/pattern";
import type { RegexWorker } from "../../../lib/regexworker";
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

/** Milliseconds of work after which something else may come in. */
const SLICE = 8;

/** Characters between two looks at the clock. */
const STRIDE = 16_384;

/** Texts that the worker is given at a time, each time with a deadline. */
const MAX_ASKED = 20_000;

const TYPED_TIMES = /(?<=[0-9?])\s*[x*]\s*(?=[0-9?])/g;
const TIMES = "×";

/** Whether each text matches; null once the request was replaced. */
type Match = (texts: readonly string[]) => Promise<readonly boolean[] | "ended" | "unavailable" | null>;

/** The nodes with a text or pattern in their names, ops or output shapes; null where `until` has come before. */
export async function search(
  structure: Structure,
  { text, regex }: Searched,
  worker: RegexWorker,
  until: AbortSignal,
): Promise<Hits | SearchProblem | null> {
  let names: Match;
  let sizes: Match;
  if (regex) {
    const pattern = parsePattern(text);
    if (pattern.type === "invalid") {
      return pattern.fault;
    }
    names = pattern.type === "unbounded" ? inWorker(text, worker, until) : here(new RegExp(text, PATTERN_FLAGS), until);
    sizes = names;
  } else {
    names = here(literal(text), until);
    sizes = here(literal(text.replace(TYPED_TIMES, TIMES)), until);
  }
  const byName = text === "" ? [] : await names(namesOf(structure));
  const byOp = text === "" ? [] : await names(structure.ops);
  const byShape = text === "" ? [] : await sizes(structure.shapes.map((shapes) => shapes.join(", ")));
  for (const found of [byName, byOp, byShape]) {
    if (found === null || typeof found === "string") {
      return found;
    }
  }
  return hits(structure, byName as Flags, byOp as Flags, byShape as Flags);
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

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), PATTERN_FLAGS);
}

/** In the page itself, in slices. */
function here(expression: RegExp, until: AbortSignal): Match {
  return async (texts) => {
    const found: boolean[] = [];
    let since = performance.now();
    let work = 0;
    for (const text of texts) {
      found.push(expression.test(text));
      work += text.length + 1;
      if (work > STRIDE) {
        work = 0;
        if (performance.now() - since > SLICE) {
          await new Promise((resolve) => setTimeout(resolve));
          since = performance.now();
        }
      }
      if (until.aborted) {
        return null;
      }
    }
    return found;
  };
}

/** In a worker, the only place where what takes forever can be ended. */
function inWorker(source: string, worker: RegexWorker, until: AbortSignal): Match {
  return async (texts) => {
    const found: boolean[] = [];
    for (let first = 0; first < texts.length; first += MAX_ASKED) {
      const outcome = await worker.match(source, texts.slice(first, first + MAX_ASKED), () => !until.aborted);
      if (until.aborted || outcome === "unwanted") {
        return null;
      }
      if (typeof outcome === "string") {
        return outcome;
      }
      found.push(...outcome.map((span) => span !== null));
    }
    return found;
  };
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
