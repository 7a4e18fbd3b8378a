import { describe, expect, it } from "vitest";
import { BASIS_POINTS, type Bins, percentilesOf } from "../../src/histograms/bins";
import { apart, between, even } from "./made";

/** The documented rule, step by step: cumulative shares, the first that is greater, a line between its ends. */
function byTheRule(edges: readonly number[], counts: readonly number[]): number[] {
  const total = counts.reduce((a, b) => a + b, 0);
  let running = 0;
  const weights = counts.map((count) => {
    running += count;
    return (running * 10_000) / total;
  });
  return BASIS_POINTS.map((point) => {
    const i = weights.findIndex((weight) => weight > point);
    if (i < 0) {
      return edges.at(-1) as number;
    }
    const before = i > 0 ? (weights[i - 1] as number) : 0;
    const share = (point - before) / ((weights[i] as number) - before);
    return (edges[i] as number) + share * ((edges[i + 1] as number) - (edges[i] as number));
  });
}

function expectClose(bins: Bins, expected: readonly number[], digits = 9): void {
  for (const [i, value] of percentilesOf(bins).entries()) {
    expect(value).toBeCloseTo(expected[i] as number, digits);
  }
}

describe("percentiles", () => {
  it("lie where the rule puts them", () => {
    const edges = [-3, -1, -0.5, 0, 0.25, 2, 7];
    const counts = [4, 100, 0, 250, 33, 9];
    expectClose(between(edges, counts), byTheRule(edges, counts));
  });

  it("equal those of the samples, in narrow bins", () => {
    const samples = Array.from({ length: 10_000 }, (_, i) => 3 * Math.sin(i * 1.7) ** 3 + Math.cos(i * 0.37));
    const sorted = [...samples].sort((a, b) => a - b);
    const counts = new Array<number>(8000).fill(0);
    for (const sample of samples) {
      counts[Math.floor((sample + 4) * 1000)] = (counts[Math.floor((sample + 4) * 1000)] ?? 0) + 1;
    }
    // Equal to numpy.percentile, up to the width of a bin.
    const expected = BASIS_POINTS.map((point) => sorted[Math.round((point / 10_000) * 9999)] as number);
    expectClose(even(-4, 4, counts), expected, 1);
    expect(Math.abs((percentilesOf(even(-4, 4, counts))[4] as number) - (expected[4] as number))).toBeLessThan(2e-3);
  });

  it("do not drown in a monstrous count", () => {
    expect([...percentilesOf(even(0, 3, [1, 1e308, 1]), [0, 5000, 10_000])]).toEqual([0, 2, 3]);
  });

  it("begin and end where something was counted", () => {
    const found = percentilesOf(between([0, 1, 2, 3, 4, 5], [0, 0, 6, 0, 0]));
    expect([found[0], found[4], found[8]]).toEqual([2, 2.5, 3]);
  });

  it("between two bins are at the second", () => {
    expect(percentilesOf(apart([0, 5], [1, 6], [10, 10]))[4]).toBe(5);
  });

  it("of one value are that value, and without values missing", () => {
    expect(new Set(percentilesOf(even(2, 2, [9])))).toEqual(new Set([2]));
    expect(percentilesOf(even(0, 0, []))).toEqual(new Float64Array(9).fill(Number.NaN));
    expect(percentilesOf(even(0, 1, [0]))).toEqual(new Float64Array(9).fill(Number.NaN));
  });
});
