// The options of the graphs. Twins of the traits in tbwidget/panels/graphs.py.

import {
  defineOptions,
  nameSet,
  nameSetOrNull,
  namesOrNull,
  notStored,
  oneOf,
  textOrNull,
} from "../../options/declare";

export const COLORINGS = ["structure", "device", "cluster", "time", "memory", "none"] as const;

export type Coloring = (typeof COLORINGS)[number];

export const graphsOptions = defineOptions({
  /** Null: the first run that is shown and has a graph. */
  graph_run: textOrNull(),
  /** Null: of its graphs the one that says most. */
  graph_name: textOrNull(),
  /** Paths of boxes whose inside is shown; null: those that a first view opens. */
  graph_expanded: nameSetOrNull(),
  /** Paths of stacks and layers that are not made. */
  graph_ungrouped: nameSet(),
  /** Paths of optional stacks that are made. */
  graph_grouped: nameSet(),
  /** Paths of boxes that stay in the main drawing, or are taken out of it, whatever edges they have. */
  graph_keep: nameSet(),
  graph_extract: nameSet(),
  graph_hidden_ops: nameSet(),
  /** Path of the scope that is shown alone. */
  graph_isolated: textOrNull(),
  graph_color_by: oneOf(COLORINGS, "structure"),
  /** Tag of the recorded step whose times and memory are shown; null: the first. */
  graph_step: textOrNull(),
  /** Names of the devices that count in them; null: all. */
  graph_devices: namesOrNull(),
  /** Path of a box or of a node. */
  graph_selected: notStored(textOrNull()),
});
