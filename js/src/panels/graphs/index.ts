// The graphs: name scopes that open, laid out and drawn by the browser alone.

import { definePanel } from "../../ui/panel";
import { graphRoots, graphSteps, graphStructures } from "./documents";
import { graphsOptions } from "./options";
import { GraphsPanel } from "./panel";
import { graphTexts } from "./texts";
import { GraphsToolbar } from "./ui/toolbar";
import "./graphs.css";
import "./info.css";

export const graphs = definePanel({
  name: "graphs",
  title: () => graphTexts().title,
  codecs: [graphRoots, graphStructures, graphSteps],
  options: [graphsOptions],
  Toolbar: GraphsToolbar,
  Body: GraphsPanel,
});
