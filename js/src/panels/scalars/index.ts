// The scalars: a curve for each run.

import { scalars as scalarsCodec } from "../../lines/codec";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { logValueOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { ScalarsPanel, ScalarsToolbar } from "./panel";

export const scalars = definePanel({
  name: "scalars",
  title: () => uiTexts().panelTitles.scalars,
  codecs: [scalarsCodec],
  options: [timeAxisOptions, logValueOptions, scalarsOptions, compareOptions],
  Toolbar: ScalarsToolbar,
  Body: ScalarsPanel,
});
