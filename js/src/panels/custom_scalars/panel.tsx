// The charts that trainings laid out for TensorBoard's custom scalars.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { listOf } from "../../lib/texts";
import { chartActions, clearSteps, lineCardActions, lineGestures, namedRanges, valuesTable } from "../../lines/actions";
import { scalars, scalarsTable } from "../../lines/codec";
import { useTagAlongX } from "../../lines/compare";
import { LineCard } from "../../lines/linecard";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { useLineSteps } from "../../lines/steps";
import { cardHeightOf, cardOptions } from "../../options/cards";
import { namedRangeOptions } from "../../options/namedranges";
import { logValueOptions, stepOverviewOptions, timeAxisOptions } from "../../options/shared";
import type { Action } from "../../ui/actions";
import { mostColumns } from "../../ui/arranging";
import { stepOverview } from "../../ui/axisactions";
import { CardFrame } from "../../ui/card";
import { cardActions } from "../../ui/cardactions";
import { foldActions } from "../../ui/cardcommands";
import { FixedStopsContext, watchCardStops } from "../../ui/cardstops";
import { patternProblem } from "../../ui/filter";
import { fixedCardGestures } from "../../ui/gestures";
import { Mark } from "../../ui/marks";
import { definePanel } from "../../ui/panel";
import { SavePanel } from "../../ui/save/savepanel";
import { MoreCards, Section } from "../../ui/section";
import { uiTexts } from "../../ui/texts";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView } from "../../ui/view";
import { type Category, type Chart, customScalarsCodec, joinedLayouts, type Layout, tagsMatching } from "./layouts";
import { customTexts } from "./texts";

const TABLE = scalarsTable("custom_scalars");

const ACTIONS: readonly Action[] = [
  ...chartActions,
  stepOverview,
  valuesTable,
  clearSteps,
  namedRanges,
  ...cardActions(),
  ...lineCardActions,
  ...foldActions,
  ...lineGestures,
  ...fixedCardGestures(),
];

/** As long as a layout has not arrived. */
const NONE: Layout = [];

export function CustomScalarsPanel() {
  const view = useView();
  const { store } = view.channel;
  // Layouts have no tag. A large one is sent only if it is requested.
  useTagAlongX(view, "");
  const { card_width, card_height } = useOptions(cardOptions);
  const documents = store.documents(customScalarsCodec);
  const held = documents.tag("");
  const layouts = store.runs.value.flatMap((run) =>
    held?.byRun.has(run) ? [documents.get(run, "").value?.value ?? NONE] : [],
  );
  const joined = useRef<{ readonly of: readonly Layout[]; readonly categories: Layout }>({ of: [], categories: [] });
  if (layouts.length !== joined.current.of.length || layouts.some((one, i) => one !== joined.current.of[i])) {
    joined.current = { of: layouts, categories: joinedLayouts(layouts) };
  }
  const { categories } = joined.current;
  const failures = [...(held?.failures ?? [])];
  const height = cardHeightOf(card_width.value, card_height.value);
  const style = { "--tbwidget-card-height": `${height}px`, "--tbwidget-card-width": `${card_width.value}px` };
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (root.current === null ? undefined : watchCardStops(root.current)), []);
  return (
    <div ref={root} class="tbwidget-arranged" style={style}>
      {failures.map(([run, { reason }]) => (
        <p key={run} class="tbwidget-hint tbwidget-failed" role="status">
          {uiTexts().failed(run, reason)}
        </p>
      ))}
      {categories.length === 0 && failures.length === 0 && <p class="tbwidget-hint">{customTexts().noLayout}</p>}
      <FixedStopsContext.Provider value>
        {categories.map((category) => (
          <CategoryCards key={category.title} category={category} height={height} />
        ))}
      </FixedStopsContext.Provider>
    </div>
  );
}

/** Cards of a category that are mounted at first: they are not windowed. */
const MAX_CHARTS = 120;

function CategoryCards({ category, height }: { readonly category: Category; readonly height: number }) {
  const view = useView();
  const { title, closed, charts } = category;
  const most = useSignal(MAX_CHARTS);
  const state = view.groups.of("custom_scalars", `${closed}/${title}`);
  // Folded as the layout says, until the user folds it.
  const { open } = state.value;
  const isOpen = open !== closed;
  return (
    <Section
      name={title}
      titled
      open={isOpen}
      count={charts.length}
      toggle={() => {
        state.value = { ...state.peek(), open: !open };
      }}
    >
      <div
        class="tbwidget-cards"
        style={{ "--tbwidget-most-columns": mostColumns(charts.length, view.width.value, height) }}
      >
        {charts.slice(0, most.value).map((chart, i) => {
          const id = `${title}/${i}`;
          return <ChartOfLayout key={id} id={id} chart={chart} />;
        })}
      </div>
      <MoreCards
        left={charts.length - most.value}
        step={MAX_CHARTS}
        more={() => {
          most.value += MAX_CHARTS;
        }}
      />
    </Section>
  );
}

export function CustomScalarsToolbar() {
  return <Toolbar name={customTexts().title} actions={ACTIONS} save={<SavePanel table={TABLE} ofCards />} />;
}

const NO_DATA = { failures: new Map() };

interface Props {
  readonly id: string;
  readonly chart: Chart;
}

function ChartOfLayout({ id, chart }: Props) {
  const { channel, options } = useView();
  const held = channel.store.series(scalars);
  const tags = held.tags.value;
  const patterns = chart.tags.map((pattern) => ({ pattern, ...options.patterns.atStart(pattern) }));
  const problems = patterns.flatMap(({ pattern, problem }) =>
    problem.value === null ? [] : [customTexts().badPattern(pattern, patternProblem(problem.value))],
  );
  const lines = tagsMatching(
    patterns.map(({ matches }) => matches.value),
    tags,
  ).map((tag) => ({ tag }));
  const margins = chart.series.map(({ value, lower, upper }) => {
    return { tag: value, lower: held.tag(lower), upper: held.tag(upper), margins: [lower, upper] };
  });
  const shown = [...lines, ...margins].flatMap((one) => {
    const data = held.tag(one.tag);
    return data === undefined ? [] : [{ ...one, data }];
  });
  const label = chart.title || customTexts().untitled;
  if (shown.length === 0) {
    const names = [...chart.tags, ...chart.series.map(({ value }) => value)];
    const why = problems[0] ?? (names.length > 0 ? customTexts().noneThere(names) : customTexts().emptyChart);
    return (
      <CardFrame panel="custom_scalars" tag={label} label={label} only data={NO_DATA}>
        <p class="tbwidget-hint">{why}</p>
      </CardFrame>
    );
  }
  return (
    <LineCard
      panel="custom_scalars"
      label={label}
      shown={shown}
      composed={{
        id,
        title: `${label}: ${listOf(shown.map(({ tag }) => tag))}`,
        buttons: problems.map((problem) => <Mark key={problem} class="tbwidget-waits" text="!" hint={problem} />),
      }}
    />
  );
}

export const custom_scalars = definePanel({
  name: "custom_scalars",
  title: () => customTexts().title,
  codecs: [customScalarsCodec, scalars],
  sources: ["custom_scalars"],
  options: [timeAxisOptions, namedRangeOptions, scalarsOptions, logValueOptions, compareOptions, stepOverviewOptions],
  actions: ACTIONS,
  useSteps: useLineSteps,
  Toolbar: CustomScalarsToolbar,
  Body: CustomScalarsPanel,
});
