// The bins of one histogram as the browser holds it. Twin of tbwidget/panels/histogram_bins.py.

import type { Counts } from "../wire/steps";

/** Where bins are: contiguous from `low` to `high`, of equal width without `innerEdges`; or each with edges of its own. */
export type BinLayout =
  | { readonly low: number; readonly high: number; readonly innerEdges: Float64Array | null }
  | { readonly left: Float64Array; readonly right: Float64Array };

export interface Bins {
  readonly counts: Counts;
  readonly layout: BinLayout;
}

/** The edges of each bin: as many as there are counts. */
export interface Edges {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/** The edges that most writers use: ±1e-12 · 1.1^k, below 1e20, and 0. */
export const POWERS: Float64Array = powers();

function powers(): Float64Array {
  const edges: number[] = [];
  for (let edge = 1e-12; edge < 1e20; edge *= 1.1) {
    edges.push(edge);
  }
  return Float64Array.of(...edges.map((edge) => -edge).reverse(), 0, ...edges);
}

export function edgesOf({ counts, layout }: Bins): Edges {
  if ("left" in layout) {
    return layout;
  }
  const { low, high, innerEdges } = layout;
  const bins = counts.length;
  const edges = new Float64Array(bins + 1);
  if (innerEdges === null) {
    const width = high - low;
    for (let i = 1; i < bins; i += 1) {
      // The ends may lie farther apart than a double can say.
      edges[i] = Number.isFinite(width) ? low + (width * i) / bins : low * (1 - i / bins) + high * (i / bins);
    }
  } else {
    edges.set(innerEdges, 1);
  }
  edges[0] = low;
  edges[bins] = high;
  return { left: edges.subarray(0, bins), right: edges.subarray(1) };
}

/** Bytes that bins take, here or in a message; parts of POWERS take none. */
export function bytesOf({ counts, layout }: Bins): number {
  const shared = "low" in layout && (layout.innerEdges === null || isOfPowers(layout.innerEdges));
  return counts.byteLength + (shared ? 0 : 16 * counts.length);
}

export function isOfPowers(innerEdges: Float64Array): boolean {
  return innerEdges.buffer === POWERS.buffer;
}
