// What an output holds of a dashboard beside the widget: a picture and a text.

import { labStrings } from "../lib/labstrings";
import type { MimeModel } from "./host";

const PICTURE = "image/png";

/** The picture that an output holds. */
export function imageOf({ data }: MimeModel): HTMLElement | null {
  const encoded = data[PICTURE];
  if (typeof encoded !== "string") {
    return null;
  }
  const image = document.createElement("img");
  image.src = `data:${PICTURE};base64,${encoded.replaceAll(/\s/g, "")}`;
  image.alt = String(data["text/plain"] ?? labStrings.picture);
  image.style.maxWidth = "100%";
  if (document.body.dataset.jpThemeLight === "false") {
    // It is drawn on white paper.
    image.style.filter = "invert(0.9) hue-rotate(180deg)";
  }
  return image;
}

/** The text that an output holds. */
export function textOf({ data }: MimeModel): HTMLElement | null {
  const text = data["text/plain"];
  if (typeof text !== "string" || text === "") {
    return null;
  }
  const node = document.createElement("pre");
  node.textContent = text;
  node.style.whiteSpace = "pre-wrap";
  return node;
}
