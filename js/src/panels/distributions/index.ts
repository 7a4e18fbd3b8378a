// The distributions: percentiles of the histograms along their steps.

import { logValueChoices, overlayRunsChoices, timeAxisChoices } from "../../choices/shared";
import { strings } from "../../lib/strings";
import { definePanel } from "../../ui/panel";
import { histograms as histogramsCodec } from "../histograms/kind/codec";
import { DistributionsPanel, DistributionsToolbar } from "./panel";
import "./distributions.css";

export const distributions = definePanel({
  name: "distributions",
  title: () => strings.panelTitles.distributions,
  codecs: [histogramsCodec],
  choices: [timeAxisChoices, logValueChoices, overlayRunsChoices],
  Toolbar: DistributionsToolbar,
  Body: DistributionsPanel,
});
