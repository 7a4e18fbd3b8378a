// The custom scalars: charts of several tags, as a training laid them out for TensorBoard.

import { strings } from "../../lib/strings";
import { logValueOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { scalars } from "../scalars/kind/codec";
import { compareOptions, scalarsOptions } from "../scalars/kind/controls";
import { customScalarsCodec } from "./kind/codec";
import { CustomScalarsPanel, CustomScalarsToolbar } from "./panel";

export const custom_scalars = definePanel({
  name: "custom_scalars",
  title: () => strings.panelTitles.custom_scalars,
  codecs: [customScalarsCodec, scalars],
  sources: ["custom_scalars"],
  options: [timeAxisOptions, scalarsOptions, logValueOptions, compareOptions],
  Toolbar: CustomScalarsToolbar,
  Body: CustomScalarsPanel,
});
