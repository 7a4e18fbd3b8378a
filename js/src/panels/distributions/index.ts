// The distributions: percentiles of the histograms along their steps.

import { histograms as histogramsCodec } from "../../histograms/codec";
import { logValueOptions, overlayRunsOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { DistributionsPanel, DistributionsToolbar } from "./panel";
import "./distributions.css";

export const distributions = definePanel({
  name: "distributions",
  title: () => uiTexts().panelTitles.distributions,
  codecs: [histogramsCodec],
  options: [timeAxisOptions, logValueOptions, overlayRunsOptions],
  Toolbar: DistributionsToolbar,
  Body: DistributionsPanel,
});
