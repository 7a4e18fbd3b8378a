// The scalars: cards by tag, and the controls that hold for all of them.

import { strings } from "../../lib/strings";
import { CardsMenu } from "../../ui/cardsmenu";
import { FilterTags, LinkedStep, StepsInSight, XAxis } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { SavePanel } from "../../ui/save/savepanel";
import { useView } from "../../ui/view";
import { AxesMenu } from "./axes/axesmenu";
import { ScalarCard } from "./card";
import { EmptyTags, useShownTags } from "./compare/emptytags";
import { LinesMenu } from "./compare/linesmenu";
import { StepBar } from "./compare/stepbar";
import { ValuesTable } from "./compare/valuestable";
import { useTagAlongX } from "./compare/wanted";
import { scalars as scalarsCodec } from "./kind/codec";
import { scalarsTable } from "./kind/table";
import { SeveralCard } from "./severalcard";
import { Smoothing } from "./smoothing";

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
