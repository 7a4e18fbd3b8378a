// The panels that there are, in the order of their tabs. Keep in step with PANELS in tbwidget/panels/__init__.py.

import type { FunctionComponent } from "preact";
import { strings } from "../lib/strings";
import { DistributionsPanel, DistributionsToolbar } from "./distributions/panel";
import { HistogramsPanel, HistogramsToolbar } from "./histograms/panel";
import { ScalarsPanel, ScalarsToolbar } from "./scalars/panel";

export interface Panel {
  readonly name: string;
  readonly title: string;
  /** Kinds of data that it draws; it has a tab while there are data of one of them. */
  readonly kinds: readonly string[];
  /** What stands in the line of controls, and what below it. */
  readonly Toolbar: FunctionComponent;
  readonly Body: FunctionComponent;
}

export const panels: readonly Panel[] = [
  {
    name: "scalars",
    title: strings.kinds.scalars,
    kinds: ["scalars"],
    Toolbar: ScalarsToolbar,
    Body: ScalarsPanel,
  },
  {
    name: "histograms",
    title: strings.kinds.histograms,
    kinds: ["histograms"],
    Toolbar: HistogramsToolbar,
    Body: HistogramsPanel,
  },
  {
    name: "distributions",
    title: strings.distributions,
    kinds: ["histograms"],
    Toolbar: DistributionsToolbar,
    Body: DistributionsPanel,
  },
];
