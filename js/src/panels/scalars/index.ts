// The scalars: a curve for each run.

import { strings } from "../../lib/strings";
import { logValueOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { scalars as scalarsCodec } from "./kind/codec";
import { compareOptions, scalarsOptions } from "./options";
import "./compare/compare.css";
import "./marks.css";
import { ScalarsPanel, ScalarsToolbar } from "./panel";
import "./axes/axes.css";

export const scalars = definePanel({
  name: "scalars",
  title: () => strings.panelTitles.scalars,
  codecs: [scalarsCodec],
  options: [timeAxisOptions, logValueOptions, scalarsOptions, compareOptions],
  Toolbar: ScalarsToolbar,
  Body: ScalarsPanel,
});
