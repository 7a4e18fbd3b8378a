// The histograms: cards by tag, and the controls that hold for all of them.

import { histograms as histogramsCodec, histogramsTable } from "../../histograms/codec";
import { useHistogramSteps } from "../../histograms/steps";
import { histogramTexts } from "../../histograms/texts";
import { overlayRunsOptions, timeAxisOptions } from "../../options/shared";
import { CardsMenu } from "../../ui/cardsmenu";
import { FilterTags, Outliers, OverlayRuns, Segments, XAxis } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { SavePanel } from "../../ui/save/savepanel";
import { useOptions, useView } from "../../ui/view";
import { HistogramCard } from "./card";
import { BIN_SORTS, HISTOGRAM_MODES, histogramsOptions } from "./options";
import { histogramPanelTexts } from "./texts";
import "./histograms.css";

const TABLE = histogramsTable("histograms");

export function HistogramsPanel() {
  return <Groups of={useView().channel.store.series(histogramsCodec)} Card={HistogramCard} />;
}

export function HistogramsToolbar() {
  const view = useView();
  const histograms = view.channel.store.series(histogramsCodec);
  const { histogram_mode, bins } = useOptions(histogramsOptions);
  const mode = histogram_mode.value;
  return (
    <div class="tbwidget-toolbar">
      <Segments
        title={histogramPanelTexts().histogramModesTitle}
        options={HISTOGRAM_MODES}
        names={histogramPanelTexts().histogramModes}
        hints={histogramPanelTexts().histogramModeHints}
        chosen={mode}
        choose={(chosen) => histogram_mode.set(chosen)}
      />
      <XAxis hints={histogramPanelTexts().histogramAxisHints} />
      <Segments
        title={histogramTexts().binsTitle}
        options={BIN_SORTS}
        names={histogramTexts().bins}
        hints={histogramTexts().binHints}
        chosen={bins.value}
        choose={(chosen) => bins.set(chosen)}
      />
      {mode !== "heatmap" && <OverlayRuns />}
      <Outliers hint={histogramPanelTexts().outliersOfHistogramsHint} />
      <CardsMenu />
      <SavePanel table={TABLE} />
      <FilterTags tags={histograms.tags.value} />
    </div>
  );
}

export const histograms = definePanel({
  name: "histograms",
  title: () => histogramPanelTexts().title,
  codecs: [histogramsCodec],
  options: [timeAxisOptions, overlayRunsOptions, histogramsOptions],
  useSteps: useHistogramSteps,
  Toolbar: HistogramsToolbar,
  Body: HistogramsPanel,
});
