// The histograms: cards by tag, and the controls that hold for all of them.

import { histograms as histogramsCodec, histogramsTable } from "../../histograms/codec";
import { histogramSteps } from "../../histograms/steps";
import { namedRangeOptions } from "../../options/namedranges";
import { overlayRunsOptions, timeAxisOptions } from "../../options/shared";
import { FilterTags, StepsInSight } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { shownUnderTags } from "../../ui/runs";
import { SavePanel } from "../../ui/save/savepanel";
import { StepSlider } from "../../ui/stepslider";
import { Toolbar } from "../../ui/toolbar";
import { useEverySecond, useView } from "../../ui/view";
import { histogramActions } from "./actions";
import { HistogramCard } from "./card";
import { histogramsOptions } from "./options";
import { histogramPanelTexts } from "./texts";
import "./histograms.css";

const TABLE = histogramsTable("histograms");

export function HistogramsPanel() {
  return <Groups of={useView().channel.store.series(histogramsCodec)} Card={HistogramCard} />;
}

export function HistogramsToolbar() {
  const view = useView();
  const histograms = view.channel.store.series(histogramsCodec);
  const steps = useEverySecond(() => histogramSteps(shownUnderTags(histograms, view)));
  return (
    <Toolbar
      name={histogramPanelTexts().title}
      actions={histogramActions}
      save={<SavePanel table={TABLE} />}
      filter={<FilterTags tags={histograms.tags.value} />}
    >
      <StepsInSight />
      <StepSlider steps={steps} />
    </Toolbar>
  );
}

export const histograms = definePanel({
  name: "histograms",
  title: () => histogramPanelTexts().title,
  codecs: [histogramsCodec],
  options: [timeAxisOptions, namedRangeOptions, overlayRunsOptions, histogramsOptions],
  actions: histogramActions,
  Toolbar: HistogramsToolbar,
  Body: HistogramsPanel,
});
