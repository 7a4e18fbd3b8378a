// The texts: of each tag what was written, newest first.

import { strings } from "../../lib/strings";
import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { text as textCodec } from "./codec";
import { textOptions } from "./options";
import { TextPanel, TextToolbar } from "./panel";
import "./comparison.css";
import "./text.css";

export const text = definePanel({
  name: "text",
  title: () => strings.panelTitles.text,
  codecs: [textCodec],
  options: [timeAxisOptions, textOptions],
  Toolbar: TextToolbar,
  Body: TextPanel,
});
