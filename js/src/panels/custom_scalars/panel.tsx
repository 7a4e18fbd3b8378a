// The charts that trainings laid out for TensorBoard's custom scalars.

import { strings } from "../../lib/strings";
import { cardHeightOf, cardOptions } from "../../options/cards";
import { mostColumns } from "../../ui/arranging";
import { CardsMenu } from "../../ui/cardsmenu";
import { LinkedStep, StepsInSight, XAxis } from "../../ui/controls";
import { SavePanel } from "../../ui/save/savepanel";
import { Section } from "../../ui/section";
import { useOptions, useView } from "../../ui/view";
import { AxesMenu, LinesMenu, Smoothing, StepBar, useTagAlongX, ValuesTable } from "../scalars/kind/controls";
import { scalarsTable } from "../scalars/kind/table";
import { ChartOfLayout } from "./chart";
import { customScalarsCodec } from "./kind/codec";
import { joinedLayouts } from "./kind/layouts";

const TABLE = scalarsTable("custom_scalars");

export function CustomScalarsPanel() {
  const view = useView();
  const { store } = view.channel;
  useTagAlongX(view);
  const { card_width, card_height } = useOptions(cardOptions);
  const documents = store.documents(customScalarsCodec);
  const held = documents.tag("");
  void held?.version.value;
  const layouts = store.runs.value.flatMap((run) =>
    held?.byRun.has(run) ? [documents.get(run, "").value?.value ?? []] : [],
  );
  const failures = [...(held?.failures ?? [])];
  const categories = joinedLayouts(layouts);
  const height = cardHeightOf(card_width.value, card_height.value);
  const style = { "--tbwidget-card-height": `${height}px`, "--tbwidget-card-width": `${card_width.value}px` };
  return (
    <div class="tbwidget-arranged" style={style}>
      {failures.map(([run, { reason }]) => (
        <p key={run} class="tbwidget-hint tbwidget-failed" role="status">
          {strings.failed(run, reason)}
        </p>
      ))}
      {categories.length === 0 && failures.length === 0 && <p class="tbwidget-hint">{strings.custom.noLayout}</p>}
      {categories.map(({ title, closed, charts }) => {
        const state = view.groups.of("custom_scalars", `${closed}/${title}`);
        // Folded as the layout says, until the user folds it.
        const { open } = state.value;
        const isOpen = open !== closed;
        const shown = charts.map((chart, i) => ({ chart, id: `${title}/${i}` }));
        return (
          <Section
            key={title}
            name={title}
            titled
            open={isOpen}
            count={shown.length}
            toggle={() => {
              state.value = { ...state.peek(), open: !open };
            }}
          >
            <div
              class="tbwidget-cards"
              style={{ "--tbwidget-most-columns": mostColumns(charts.length, view.width.value, height) }}
            >
              {shown.map(({ chart, id }) => (
                <ChartOfLayout key={id} id={id} chart={chart} />
              ))}
            </div>
          </Section>
        );
      })}
    </div>
  );
}

export function CustomScalarsToolbar() {
  return (
    <>
      <div class="tbwidget-toolbar">
        <Smoothing />
        <XAxis hints={strings.axisHints} />
        <AxesMenu />
        <LinesMenu ofLayouts />
        <CardsMenu />
        <SavePanel table={TABLE} ofCards />
        <StepsInSight />
        <LinkedStep />
      </div>
      <StepBar />
      <ValuesTable />
    </>
  );
}
