// The texts of a drawn graph.

import { counted } from "./language";

export const graphDrawStrings = {
  tensors: (count: number, n: string) => counted(count, n, "tensor", "tensors"),
  copies: (count: string) => `×${count}`,
  auxiliary: "Auxiliary",
  boxKinds: ["node", "scope", "group", "stack", "missing node"],
  spoken: (parts: readonly string[]) => parts.join(", "),
  nodes: (count: number, n: string) => counted(count, n, "node", "nodes"),
  copiesSpoken: (count: string) => `${count} times`,
  open: (label: string) => `Open ${label}`,
  close: (label: string) => `Close ${label}`,
  menu: "What can be done with it (right click)",
  missingHint: "named as an input, and not in the graph",
  inputs: "inputs",
  outputs: "outputs",
  oddMembers: (names: string) => `called alike and built differently: ${names}`,
  boxes: (count: number, n: string) => counted(count, n, "box", "boxes"),
  picture: (label: string, boxes: string) => `${label}, drawn: ${boxes}, connected by what flows from one to the other`,
  opened: (label: string, boxes: string) => `${label} is open: ${boxes} inside`,
  closed: (label: string) => `${label} is closed`,
  selected: (label: string) => `${label} is selected`,
  marks: ["", "constant", "summary", "parameter", "auxiliary input", "connected with", "more"],
  controlEdge: "control",
  minimap: "Overview: drag to move",
  graphHint: (label: string) =>
    `${label}: arrow keys go along edges, Enter opens and closes, + and − zoom, 0 shows all, / searches, Shift+F10 opens a menu`,
};
