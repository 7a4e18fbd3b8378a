// What the kernel answers about a node: its attributes, and the functions that it calls.

import { useEffect, useMemo } from "preact/hooks";
import { latestRequest } from "../../../ui/latestrequest";
import { uiTexts } from "../../../ui/texts";
import { useView } from "../../../ui/view";
import type { About } from "../about";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";

interface Details {
  readonly attributes: readonly (readonly [key: string, text: string])[];
  readonly functions: readonly string[];
}

/** Whatever the answer is, texts. */
function detailsOf(value: unknown): Details {
  const { attributes, functions } = (value ?? {}) as { attributes?: unknown; functions?: unknown };
  const pairs = Array.isArray(attributes) ? attributes.filter(Array.isArray) : [];
  return {
    attributes: pairs.map((pair: unknown[]) => [String(pair[0]), String(pair[1] ?? "")] as const),
    functions: Array.isArray(functions) ? functions.map(String) : [],
  };
}

export function Attributes({ state, about }: { readonly state: GraphState; readonly about: About }) {
  const { requests } = useView().channel;
  const asked = useMemo(() => latestRequest<Details>(requests), [requests]);
  const graph = state.graph.value;
  const body = state.body.value;
  const structure = state.structure.value;
  const { path } = about;
  useEffect(() => {
    if (graph !== null && structure !== null) {
      const args = { run: graph.run, tag: graph.name, node: path, ...(body === null ? {} : { function: body }) };
      asked.ask("graphs.node", args, ({ value }) => detailsOf(value));
    }
    return () => asked.cancel();
  }, [asked, graph, body, path, structure]);
  const details = asked.value.value;
  const reason = asked.reason.value;
  return (
    <details open>
      <summary>{graphTexts().attributes}</summary>
      {asked.waits.value && (
        <p class="tbwidget-quiet" role="status" title={uiTexts().waitsForKernelHint}>
          {uiTexts().waitsForKernel}
        </p>
      )}
      {reason !== null && <p class="tbwidget-quiet">{reason}</p>}
      {details !== null && details.attributes.length === 0 && <p class="tbwidget-quiet">{graphTexts().noAttributes}</p>}
      <dl>
        {details?.attributes.map(([key, text]) => (
          <div key={key}>
            <dt title={key}>{key}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {details !== null && details.functions.length > 0 && (
        <>
          <h5>{graphTexts().functionsCalled}</h5>
          <ul>
            {details.functions.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  class="tbwidget-link"
                  onClick={() => graph !== null && state.showGraph(graph.run, graph.name, name)}
                >
                  {graphTexts().functionName(name)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
