// The texts: of each tag what was written, newest first.

import { timeAxisChoices } from "../../choices/shared";
import { strings } from "../../lib/strings";
import { definePanel } from "../../ui/panel";
import { textChoices } from "./choices";
import { text as textCodec } from "./kind/codec";
import { TextPanel, TextToolbar } from "./panel";
import "./comparison.css";
import "./text.css";

export const text = definePanel({
  name: "text",
  title: () => strings.panelTitles.text,
  codecs: [textCodec],
  choices: [timeAxisChoices, textChoices],
  Toolbar: TextToolbar,
  Body: TextPanel,
});
