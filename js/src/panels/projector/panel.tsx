// The projector: cards by tag, and the controls that hold for all of them.

import { useItemSteps } from "../../items/playback";
import { namedRangeOptions } from "../../options/namedranges";
import { timeAxisOptions } from "../../options/shared";
import type { Action } from "../../ui/actions";
import { choiceAmong } from "../../ui/choices";
import { FilterTags } from "../../ui/controls";
import { cardGestures, keyGestures, pointerGestures } from "../../ui/gestures";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { CodeMenu } from "../../ui/save/code";
import { Toolbar } from "../../ui/toolbar";
import { useView } from "../../ui/view";
import { ProjectorCard } from "./card";
import { embeddingSprites, embeddings, embeddingVectors } from "./codec";
import { STAGE_KEYS } from "./keys";
import { METHODS, projectorOptions } from "./options";
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
