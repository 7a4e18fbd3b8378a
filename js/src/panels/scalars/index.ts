// The scalars: a curve for each run.

import { logValueChoices, timeAxisChoices } from "../../choices/shared";
import { strings } from "../../lib/strings";
import { definePanel } from "../../ui/panel";
import { compareChoices, scalarsChoices } from "./choices";
import { scalars as scalarsCodec } from "./kind/codec";
import "./compare/compare.css";
import "./marks.css";
import { ScalarsPanel, ScalarsToolbar } from "./panel";
import "./axes/axes.css";

export const scalars = definePanel({
  name: "scalars",
  title: () => strings.panelTitles.scalars,
  codecs: [scalarsCodec],
  choices: [timeAxisChoices, logValueChoices, scalarsChoices, compareChoices],
  Toolbar: ScalarsToolbar,
  Body: ScalarsPanel,
});
