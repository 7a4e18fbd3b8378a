// The histograms: a ridge for each step, or all upon one another, or colours along steps and values.

import { overlayRunsChoices, timeAxisChoices } from "../../choices/shared";
import { strings } from "../../lib/strings";
import { definePanel } from "../../ui/panel";
import { histogramsChoices } from "./choices";
import { histograms as histogramsCodec } from "./kind/codec";
import { HistogramsPanel, HistogramsToolbar } from "./panel";
import "./histograms.css";

export const histograms = definePanel({
  name: "histograms",
  title: () => strings.panelTitles.histograms,
  codecs: [histogramsCodec],
  choices: [timeAxisChoices, overlayRunsChoices, histogramsChoices],
  Toolbar: HistogramsToolbar,
  Body: HistogramsPanel,
});
