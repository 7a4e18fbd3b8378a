// The images: a grid of tiles, runs by samples, at any step that was written.

import { timeAxisChoices } from "../../choices/shared";
import { strings } from "../../lib/strings";
import { definePanel } from "../../ui/panel";
import { imagesChoices } from "./choices";
import { images as imagesCodec } from "./kind/codec";
import { ImagesPanel, ImagesToolbar } from "./panel";
import "./images.css";

export const images = definePanel({
  name: "images",
  title: () => strings.panelTitles.images,
  codecs: [imagesCodec],
  choices: [timeAxisChoices, imagesChoices],
  Toolbar: ImagesToolbar,
  Body: ImagesPanel,
});
