// The projector: cards by tag, and the controls that hold for all of them.

import { ownStep } from "../../items/actions";
import { useItemSteps } from "../../items/playback";
import { namedRangeOptions } from "../../options/namedranges";
import { timeAxisOptions } from "../../options/shared";
import type { Action } from "../../ui/actions";
import { arrangeActions, describeCard, fillCard, onCard, onPart, saving } from "../../ui/cardcommands";
import type { GridCard } from "../../ui/cardgrid";
import { choiceAmong, choiceOfName } from "../../ui/choices";
import { FilterTags } from "../../ui/controls";
import { cardGestures, keyGestures, pointerGestures } from "../../ui/gestures";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { pressing } from "../../ui/reach";
import { CodeMenu } from "../../ui/save/code";
import { lightBackground } from "../../ui/save/pictureitems";
import { Toolbar } from "../../ui/toolbar";
import { useView, type View } from "../../ui/view";
import { ProjectorCard } from "./card";
import { embeddingSprites, embeddings, embeddingVectors } from "./codec";
import { STAGE_KEYS } from "./keys";
import {
  MAX_NEIGHBORS,
  METHODS,
  METRICS,
  type Method,
  PERPLEXITY,
  projectorOptions,
  UMAP_DISTANCE,
  UMAP_NEIGHBORS,
} from "./options";
import { cardState, TOOLS } from "./state";
import { projectorTexts } from "./texts";
import "./projector.css";

export function ProjectorPanel() {
  return (
    <div class="tbwidget-projector">
      <Groups of={useView().channel.store.items(embeddings)} Card={ProjectorCard} />
    </div>
  );
}

export function ProjectorToolbar() {
  const { tags } = useView().channel.store.items(embeddings);
  return (
    <Toolbar
      name={projectorTexts().title}
      actions={ACTIONS}
      save={<CodeMenu />}
      filter={<FilterTags tags={tags.value} />}
    />
  );
}

/** A column of the points on the screen. Each card has a list of its own columns. */
function columnChoice(option: "projector_color" | "projector_label", name: "color" | "label"): Action {
  const columnsOf = (view: View) => [
    ...new Set(view.inSight.value.flatMap((tag) => cardState(view, tag).columns.value.map((column) => column.name))),
  ];
  const choice = choiceOfName({
    id: `projector.${option}`,
    name: () => projectorTexts()[name],
    none: () => projectorTexts().automaticValue,
    // An empty name is no column.
    names: (view) => ["", ...columnsOf(view)],
    option: ({ options }) => options.of(projectorOptions)[option],
    applies: (view) => columnsOf(view).length > 0,
  });
  return { ...choice, nameOf: (value, view) => choice.nameOf(value, view) || projectorTexts().none };
}

const isMethod = (method: Method) => (view: View) =>
  view.options.of(projectorOptions).projector_method.value === method;

const hasSelection = ({ options }: View) => options.of(projectorOptions).projector_selected.value.length > 0;

const canHave =
  (part: "stage" | "search" | "images") =>
  ({ tags: [tag = ""] }: GridCard, view: View) =>
    !cardState(view, tag).lacks.value.includes(part);

const onStage = { has: canHave("stage") };

