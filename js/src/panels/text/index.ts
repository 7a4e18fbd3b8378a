// The panel of texts: the texts of each tag, newest first.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { text as textCodec } from "./codec";
import { textOptions } from "./options";
import { TextPanel, TextToolbar } from "./panel";
import { textPanelTexts } from "./texts";
import "./comparison.css";
import "./text.css";

export const text = definePanel({
  name: "text",
  title: () => textPanelTexts().title,
  codecs: [textCodec],
  options: [timeAxisOptions, textOptions],
  Toolbar: TextToolbar,
  Body: TextPanel,
});
