// What an output holds of a dashboard beside the widget: a picture and a text.

import type { MimeModel } from "./host";
import { labTexts } from "./texts";

const PICTURE = "image/png";

// The picture is drawn on white paper. JupyterLab may set its theme later than this is shown, and another one any time.
const STYLES = `
.tbwidget-still img { max-width: 100%; }
body[data-jp-theme-light="false"] .tbwidget-still img { filter: invert(0.9) hue-rotate(180deg); }
.tbwidget-still[data-waiting] { filter: grayscale(1); opacity: 0.6; }
`;

/** The picture that an output holds, in the colors of the page's theme; grayed while the dashboard is waited for. */
export function stillOf({ data }: MimeModel, waiting = false): HTMLElement | null {
  const encoded = data[PICTURE];
  if (typeof encoded !== "string") {
    return null;
  }
  const style = document.createElement("style");
  style.textContent = STYLES;
  const image = document.createElement("img");
  image.src = `data:${PICTURE};base64,${encoded.replaceAll(/\s/g, "")}`;
  image.alt = String(data["text/plain"] ?? labTexts().picture);
  const node = document.createElement("div");
  node.className = "tbwidget-still";
  node.toggleAttribute("data-waiting", waiting);
  node.append(style, image);
  return node;
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
