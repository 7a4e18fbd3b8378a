// Leaves nodes out by their ops: a list of all ops of the graph, the most frequent first.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { formatCount } from "../../../lib/format";
import { toggle } from "../../../options/declare";
import { Popover } from "../../../ui/popover";
import { Embedded, type Structure } from "../model/structure";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";

/** Ops that are listed at once; the others are found by typing. */
const MOST_OPS = 100;

/** How many nodes that are boxes each op has, the most frequent first. */
function opsOf({ op, ops, embedded, nodeCount }: Structure): (readonly [op: string, nodes: number])[] {
  const counts = new Int32Array(ops.length);
  for (let node = 0; node < nodeCount; node += 1) {
    if (embedded[node] === Embedded.NOT) {
      (counts[op[node] as number] as number) += 1;
    }
  }
  return ops
    .map((name, i) => [name, counts[i] as number] as const)
    .filter(([, nodes]) => nodes > 0)
    .sort((a, b) => b[1] - a[1]);
}

export function HideOps({ state }: { readonly state: GraphState }) {
  const { graph_hidden_ops } = state.chosen;
  const structure = state.structure.value;
  const hidden = graph_hidden_ops.value;
  return (
    <Popover
      label={hidden.size > 0 ? graphTexts().hidden(hidden.size, formatCount(hidden.size)) : graphTexts().hide}
      title={graphTexts().hideHint}
      active={hidden.size > 0}
      disabled={structure === null}
    >
      {() => structure !== null && <Ops state={state} structure={structure} />}
    </Popover>
  );
}

function Ops({ state, structure }: { readonly state: GraphState; readonly structure: Structure }) {
  const { graph_hidden_ops } = state.chosen;
  const typed = useSignal("");
  const ops = useMemo(() => opsOf(structure), [structure]);
  const hidden = graph_hidden_ops.value;
  const looked = typed.value.toLowerCase();
  const there = new Set(ops.map(([op]) => op));
  const absent = [...hidden].filter((op) => !there.has(op)).map((op) => [op, 0] as const);
  const matching = [...absent, ...ops].filter(([op]) => op.toLowerCase().includes(looked));
  return (
    <>
      <div class="tbwidget-popover-head">
        <input
          type="search"
          class="tbwidget-filter"
          data-lm-suppress-shortcuts="true"
          placeholder={graphTexts().filterOps}
          aria-label={graphTexts().filterOps}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        {hidden.size > 0 && (
          <button type="button" class="tbwidget-link" onClick={() => graph_hidden_ops.set(new Set())}>
            {graphTexts().showAllOps}
          </button>
        )}
      </div>
      <ul>
        {matching.slice(0, MOST_OPS).map(([op, nodes]) => (
          <li key={op}>
            <label class="tbwidget-check">
              <input type="checkbox" checked={hidden.has(op)} onChange={() => toggle(graph_hidden_ops, op)} />
              <span>{op || graphTexts().noOp}</span>
              <span class="tbwidget-quiet">{formatCount(nodes)}</span>
            </label>
          </li>
        ))}
        {matching.length > MOST_OPS && (
          <li class="tbwidget-quiet">{graphTexts().andMore(formatCount(matching.length - MOST_OPS))}</li>
        )}
      </ul>
    </>
  );
}
