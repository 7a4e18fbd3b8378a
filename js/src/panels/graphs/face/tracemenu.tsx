// What is traced: where inputs come from, where outputs go, or the way between two boxes.

import { strings } from "../../../lib/strings";
import { Popover } from "../../../ui/popover";
import type { GraphState } from "../state";
import { setTrace } from "./actions";

const MODES = ["off", "inputs", "outputs", "both", "between"] as const;

export function TraceMenu({ state }: { readonly state: GraphState }) {
  const now = state.trace.value;
  return (
    <Popover
      label={strings.graphs.trace}
      title={strings.graphs.traceHint}
      active={now !== "off"}
      disabled={state.structure.value === null}
    >
      {(close) => (
        <fieldset>
          {MODES.map((mode) => (
            <label key={mode} class="tbwidget-check">
              <input
                type="radio"
                name={`${state.board.id}-trace`}
                checked={mode === now}
                disabled={mode === "between" && state.chosen.graph_selected.value === null}
                onChange={() => {
                  close();
                  setTrace(state, mode);
                }}
              />
              <span>{strings.graphs.traces[mode]}</span>
            </label>
          ))}
        </fieldset>
      )}
    </Popover>
  );
}
