// The texts: of each tag what was written, newest first.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { text as textCodec } from "./codec";
import { textOptions } from "./options";
import { TextPanel, TextToolbar } from "./panel";
import "./comparison.css";
import "./text.css";

export const text = definePanel({
  name: "text",
  title: () => uiTexts().panelTitles.text,
  codecs: [textCodec],
  options: [timeAxisOptions, textOptions],
  Toolbar: TextToolbar,
  Body: TextPanel,
});
