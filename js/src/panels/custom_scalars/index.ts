// The custom scalars: charts of several tags, as a training laid them out for TensorBoard.

import { scalars } from "../../lines/codec";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { logValueOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { customScalarsCodec } from "./layouts";
import { CustomScalarsPanel, CustomScalarsToolbar } from "./panel";
import { customTexts } from "./texts";

export const custom_scalars = definePanel({
  name: "custom_scalars",
  title: () => customTexts().title,
  codecs: [customScalarsCodec, scalars],
  sources: ["custom_scalars"],
  options: [timeAxisOptions, scalarsOptions, logValueOptions, compareOptions],
  Toolbar: CustomScalarsToolbar,
  Body: CustomScalarsPanel,
});
