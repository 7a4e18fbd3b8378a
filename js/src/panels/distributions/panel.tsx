// The distributions: percentiles of the histograms, on the axes of the scalars.

import { histograms as histogramsCodec, histogramsTable } from "../../histograms/codec";
import { histogramSteps } from "../../histograms/steps";
import { lineTexts } from "../../lines/texts";
import { logValueOptions, overlayRunsOptions, timeAxisOptions } from "../../options/shared";
import { CardsMenu } from "../../ui/cardsmenu";
import { FilterTags, Outliers, OverlayRuns, StepsInSight, XAxis } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { shownUnderTags } from "../../ui/runs";
import { SavePanel } from "../../ui/save/savepanel";
import { StepSlider } from "../../ui/stepslider";
import { useEverySecond, useView } from "../../ui/view";
import { DistributionCard } from "./card";
import { distributionTexts } from "./texts";
import "./distributions.css";

const TABLE = histogramsTable("distributions");

export function DistributionsPanel() {
  return <Groups of={useView().channel.store.series(histogramsCodec)} Card={DistributionCard} />;
}

export function DistributionsToolbar() {
  const view = useView();
  const histograms = view.channel.store.series(histogramsCodec);
  const steps = useEverySecond(() => histogramSteps(shownUnderTags(histograms, view)));
  return (
    <div class="tbwidget-toolbar">
      <XAxis hints={lineTexts().axisHints} />
      <OverlayRuns />
      <Outliers hint={lineTexts().outliersHint} />
      <CardsMenu />
      <SavePanel table={TABLE} />
      <StepsInSight />
      <StepSlider steps={steps} />
      <FilterTags tags={histograms.tags.value} />
    </div>
  );
}

export const distributions = definePanel({
  name: "distributions",
  title: () => distributionTexts().title,
  codecs: [histogramsCodec],
  options: [timeAxisOptions, logValueOptions, overlayRunsOptions],
  Toolbar: DistributionsToolbar,
  Body: DistributionsPanel,
});
