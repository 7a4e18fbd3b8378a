// Messages over the drawing: what of the graph is left out, what is traced, what could not be done.

import type { ComponentChildren } from "preact";
import { formatCount } from "../../../lib/format";
import { MOST_BOXES } from "../openall";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";
import { tracing } from "../tracing";
import { setTrace } from "./actions";

export function Notices({ state }: { readonly state: GraphState }) {
  const { chosen, laidOut, tooMany, message } = state;
  const isolated = chosen.graph_isolated.value;
  const now = laidOut.value;
  const problem = state.problem.value;
  const traced = tracing(state).description.value;
  return (
    <div class="tbwidget-graph-notices">
      {isolated !== null && (
        <Chip hint={graphTexts().isolatedHint} end={() => chosen.graph_isolated.set(null)}>
          {graphTexts().isolated(isolated)}
        </Chip>
      )}
      {traced !== null && (
        <Chip hint={graphTexts().endTrace} end={() => setTrace(state, "off")}>
          {traced}
        </Chip>
      )}
      {message.value !== null && (
        <Chip
          hint={graphTexts().endNotice}
          end={() => {
            message.value = null;
          }}
        >
          {message.value}
        </Chip>
      )}
      {tooMany.value && <p role="status">{graphTexts().someExpanded(formatCount(MOST_BOXES))}</p>}
      {problem !== null && now !== null && <p role="alert">{graphTexts().notShown(problem)}</p>}
    </div>
  );
}

interface ChipProps {
  readonly hint: string;
  readonly children: ComponentChildren;
  end(): void;
}

function Chip({ hint, children, end }: ChipProps) {
  return (
    <button type="button" class="tbwidget-chip" title={hint} onClick={end}>
      <bdi>{children}</bdi> ×
    </button>
  );
}
