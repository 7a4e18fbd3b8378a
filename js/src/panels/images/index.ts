// The images: a grid of tiles, runs by samples, at any step that was written.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { images as imagesCodec } from "./codec";
import { imagesOptions } from "./options";
import { ImagesPanel, ImagesToolbar } from "./panel";
import { imageTexts } from "./texts";
import "./images.css";

export const images = definePanel({
  name: "images",
  title: () => imageTexts().title,
  codecs: [imagesCodec],
  options: [timeAxisOptions, imagesOptions],
  Toolbar: ImagesToolbar,
  Body: ImagesPanel,
});
