// The histograms: a ridge for each step, or all upon one another, or colors along steps and values.

import { histograms as histogramsCodec } from "../../histograms/codec";
import { overlayRunsOptions, timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { histogramsOptions } from "./options";
import { HistogramsPanel, HistogramsToolbar } from "./panel";
import { histogramPanelTexts } from "./texts";
import "./histograms.css";

export const histograms = definePanel({
  name: "histograms",
  title: () => histogramPanelTexts().title,
  codecs: [histogramsCodec],
  options: [timeAxisOptions, overlayRunsOptions, histogramsOptions],
  Toolbar: HistogramsToolbar,
  Body: HistogramsPanel,
});
