// The hyperparameters: plots of all sessions, and below them their table.

import { useLayoutEffect } from "preact/hooks";
import { scalars } from "../../lines/codec";
import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { SessionCount, SessionsLine } from "./chips";
import { hparamsDocument } from "./codec";
import { areNamed } from "./names";
import { hparamsOptions } from "./options";
import { Parallel } from "./parallel/parallel";
import { parallelTexts } from "./parallel/texts";
import { previewOf, type SessionPreview } from "./preview";
import { Importance } from "./scatter/importances";
import { Scatter } from "./scatter/scatter";
import { useHParams } from "./sessions";
import { SessionsTable, tableOf } from "./table";
import { hparamsTexts } from "./texts";
import { HParamsToolbar } from "./toolbar";
import "./hparams.css";
import "./scatter/scatter.css";

export function HParamsPanel() {
  const view = useView();
  const state = useHParams();
  const preview = previewOf(view, state);
  useLayoutEffect(() => {
    view.options.runs.preview.value = preview;
  }, [view, preview]);
  const failure = view.channel.store.failure("hparams", "", "");
  const { sessions } = state.document.value;
  const plots = state.options.hparams_plots.value;
  if (sessions.length === 0) {
    return (
      <p class="tbwidget-hint">
        {failure ?? (state.areLeftOut.value ? hparamsTexts().leftOutOfPage : hparamsTexts().noSessions)}
      </p>
    );
  }
  const isEmpty = tableOf(view).rows.value.length === 0;
  return (
    <div class="tbwidget-hparams" data-panel="hparams">
      {failure !== undefined && (
        <p class="tbwidget-hint" role="alert">
          {failure}
        </p>
      )}
      {state.areFromNames.value && <p class="tbwidget-hint">{hparamsTexts().fromRunNames}</p>}
      <SessionsLine>
        <GoalNote />
        {preview.runs.value !== null && <PreviewNote preview={preview} />}
      </SessionsLine>
      <Importance />
      {state.isSingle.value && plots.length > 0 && <p class="tbwidget-hint">{hparamsTexts().plotsLater}</p>}
      {!state.isSingle.value &&
        plots.map((plot) => (plot === "parallel" ? <Parallel key={plot} /> : <Scatter key={plot} />))}
      <SessionsTable />
      {isEmpty && (
        <p class="tbwidget-hint">
          {state.shown.value.length > 0
            ? hparamsTexts().noneBrushed
            : state.selected.value?.size === 0
              ? hparamsTexts().noneSelected
              : hparamsTexts().nonePasses}
        </p>
      )}
    </div>
  );
}

/** The chosen goal is not among the metrics yet: another one colors and ranks. */
function GoalNote() {
  const state = useHParams();
  const missing = state.missingGoal.value;
  const shown = state.goal.value;
  return missing === null ? null : (
    <span class="tbwidget-hint" role="status">
      {hparamsTexts().goalMissing(missing, shown?.title ?? null)}
    </span>
  );
}

/** Says what other panels show. It takes only free space, so that the plots below do not move when a brush is made. */
function PreviewNote({ preview }: { readonly preview: SessionPreview }) {
  const isBrushed = useHParams().brushed.value !== null;
  const { previewHint, endPreview, endPreviewHint } = uiTexts();
  const said = parallelTexts().otherPanels(preview.label.value);
  return (
    <>
      <span class="tbwidget-quiet tbwidget-other-panels" role="status" title={`${said}\n${previewHint}`}>
        {said}
      </span>
      {!isBrushed && (
        <button type="button" class="tbwidget-link" title={endPreviewHint} onClick={() => preview.end()}>
          {endPreview}
        </button>
      )}
    </>
  );
}

export const hparams = definePanel({
  name: "hparams",
  title: () => hparamsTexts().title,
  codecs: [hparamsDocument, scalars],
  sources: ["hparams"],
  offers: areNamed,
  listsRuns: true,
  options: [hparamsOptions],
  Count: SessionCount,
  Toolbar: HParamsToolbar,
  Body: HParamsPanel,
});
