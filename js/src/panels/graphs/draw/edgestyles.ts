// How an edge looks, by what it carries: the one table for the canvas, the SVG file, the legend and the tooltip.

/** What the edges of a bundle carry. MIXED: some of its edges are references. */
export const EdgeKind = { CONTROL: 0, DATA: 1, MIXED: 2, REFERENCE: 3 } as const;

export type EdgeKind = (typeof EdgeKind)[keyof typeof EdgeKind];

export interface EdgeStyle {
  /** Entry of `Colors`, and of the legend's texts; MIXED looks like DATA with a second head. */
  readonly color: "data" | "control" | "reference";
  /** Lengths of dashes and gaps in CSS pixels; empty for a solid stroke. */
  readonly dash: readonly number[];
  /** Arrow head at the target. */
  readonly hasHead: boolean;
  /** Color of an arrow head at the source, for a value that the target changes; null for none. */
  readonly tail: "reference" | null;
  /** Largest width in layout units; a color that stands out needs less. */
  readonly maxWidth: number;
  /** Whether the tooltip and the label name the tensors; otherwise the tooltip names the kind. */
  readonly hasTensors: boolean;
}

export const EDGE_STYLES: Readonly<Record<EdgeKind, EdgeStyle>> = {
  [EdgeKind.CONTROL]: {
    color: "control",
    dash: [2.5, 2.5],
    hasHead: true,
    tail: null,
    maxWidth: Infinity,
    hasTensors: false,
  },
  [EdgeKind.DATA]: { color: "data", dash: [], hasHead: true, tail: null, maxWidth: Infinity, hasTensors: true },
  [EdgeKind.MIXED]: { color: "data", dash: [], hasHead: true, tail: "reference", maxWidth: Infinity, hasTensors: true },
  [EdgeKind.REFERENCE]: {
    color: "reference",
    dash: [],
    hasHead: false,
    tail: "reference",
    maxWidth: 3,
    hasTensors: true,
  },
};

/** The style of an edge kind that stands in a column. */
export function edgeStyle(kinds: Uint8Array, at: number): EdgeStyle {
  return EDGE_STYLES[kinds[at] as EdgeKind];
}
