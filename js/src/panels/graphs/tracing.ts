// The trace that was asked for: which nodes and edges are on it, and what is description of it.

import { computed, type ReadonlySignal } from "@preact/signals";
import { type Trace, traceBetween, traceFrom } from "./model/trace";
import { entryOf } from "./pageprogram";
import type { GraphState } from "./state";
import { graphTexts } from "./texts";

export interface Tracing {
  /** Null while nothing is traced. */
  readonly traced: ReadonlySignal<Trace | null>;
  /** What is traced, or what is missing for it. */
  readonly description: ReadonlySignal<string | null>;
}

const known = new WeakMap<GraphState, Tracing>();

export function tracing(state: GraphState): Tracing {
  let found = known.get(state);
  if (found === undefined) {
    found = makeTracing(state);
    known.set(state, found);
  }
  return found;
}

function makeTracing({ structure, chosen, trace, traceFrom: from }: GraphState): Tracing {
  const entryAt = (path: string | null) => {
    const of = structure.value;
    return of === null || path === null ? -1 : entryOf(of, path);
  };
  const begin = computed(() => entryAt(from.value));
  const end = computed(() => entryAt(chosen.graph_selected.value));
  const isWay = computed(
    () => trace.value === "between" && begin.value >= 0 && end.value >= 0 && begin.value !== end.value,
  );
  const traced = computed<Trace | null>(() => {
    const mode = trace.value;
    const of = structure.value;
    if (of === null || end.value < 0 || mode === "off") {
      return null;
    }
    if (mode !== "between") {
      return traceFrom(of, end.value, mode, true);
    }
    // Whichever of the two comes first.
    return isWay.value
      ? (traceBetween(of, begin.value, end.value, true) ?? traceBetween(of, end.value, begin.value, true))
      : null;
  });
  const description = computed(() => {
    const mode = trace.value;
    const [one, other] = [from.value, chosen.graph_selected.value].map((path) => path?.split("/").at(-1) ?? "");
    if (mode === "off" || one === undefined || other === undefined) {
      return null;
    }
    if (mode !== "between") {
      return other === "" ? graphTexts().traceSelect : graphTexts().tracing[mode](other);
    }
    if (!isWay.value) {
      return graphTexts().traceFrom(one);
    }
    return traced.value === null ? graphTexts().noWay(one, other) : graphTexts().tracing.between(one, other);
  });
  return { traced, description };
}
