// The hyperparameters of sessions beside what came of them.

import { strings } from "../../lib/strings";
import { scalars } from "../../lines/codec";
import { definePanel } from "../../ui/panel";
import { hparamsDocument } from "./codec";
import { hparamsOptions } from "./options";
import { HParamsPanel, HParamsToolbar } from "./panel";
import "./scatter/scatter.css";

export const hparams = definePanel({
  name: "hparams",
  title: () => strings.panelTitles.hparams,
  codecs: [hparamsDocument, scalars],
  sources: ["hparams"],
  options: [hparamsOptions],
  Toolbar: HParamsToolbar,
  Body: HParamsPanel,
});