const ACTIONS: readonly Action[] = [
  choiceAmong({
    id: "projector.projector_method",
    bar: "drawn",
    name: () => projectorTexts().methodTitle,
    values: METHODS,
    names: () => projectorTexts().methods,
    hints: () => projectorTexts().methodHints,
    option: ({ options }) => options.of(projectorOptions).projector_method,
  }),
  choiceAmong({
    id: "projector.projector_dimensions",
    bar: "drawn",
    name: () => projectorTexts().dimensionsTitle,
    values: ["2", "3"],
    names: () => projectorTexts().dimensions,
    hints: () => projectorTexts().dimensionHints,
    option: ({ options }) => {
      const { projector_dimensions } = options.of(projectorOptions);
      return {
        get value() {
          return projector_dimensions.value === 3 ? "3" : "2";
        },
        peek: () => (projector_dimensions.peek() === 3 ? "3" : "2"),
        set: (count) => projector_dimensions.set(Number(count)),
      };
    },
  }),
  onPart("projector.components", () => projectorTexts().componentsTitle, { selector: "[data-component]" }),
  columnChoice("projector_color", "color"),
  columnChoice("projector_label", "label"),
  {
    ...UMAP_NEIGHBORS,
    kind: "number",
    id: "projector.projector_umap_neighbors",
    name: () => projectorTexts().umapNeighbors,
    option: ({ options }) => options.of(projectorOptions).projector_umap_neighbors,
    applies: isMethod("umap"),
  },
  {
    ...UMAP_DISTANCE,
    kind: "number",
    id: "projector.projector_umap_min_dist",
    name: () => projectorTexts().minDist,
    option: ({ options }) => options.of(projectorOptions).projector_umap_min_dist,
    applies: isMethod("umap"),
  },
  {
    ...PERPLEXITY,
    kind: "number",
    id: "projector.projector_perplexity",
    name: () => projectorTexts().perplexity,
    none: () => projectorTexts().automaticValue,
    option: ({ options }) => options.of(projectorOptions).projector_perplexity,
    applies: isMethod("tsne"),
  },
  choiceAmong({
    id: "projector.projector_metric",
    name: () => projectorTexts().metricTitle,
    values: METRICS,
    names: () => projectorTexts().metrics,
    hints: () => projectorTexts().metricHints,
    option: ({ options }) => options.of(projectorOptions).projector_metric,
  }),
  {
    kind: "number",
    id: "projector.projector_neighbors",
    name: () => projectorTexts().neighborsCount,
    least: 1,
    most: MAX_NEIGHBORS,
    step: 1,
    option: ({ options }) => options.of(projectorOptions).projector_neighbors,
  },
  fillCard,
  ownStep,
  ...(["csv", "png", "svg", "copy_picture"] as const).map((item) => saving(item, false)),
  lightBackground,
  onCard("projector.search", () => projectorTexts().search, { act: "focus", has: canHave("search") }),
  onCard("projector.images", () => projectorTexts().images, {
    has: (card, view) =>
      view.channel.store.items(embeddingSprites).tag(card.tags[0] ?? "") !== undefined && canHave("images")(card, view),
    isOn: ({ tags: [tag = ""] }, view) => cardState(view, tag).hasImages.value,
  }),
  ...TOOLS.map((tool) => onCard(`projector.tool_${tool}`, () => projectorTexts().tools[tool], onStage)),
  onCard("view.fit", () => projectorTexts().fit, onStage),
  onCard("view.zoom_out", () => projectorTexts().zoomOut, onStage),
  onCard("view.zoom_in", () => projectorTexts().zoomIn, onStage),
  ...(["isolate", "saveSelection", "clear"] as const).map((name) =>
    onCard(`projector.${name.toLowerCase()}`, () => projectorTexts()[name], {
      has: (_, view) => hasSelection(view),
    }),
  ),
  onCard("projector.show_all", () => projectorTexts().showAll, {
    has: ({ tags: [tag = ""] }, view) => cardState(view, tag).isolated.value !== null,
  }),
  onCard("projector.reset_filters", () => projectorTexts().resetFilters, {
    has: ({ tags: [tag = ""] }, view) => cardState(view, tag).filters.value.size > 0,
  }),
  pressing("projector.stop", () => projectorTexts().stop),
  describeCard,
  ...arrangeActions,
  ...pointerGestures(
    "projector",
    () => projectorTexts().title,
    ["click", "drag", "lasso", "box", "wheel", "all"],
    () => projectorTexts().gestures,
  ),
  ...keyGestures(
    "projector",
    () => projectorTexts().title,
    STAGE_KEYS,
    () => projectorTexts().keys,
  ),
  ...cardGestures(false),
];

export const projector = definePanel({
  name: "projector",
  title: () => projectorTexts().title,
  codecs: [embeddings, embeddingVectors, embeddingSprites],
  sources: ["embeddings"],
  options: [timeAxisOptions, namedRangeOptions, projectorOptions],
  actions: ACTIONS,
  useSteps: () => useItemSteps(embeddings),
  Toolbar: ProjectorToolbar,
  Body: ProjectorPanel,
});
