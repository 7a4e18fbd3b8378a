// The graphs: name scopes that open, laid out and drawn by the browser alone.

import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { graphRoots, graphSteps, graphStructures } from "./codec";
import { GraphsToolbar } from "./face/toolbar";
import { graphsOptions } from "./options";
import { GraphsPanel } from "./panel";
import "./graphs.css";
import "./info.css";

export const graphs = definePanel({
  name: "graphs",
  title: () => uiTexts().panelTitles.graphs,
  codecs: [graphRoots, graphStructures, graphSteps],
  options: [graphsOptions],
  Toolbar: GraphsToolbar,
  Body: GraphsPanel,
});
