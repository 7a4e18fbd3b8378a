// The hyperparameters: plots of all sessions, and below them their table.

import { strings } from "../../lib/strings";
import { useView } from "../../ui/view";
import { SessionsLine } from "./chips";
import { Parallel } from "./parallel/parallel";
import { Importance } from "./scatter/importances";
import { Scatter } from "./scatter/scatter";
import { useHParams } from "./sessions";
import { SessionsTable, tableOf } from "./table";

const { hparams: texts } = strings;

export function HParamsPanel() {
  const view = useView();
  const state = useHParams();
  const failure = view.channel.store.failure("hparams", "", "");
  const { sessions } = state.document.value;
  const plots = state.options.hparams_plots.value;
  if (sessions.length === 0) {
    return <p class="tbwidget-hint">{failure ?? texts.noSessions}</p>;
  }
  const isEmpty = tableOf(view).rows.value.length === 0;
  return (
    <div class="tbwidget-hparams" data-panel="hparams">
      {failure !== undefined && (
        <p class="tbwidget-hint" role="alert">
          {failure}
        </p>
      )}
      {state.areFromNames.value && <p class="tbwidget-hint">{texts.fromRunNames}</p>}
      <SessionsLine />
      <Importance />
      {state.isSingle.value && plots.length > 0 && <p class="tbwidget-hint">{texts.plotsLater}</p>}
      {!state.isSingle.value && plots.includes("parallel") && <Parallel />}
      {!state.isSingle.value && plots.includes("scatter") && <Scatter />}
      <SessionsTable />
      {isEmpty && (
        <p class="tbwidget-hint">
          {state.shown.value.length > 0
            ? texts.noneBrushed
            : state.selected.value?.size === 0
              ? texts.noneSelected
              : texts.nonePasses}
        </p>
      )}
    </div>
  );
}
