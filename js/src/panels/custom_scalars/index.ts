// The custom scalars: charts of several tags, as a training laid them out for TensorBoard.

import { scalars } from "../../lines/codec";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { logValueOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { customScalarsCodec } from "./layouts";
import { CustomScalarsPanel, CustomScalarsToolbar } from "./panel";

export const custom_scalars = definePanel({
  name: "custom_scalars",
  title: () => uiTexts().panelTitles.custom_scalars,
  codecs: [customScalarsCodec, scalars],
  sources: ["custom_scalars"],
  options: [timeAxisOptions, scalarsOptions, logValueOptions, compareOptions],
  Toolbar: CustomScalarsToolbar,
  Body: CustomScalarsPanel,
});
