// The scalars: cards by tag, and the controls that hold for all of them.

import { strings } from "../../lib/strings";
import { AxesMenu } from "../../lines/axes";
import { scalars as scalarsCodec, scalarsTable } from "../../lines/codec";
import { LinesMenu } from "../../lines/linesmenu";
import { Smoothing } from "../../lines/smoothing";
import { StepBar } from "../../lines/stepbar";
import { ValuesTable } from "../../lines/valuestable";
import { useTagAlongX } from "../../lines/wanted";
import { CardsMenu } from "../../ui/cardsmenu";
import { FilterTags, LinkedStep, StepsInSight, XAxis } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { SavePanel } from "../../ui/save/savepanel";
import { useView } from "../../ui/view";
import { ScalarCard } from "./card";
import { EmptyTags, useShownTags } from "./emptytags";
import { SeveralCard } from "./severalcard";

const TABLE = scalarsTable("scalars");

export function ScalarsPanel() {
  const view = useView();
  const { of, hidden } = useShownTags(view);
  useTagAlongX(view);
  return (
    <>
      <Groups of={of} Card={ScalarCard} Several={SeveralCard} />
      <EmptyTags count={hidden} />
    </>
  );
}

export function ScalarsToolbar() {
  const { store } = useView().channel;
  return (
    <>
      <div class="tbwidget-toolbar">
        <Smoothing />
        <XAxis hints={strings.axisHints} />
        <AxesMenu />
        <LinesMenu />
        <CardsMenu tags={store.series(scalarsCodec).tags.value} />
        <SavePanel table={TABLE} />
        <StepsInSight />
        <LinkedStep />
        <FilterTags tags={store.series(scalarsCodec).tags.value} />
      </div>
      <StepBar />
      <ValuesTable />
    </>
  );
}
