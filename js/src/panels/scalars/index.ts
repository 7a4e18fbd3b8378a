// The scalars: a curve for each run.

import { scalars as scalarsCodec } from "../../lines/codec";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { logValueOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { ScalarsPanel, ScalarsToolbar } from "./panel";
import { scalarTexts } from "./texts";

export const scalars = definePanel({
  name: "scalars",
  title: () => scalarTexts().title,
  codecs: [scalarsCodec],
  options: [timeAxisOptions, logValueOptions, scalarsOptions, compareOptions],
  Toolbar: ScalarsToolbar,
  Body: ScalarsPanel,
});
