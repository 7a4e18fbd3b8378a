// The histograms: cards by tag, and the controls that hold for all of them.

import { StepSlider } from "../../charts/stepslider";
import { Groups } from "../../dashboard/groups";
import { AlongAxis, FilterTags, Outliers, OverlayRuns, Segments, StepsInSight } from "../../dashboard/toolbar";
import { useView } from "../../dashboard/view";
import { strings } from "../../lib/strings";
import { HistogramCard } from "./card";

const MODES = ["offset", "overlay", "heatmap"] as const;

export function HistogramsPanel() {
  return <Groups of={useView().session.store.histograms} Card={HistogramCard} />;
}

export function HistogramsToolbar() {
  const { choices, session } = useView();
  const mode = choices.histogramMode.value;
  return (
    <div class="tbwidget-toolbar">
      <Segments
        title={strings.histogramModesTitle}
        options={MODES}
        names={strings.histogramModes}
        hints={strings.histogramModeHints}
        chosen={mode}
        choose={(chosen) => choices.drawAs(chosen)}
      />
      <AlongAxis hints={strings.alongHints} />
      {mode !== "heatmap" && <OverlayRuns />}
      <Outliers hint={strings.outliersOfHistogramsHint} />
      <StepsInSight />
      <StepSlider />
      <FilterTags tags={session.store.histograms.tags.value} />
    </div>
  );
}
