import { describe, expect, it } from "vitest";
import { type Bins, edgesOf, POWERS } from "../../../src/histograms/bins";
import { countTicks } from "../../../src/panels/histograms/axes";
import { countScaleFor } from "../../../src/panels/histograms/countscale";
import { hitInRidges } from "../../../src/panels/histograms/hit";
import { binWidth, drawnBins, type Grid, gridOf } from "../../../src/panels/histograms/profile";
import { ridgesOf } from "../../../src/panels/histograms/ridges";
import { apart, between, even, series } from "../../histograms/made";

/** Reproducible numbers between 0 and 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** The documented rule for each bin: the share of its width that lies within, or all of a bin without width. */
function naive(bins: Bins, { ends: [low, high], count }: Grid): number[] {
  const { left, right } = edgesOf(bins);
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [low + ((high - low) * i) / count, low + ((high - low) * (i + 1)) / count];
    let sum = 0;
    for (const [bin, counted] of bins.counts.entries()) {
      const [a, b] = [left[bin] as number, right[bin] as number];
      const within = a === b ? Number(a >= from && a < to) : Math.max(0, Math.min(b, to) - Math.max(a, from)) / (b - a);
      sum += counted * within;
    }
    return sum;
  });
}

const sum = (counts: ArrayLike<number>) => Array.from(counts).reduce((a, b) => a + b, 0);

function madeUp(seed: number): Bins {
  const next = numbers(seed);
  const left = Array.from({ length: 60 }, () => 10 * next() - 5);
  // Some bins have equal edges, and some overlap.
  const right = left.map((edge) => (next() < 0.2 ? edge : edge + 3 * next() ** 4));
  return apart(
    left,
    right,
    left.map(() => Math.floor(1000 * next() ** 3)),
  );
}

describe("even bins", () => {
  it.each([1, 2, 3, 4, 5])("have of each written bin the share of its width that they cover (%i)", (seed) => {
    const bins = madeUp(seed);
    const grid = gridOf([-5.2, 8.3], "even") as Grid;
    const { counts } = drawnBins(bins, grid);
    for (const [i, wanted] of naive(bins, grid).entries()) {
      expect(counts[i]).toBeCloseTo(wanted, 6);
    }
    expect(sum(counts)).toBeCloseTo(sum(bins.counts), 6);
  });

  it("keep the sum of the usual uneven bins, at any magnitude", () => {
    const counts = Array.from({ length: 1548 }, (_, i) => (i * 7919) % 101);
    const bins = between([...POWERS], counts);
    for (const end of [1e20, 2e20, 1e30]) {
      const found = drawnBins(bins, gridOf([-end, end], "even") as Grid).counts;
      expect(sum(found) / sum(counts)).toBeCloseTo(1, 9);
    }
  });

  it("have more where more was counted below every edge: none goes to the wrong side", () => {
    const bins = madeUp(9);
    const grid = gridOf([-5, 8], "even") as Grid;
    const { counts } = drawnBins(bins, grid);
    let below = 0;
    for (const [i, count] of counts.entries()) {
      below += count;
      const edge = grid.ends[0] + ((grid.ends[1] - grid.ends[0]) * (i + 1)) / grid.count;
      const { left, right } = edgesOf(bins);
      const upTo = (ends: Float64Array) =>
        sum(Array.from(bins.counts, (counted, bin) => ((ends[bin] as number) < edge ? counted : 0)));
      const [least, most] = [upTo(right), upTo(left)];
      expect(below).toBeGreaterThanOrEqual(least - 1e-6);
      expect(below).toBeLessThanOrEqual(most + 1e-6);
    }
  });

  it("are 28 to 42 of a round visible width, on multiples of it", () => {
    for (let span = 1e-12; span < 1e30; span *= 3.7) {
      for (const from of [-span / 3, 0, 5 * span]) {
        const width = binWidth([from, from + span]);
        expect(span / width).toBeLessThanOrEqual(42 * (1 + 1e-9));
        expect(span / width).toBeGreaterThanOrEqual(28);
        const grid = gridOf([from, from + span], "even") as Grid;
        const first = grid.ends[0] / width;
        expect(first).toBeCloseTo(Math.round(first), 6);
        expect(grid.ends[0]).toBeLessThanOrEqual(from + span * 1e-9);
        expect(grid.ends[1]).toBeGreaterThanOrEqual(from + span * (1 - 1e-9));
      }
    }
  });

  it("hold a value on an edge that decimals say better than doubles", () => {
    const grid = gridOf([0, 0.4], "even") as Grid;
    const width = (grid.ends[1] - grid.ends[0]) / grid.count;
    for (const value of [0, 0.1, 0.2, 0.3]) {
      const { counts } = drawnBins(between([value, value], [9]), grid);
      expect(counts.indexOf(9)).toBe(Math.min(grid.count - 1, Math.round((value - grid.ends[0]) / width)));
    }
  });

  it("are none where doubles do not tell them apart, or where those that were written are wanted", () => {
    expect(gridOf([0, 1], "written")).toBeNull();
    expect(gridOf([1, 1 + 1e-14], "even")).toBeNull();
    expect(gridOf([0, 2e-323], "even")).toBeNull();
    const bins = even(0, 1, [3]);
    expect(drawnBins(bins, null)).toBe(bins);
    expect(gridOf([-8e307, 8e307], "even")?.count).toBeLessThanOrEqual(44);
  });

  it("are found by the pointer, with counts of parts", () => {
    const run = { run: "a", color: "#1f77b4", series: series(1, 1, () => even(0, 8, [40])), faded: false };
    const options = {
      xAxis: "step",
      log: false,
      ignoreOutliers: false,
      steps: null,
      values: [0, 8],
      linked: null,
    } as const;
    const at = (bins: "even" | "written") =>
      hitInRidges(ridgesOf([run], { ...options, bins }, "offset", 80), 0.5, 0.9)?.bin;
    expect(at("written")).toEqual({ left: 0, right: 8, count: 40, even: false });
    // Bins of 0.2: a fortieth each.
    const found = at("even");
    expect([found?.left, found?.right, found?.count, found?.even]).toEqual([
      expect.closeTo(4, 9),
      expect.closeTo(4.2, 9),
      expect.closeTo(1, 9),
      true,
    ]);
  });
});

