// The PR curves: precision over recall, a curve for each run, at any step that was written.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { curves } from "./codec";
import { prCurvesOptions } from "./options";
import { PRCurvesPanel, PRCurvesToolbar } from "./panel";
import { prCurveTexts } from "./texts";
import "./pr_curves.css";

export const pr_curves = definePanel({
  name: "pr_curves",
  title: () => prCurveTexts().title,
  codecs: [curves],
  options: [timeAxisOptions, prCurvesOptions],
  Toolbar: PRCurvesToolbar,
  Body: PRCurvesPanel,
});
