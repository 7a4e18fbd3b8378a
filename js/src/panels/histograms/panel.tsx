// The histograms: cards by tag, and the controls that hold for all of them.

import { histograms as histogramsCodec, histogramsTable } from "../../histograms/codec";
import { useHistogramSteps } from "../../histograms/steps";
import { namedRangeOptions } from "../../options/namedranges";
import { overlayRunsOptions, stepOverviewOptions, timeAxisOptions } from "../../options/shared";
import { FilterTags } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { SavePanel } from "../../ui/save/savepanel";
import { Toolbar } from "../../ui/toolbar";
import { useView } from "../../ui/view";
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
  return (
    <Toolbar
      name={histogramPanelTexts().title}
      actions={histogramActions}
      save={<SavePanel table={TABLE} />}
      filter={<FilterTags tags={histograms.tags.value} />}
    />
  );
}

export const histograms = definePanel({
  name: "histograms",
  title: () => histogramPanelTexts().title,
  codecs: [histogramsCodec],
  options: [timeAxisOptions, namedRangeOptions, stepOverviewOptions, overlayRunsOptions, histogramsOptions],
  actions: histogramActions,
  useSteps: useHistogramSteps,
  Toolbar: HistogramsToolbar,
  Body: HistogramsPanel,
});