describe("the scale of heights", () => {
  const run = (counts: readonly number[]) => ({
    run: "a",
    color: "#1f77b4",
    series: series(1, 1, () => even(0, 4, counts)),
    faded: false,
  });
  const options = {
    xAxis: "step",
    ignoreOutliers: false,
    bins: "even",
    steps: null,
    values: [0, 4],
    linked: null,
  } as const;
  const ticks = (counts: readonly number[], log: boolean, length = 80) =>
    countTicks(ridgesOf([run(counts)], { ...options, log }, "offset", 200), length);

  it("is in counts of an even bin", () => {
    // 40 bins of 0.1: each has a tenth of the 300 counts from 0 to 1.
    const found = ticks([300, 100, 100, 100], false);
    expect(found.map(({ label }) => label)).toEqual(["0", "10", "20", "30"]);
    for (const { value, height } of found) {
      expect(height).toBeCloseTo(value / 30, 9);
    }
  });

  it("has powers of ten where counts are logarithmic, and two ticks at least", () => {
    const found = ticks([1e6, 1e4, 100, 10], true);
    expect(found.map(({ label }) => label)).toEqual(["1", "100", "10k"]);
    // From half of the smallest count in a bin, 1, to the largest, 100,000.
    for (const { value, height } of found) {
      expect(height).toBeCloseTo(Math.log(value / 0.5) / Math.log(1e5 / 0.5), 9);
    }
    for (const log of [false, true]) {
      for (const length of [15, 30, 60]) {
        expect(ticks([7, 7, 7, 6], log, length).length).toBeGreaterThanOrEqual(2);
      }
    }
    expect(ticks([0, 0], false)).toEqual([]);
  });

  it("cuts off even bins only of few histograms, that are three times as high as the others at least", () => {
    const profile = (peak: number) => Float64Array.of(1, peak, 1);
    const top = (peaks: readonly number[]) =>
      countScaleFor(peaks.map(profile), { log: false, ignoreOutliers: true, bins: "even" }).top;
    // All have a peak: that is their shape.
    expect(top([50, 51, 52, 53])).toBe(53);
    expect(top([5, 5, 5, 5, 5, 5, 5, 1000])).toBe(15);
    expect(top([5, 5, 5, 5, 1000, 1000, 1000, 1000])).toBe(1000);
  });
});
