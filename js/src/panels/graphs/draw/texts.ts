// Texts of a drawn graph.

import { counted, defineTexts } from "../../../lib/texts";

export const graphDrawingTexts = defineTexts({
  tensors: (count: number, n: string) => counted(count, n, { one: "tensor", other: "tensors" }),
  stack: (name: string, count: string) => `${name} ×${count}`,
  notOrdered: ", order not shown",
  copies: (count: string) => `×${count}`,
  unordered: "order not shown",
  auxiliary: "Set aside: bookkeeping",
  auxiliaryShort: "Bookkeeping",
  boxKinds: ["node", "scope", "group", "stack", "missing node"],
  spoken: (parts: readonly string[]) => parts.join(", "),
  nodes: (count: number, n: string) => counted(count, n, { one: "node", other: "nodes" }),
  copiesSpoken: (count: string) => `${count} times`,
  open: (label: string) => `Open ${label}`,
  close: (label: string) => `Close ${label}`,
  menu: "Actions (right click)",
  missingHint: "named as an input, but not in the graph",
  inputs: "inputs",
  outputs: "outputs",
  oddMembers: (names: string) => `same name, different structure: ${names}`,
  boxes: (count: number, n: string) => counted(count, n, { one: "box", other: "boxes" }),
  picture: (label: string, boxes: string) => `Drawing of ${label}: ${boxes}`,
  opened: (label: string, boxes: string) => `${label} is open: ${boxes} inside`,
  closed: (label: string) => `${label} is closed`,
  selected: (label: string) => `${label} is selected`,
  marks: ["", "constant", "summary", "parameter", "auxiliary input", "linked to", "more"],
  controlEdge: "control",
  minimap: "Overview: drag to pan",
  keys: "Arrow keys follow edges, Enter opens and closes, + and − zoom, 0 fits, / searches, Shift+F10 opens a menu",
});
