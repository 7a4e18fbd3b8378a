// The images: a grid of tiles, runs by samples, at any step that was written.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { images as imagesCodec } from "./codec";
import { imagesOptions } from "./options";
import { ImagesPanel, ImagesToolbar } from "./panel";
import "./images.css";

export const images = definePanel({
  name: "images",
  title: () => uiTexts().panelTitles.images,
  codecs: [imagesCodec],
  options: [timeAxisOptions, imagesOptions],
  Toolbar: ImagesToolbar,
  Body: ImagesPanel,
});
