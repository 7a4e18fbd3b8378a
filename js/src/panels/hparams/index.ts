// The hyperparameters of sessions beside what came of them.

import { scalars } from "../../lines/codec";
import { definePanel } from "../../ui/panel";
import { SessionCount } from "./chips";
import { hparamsDocument } from "./codec";
import { areNamed } from "./names";
import { hparamsOptions } from "./options";
import { HParamsPanel } from "./panel";
import { hparamsTexts } from "./texts";
import { HParamsToolbar } from "./toolbar";
import "./hparams.css";
import "./scatter/scatter.css";

export const hparams = definePanel({
  name: "hparams",
  title: () => hparamsTexts().title,
  codecs: [hparamsDocument, scalars],
  sources: ["hparams"],
  offers: areNamed,
  listsRuns: true,
  options: [hparamsOptions],
  Count: SessionCount,
  Toolbar: HParamsToolbar,
  Body: HParamsPanel,
});
