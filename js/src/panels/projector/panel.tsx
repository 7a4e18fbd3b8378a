// The projector: cards by tag, and the controls that hold for all of them.

import { useItemSteps } from "../../items/playback";
import { timeAxisOptions } from "../../options/shared";
import { FilterTags, Segments } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { useOptions, useView } from "../../ui/view";
import { ProjectorCard } from "./card";
import { embeddingSprites, embeddings, embeddingVectors } from "./codec";
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
  const { projector_method, projector_dimensions } = useOptions(projectorOptions);
  return (
    <div class="tbwidget-toolbar">
      <Segments
        title={projectorTexts().methodTitle}
        options={METHODS}
        names={projectorTexts().methods}
        hints={projectorTexts().methodHints}
        chosen={projector_method.value}
        choose={(method) => projector_method.set(method)}
      />
      <Segments
        title={projectorTexts().dimensionsTitle}
        options={["2", "3"] as const}
        names={projectorTexts().dimensions}
        hints={projectorTexts().dimensionHints}
        chosen={projector_dimensions.value === 3 ? "3" : "2"}
        choose={(count) => projector_dimensions.set(Number(count))}
      />
      <FilterTags tags={tags.value} />
    </div>
  );
}

export const projector = definePanel({
  name: "projector",
  title: () => projectorTexts().title,
  codecs: [embeddings, embeddingVectors, embeddingSprites],
  sources: ["embeddings"],
  options: [timeAxisOptions, projectorOptions],
  useSteps: () => useItemSteps(embeddings),
  Toolbar: ProjectorToolbar,
  Body: ProjectorPanel,
});
