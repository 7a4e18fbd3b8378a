// The histograms: cards by tag, and the controls that hold for all of them.

import { histograms as histogramsCodec, histogramsTable } from "../../histograms/codec";
import { histogramSteps } from "../../histograms/steps";
import { strings } from "../../lib/strings";
import { CardsMenu } from "../../ui/cardsmenu";
import { FilterTags, Outliers, OverlayRuns, Segments, StepsInSight, XAxis } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { shownUnderTags } from "../../ui/runs";
import { SavePanel } from "../../ui/save/savepanel";
import { StepSlider } from "../../ui/stepslider";
import { useEverySecond, useOptions, useView } from "../../ui/view";
import { HistogramCard } from "./card";
import { BIN_SORTS, HISTOGRAM_MODES, histogramsOptions } from "./options";

const TABLE = histogramsTable("histograms");

export function HistogramsPanel() {
  return <Groups of={useView().channel.store.series(histogramsCodec)} Card={HistogramCard} />;
}

export function HistogramsToolbar() {
  const view = useView();
  const histograms = view.channel.store.series(histogramsCodec);
  const steps = useEverySecond(() => histogramSteps(shownUnderTags(histograms, view)));
  const { histogram_mode, bins } = useOptions(histogramsOptions);
  const mode = histogram_mode.value;
  return (
    <div class="tbwidget-toolbar">
      <Segments
        title={strings.histogramModesTitle}
        options={HISTOGRAM_MODES}
        names={strings.histogramModes}
        hints={strings.histogramModeHints}
        chosen={mode}
        choose={(chosen) => histogram_mode.set(chosen)}
      />
      <XAxis hints={strings.histogramAxisHints} />
      <Segments
        title={strings.histograms.binsTitle}
        options={BIN_SORTS}
        names={strings.histograms.bins}
        hints={strings.histograms.binHints}
        chosen={bins.value}
        choose={(chosen) => bins.set(chosen)}
      />
      {mode !== "heatmap" && <OverlayRuns />}
      <Outliers hint={strings.outliersOfHistogramsHint} />
      <CardsMenu />
      <SavePanel table={TABLE} />
      <StepsInSight />
      <StepSlider steps={steps} />
      <FilterTags tags={histograms.tags.value} />
    </div>
  );
}
