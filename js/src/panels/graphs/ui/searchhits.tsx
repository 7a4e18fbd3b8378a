// Hits of a search: all of it, by what it was found in.

import { useSignal } from "@preact/signals";
import { formatCount } from "../../../lib/format";
import { uiTexts } from "../../../ui/texts";
import { pathOf } from "../pageprogram";
import { type FoundIn, searching } from "../searching";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";
import { PathName } from "./names";

/** Nodes that are listed of each group at first, and when more are asked for. */
const FIRST_SHOWN = 20;
const MAX_SHOWN = 1_000;

export function SearchHits({ state }: { readonly state: GraphState }) {
  const search = searching(state);
  const structure = state.structure.value;
  const more = useSignal<ReadonlySet<FoundIn>>(new Set());
  if (search.text.value === "" || structure === null || !search.listed.value) {
    return null;
  }
  const place = search.place.value;
  const current = place > 0 ? search.nodes.value[place - 1] : -1;
  const problem = search.problem.value;
  const groups = search.groups.value;
  return (
    <aside class="tbwidget-graph-hits" aria-label={graphTexts().searchHits}>
      {problem !== null && (
        <p role="alert">
          {problem === "ended" || problem === "unavailable"
            ? graphTexts().searchProblems[problem]
            : uiTexts().filterProblems[problem]}
        </p>
      )}
      {groups.length === 0 && problem === null && !search.waits.value && (
        <p class="tbwidget-quiet">{graphTexts().noHits}</p>
      )}
      {search.attributesWait.value && (
        <p class="tbwidget-quiet" role="status" title={uiTexts().waitsForKernelHint}>
          {graphTexts().attributesLater}
        </p>
      )}
      {groups.map(({ by, nodes }) => {
        const shown = more.value.has(by) ? MAX_SHOWN : FIRST_SHOWN;
        return (
          <section key={by}>
            <h5>
              {graphTexts().searchGroups[by]} <span class="tbwidget-quiet">{formatCount(nodes.length)}</span>
            </h5>
            <ul>
              {Array.from(nodes.subarray(0, shown), (node) => (
                <li key={node}>
                  <button
                    type="button"
                    aria-current={node === current}
                    title={structure.ops[structure.op[node] as number]}
                    onClick={() => search.goTo(node)}
                  >
                    <PathName path={pathOf(structure, node)} />
                  </button>
                </li>
              ))}
              {nodes.length > shown && (
                <li>
                  <button
                    type="button"
                    class="tbwidget-link"
                    disabled={shown === MAX_SHOWN}
                    onClick={() => {
                      more.value = new Set([...more.value, by]);
                    }}
                  >
                    {graphTexts().andMore(formatCount(nodes.length - shown))}
                  </button>
                </li>
              )}
            </ul>
          </section>
        );
      })}
    </aside>
  );
}
