// The scalars: cards by tag, and the controls that hold for all of them.

import { Groups } from "../../dashboard/groups";
import { AlongAxis, FilterTags, LinkedStep, Outliers, Smoothing, StepsInSight } from "../../dashboard/toolbar";
import { useView } from "../../dashboard/view";
import { strings } from "../../lib/strings";
import { ScalarCard } from "./card";

export function ScalarsPanel() {
  return <Groups of={useView().session.store.scalars} Card={ScalarCard} />;
}

export function ScalarsToolbar() {
  const { session } = useView();
  return (
    <div class="tbwidget-toolbar">
      <Smoothing />
      <AlongAxis hints={strings.axisHints} />
      <Outliers hint={strings.outliersHint} />
      <StepsInSight />
      <LinkedStep />
      <FilterTags tags={session.store.scalars.tags.value} />
    </div>
  );
}
