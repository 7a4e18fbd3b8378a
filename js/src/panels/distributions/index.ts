// The distributions: percentiles of the histograms along their steps.

import { histograms as histogramsCodec } from "../../histograms/codec";
import { logValueOptions, overlayRunsOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { DistributionsPanel, DistributionsToolbar } from "./panel";
import { distributionTexts } from "./texts";
import "./distributions.css";

export const distributions = definePanel({
  name: "distributions",
  title: () => distributionTexts().title,
  codecs: [histogramsCodec],
  options: [timeAxisOptions, logValueOptions, overlayRunsOptions],
  Toolbar: DistributionsToolbar,
  Body: DistributionsPanel,
});
