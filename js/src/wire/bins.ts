// The bins of one histogram as the browser holds it. Twin of tbwidget/panels/bins.py.

export type Counts = Uint8Array | Uint16Array | Float32Array | Float64Array;

/** Where bins are: one after the other from `low` to `high`, evenly if there are no `joints`, or each where it says. */
export type Cut =
  | { readonly low: number; readonly high: number; readonly joints: Float64Array | null }
  | { readonly left: Float64Array; readonly right: Float64Array };

export interface Bins {
  readonly counts: Counts;
  readonly cut: Cut;
}

/** Edges of bins, of as many as there are counts. */
export interface Edges {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

/** The edges between which most writers count: ±1e-12 · 1.1^k, below 1e20. */
export const POWERS: Float64Array = powers();

function powers(): Float64Array {
  const edges: number[] = [];
  for (let edge = 1e-12; edge < 1e20; edge *= 1.1) {
    edges.push(edge);
  }
  return Float64Array.of(...edges.map((edge) => -edge).reverse(), 0, ...edges);
}

export function edgesOf({ counts, cut }: Bins): Edges {
  if ("left" in cut) {
    return cut;
  }
  const { low, high, joints } = cut;
  const bins = counts.length;
  const edges = new Float64Array(bins + 1);
  if (joints === null) {
    const width = high - low;
    for (let i = 1; i < bins; i += 1) {
      // The ends may lie farther apart than a double can say.
      edges[i] = Number.isFinite(width) ? low + (width * i) / bins : low * (1 - i / bins) + high * (i / bins);
    }
  } else {
    edges.set(joints, 1);
  }
  edges[0] = low;
  edges[bins] = high;
  return { left: edges.subarray(0, bins), right: edges.subarray(1) };
}

/** Bytes that bins take, here or in a message; the edges that most writers share take none. */
export function bytesOf({ counts, cut }: Bins): number {
  const shared = "low" in cut && (cut.joints === null || isOfPowers(cut.joints));
  return counts.byteLength + (shared ? 0 : 16 * counts.length);
}

export function isOfPowers(joints: Float64Array): boolean {
  return joints.buffer === POWERS.buffer;
}
