// The distributions: percentiles of the histograms, on the axes of the scalars.

import { StepSlider } from "../../charts/stepslider";
import { Groups } from "../../dashboard/groups";
import { AlongAxis, FilterTags, Outliers, OverlayRuns, StepsInSight } from "../../dashboard/toolbar";
import { useView } from "../../dashboard/view";
import { strings } from "../../lib/strings";
import { DistributionCard } from "./card";

export function DistributionsPanel() {
  return <Groups of={useView().session.store.histograms} Card={DistributionCard} />;
}

export function DistributionsToolbar() {
  const { session } = useView();
  return (
    <div class="tbwidget-toolbar">
      <AlongAxis hints={strings.axisHints} />
      <OverlayRuns />
      <Outliers hint={strings.outliersHint} />
      <StepsInSight />
      <StepSlider />
      <FilterTags tags={session.store.histograms.tags.value} />
    </div>
  );
}
