// The scalars: a curve for each run.

import { strings } from "../../lib/strings";
import { scalars as scalarsCodec } from "../../lines/codec";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { logValueOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { ScalarsPanel, ScalarsToolbar } from "./panel";

export const scalars = definePanel({
  name: "scalars",
  title: () => strings.panelTitles.scalars,
  codecs: [scalarsCodec],
  options: [timeAxisOptions, logValueOptions, scalarsOptions, compareOptions],
  Toolbar: ScalarsToolbar,
  Body: ScalarsPanel,
});
