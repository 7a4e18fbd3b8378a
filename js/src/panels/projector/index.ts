// The projector: embeddings as points in two or three dimensions, with the metadata of each point.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { embeddingSprites, embeddings, embeddingVectors } from "./codec";
import { projectorOptions } from "./options";
import { ProjectorPanel, ProjectorToolbar } from "./panel";
import { projectorTexts } from "./texts";
import "./projector.css";

export const projector = definePanel({
  name: "projector",
  title: () => projectorTexts().title,
  codecs: [embeddings, embeddingVectors, embeddingSprites],
  sources: ["embeddings"],
  options: [timeAxisOptions, projectorOptions],
  Toolbar: ProjectorToolbar,
  Body: ProjectorPanel,
});
