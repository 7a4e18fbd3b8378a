// What is traced: where inputs come from, where outputs go, or the way between two boxes.

import { Popover } from "../../../ui/popover";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";
import { setTrace } from "./actions";

const MODES = ["off", "inputs", "outputs", "both", "between"] as const;

export function TraceMenu({ state }: { readonly state: GraphState }) {
  const now = state.trace.value;
  return (
    <Popover
      label={graphTexts().trace}
      title={graphTexts().traceHint}
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
              <span>{graphTexts().traces[mode]}</span>
            </label>
          ))}
        </fieldset>
      )}
    </Popover>
  );
}
