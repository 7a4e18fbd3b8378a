// The distributions: percentiles of the histograms, on the axes of the scalars.

import { Groups } from "../../dashboard/groups";
import { AlongAxis, FilterTags, LinkedStep, Outliers, StepsInSight } from "../../dashboard/toolbar";
import { useView } from "../../dashboard/view";
import { strings } from "../../lib/strings";
import { DistributionCard } from "./card";

export function DistributionsPanel() {
  const { histograms } = useView().session.store;
  return (
    <Groups
      tags={histograms.tags.value}
      card={(tag, label) => {
        const data = histograms.tag(tag);
        return data && <DistributionCard key={tag} tag={tag} label={label} data={data} />;
      }}
    />
  );
}

export function DistributionsToolbar() {
  const { session } = useView();
  return (
    <div class="tbwidget-toolbar">
      <AlongAxis hints={strings.axisHints} />
      <Outliers hint={strings.outliersHint} />
      <StepsInSight />
      <LinkedStep />
      <FilterTags tags={session.store.histograms.tags.value} />
    </div>
  );
}
