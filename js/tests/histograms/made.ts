import type { Bins } from "../../src/histograms/bins";
import type { Histogram, HistogramSeries } from "../../src/histograms/codec";

/** Adjacent bins between these edges. */
export function between(edges: readonly number[], counts: readonly number[]): Bins {
  const innerEdges = Float64Array.from(edges.slice(1, -1));
  const layout = { low: edges[0] ?? Number.NaN, high: edges.at(-1) ?? Number.NaN, innerEdges };
  return { counts: Float64Array.from(counts), layout };
}

export function even(low: number, high: number, counts: readonly number[]): Bins {
  return { counts: Float64Array.from(counts), layout: { low, high, innerEdges: null } };
}

export function apart(left: readonly number[], right: readonly number[], counts: readonly number[]): Bins {
  return {
    counts: Float64Array.from(counts),
    layout: { left: Float64Array.from(left), right: Float64Array.from(right) },
  };
}

export function histogram(step: number, bins: Bins = even(0, 1, [step + 1])): Histogram {
  return {
    ...bins,
    place: step / 10,
    step: BigInt(step),
    wall: 1000 + step / 10,
    mean: Number.NaN,
    deviation: Number.NaN,
  };
}

/** `total` histograms, at steps 0, 10, 20 …; the page has every `stride`-th. */
export function series(total: number, stride = 1, bins?: (place: number) => Bins): HistogramSeries {
  const places = Array.from({ length: Math.ceil(total / stride) }, (_, i) => i * stride);
  if (total > 0 && (total - 1) % stride !== 0) {
    places.push(total - 1);
  }
  const rows = places.map((place) => histogram(10 * place, bins?.(place)));
  return { revision: 1, total, stride, fine: true, superseded: 0, startWall: 1000, rows, version: 1 };
}
