import { describe, expect, it } from "vitest";
import { type Bins, edgesOf, POWERS } from "../../../src/histograms/bins";
import { binAt, extentOf, profileOf, totalOf } from "../../../src/panels/histograms/profile";
import { apart, between, even } from "../../histograms/made";

const sum = (profile: Float64Array) => profile.reduce((a, b) => a + b, 0);

/** The area that a profile of 400 columns from `min` to `max` draws between two values at columns' edges. */
function drawn(bins: Bins, [min, max]: [number, number], from: number, to: number): number {
  const profile = profileOf(bins, [min, max], 400);
  const column = (value: number) => Math.round(((value - min) / (max - min)) * 400);
  return sum(profile.subarray(column(from), column(to)));
}

describe("the edges of bins", () => {
  it("are those that the writers count between", () => {
    expect(POWERS).toHaveLength(1549);
    expect([POWERS[774], POWERS[775], POWERS[875]]).toEqual([0, 1e-12, 1.3780612339822385e-8]);
    expect(POWERS.at(-1)).toBe(9.920775621859783e19);
    expect(POWERS.every((edge, i) => i === 0 || edge > (POWERS[i - 1] as number))).toBe(true);
    expect(POWERS.every((edge, i) => edge === -(POWERS[1548 - i] as number))).toBe(true);
  });

  it("are even where nothing else is said, at any magnitude", () => {
    expect([...edgesOf(even(0, 3, [1, 1, 1])).right]).toEqual([1, 2, 3]);
    const { left, right } = edgesOf(even(-1.7e308, 1.7e308, [1, 1]));
    expect([left[1], right[0]]).toEqual([0, 0]);
  });

  it("begin and end with the least and the greatest value", () => {
    const { left, right } = edgesOf(between([0.5, 1, 2, 2.5], [1, 1, 1]));
    expect([[...left], [...right]]).toEqual([
      [0.5, 1, 2],
      [1, 2, 2.5],
    ]);
  });

  it("are missing without bins", () => {
    expect(edgesOf(even(Number.NaN, Number.NaN, [])).left).toHaveLength(0);
  });
});

describe("a profile", () => {
  it("draws the counts of each bin over it", () => {
    const edges = [0, 1, 1.5, 4, 4.25, 10];
    const counts = [3, 500, 7, 0.5, 90];
    const bins = between(edges, counts);
    for (const [i, count] of counts.entries()) {
      expect(drawn(bins, [0, 10], edges[i] as number, edges[i + 1] as number)).toBeCloseTo(count, 9);
    }
  });

  it("draws unequal bins as densities", () => {
    const profile = profileOf(between([0, 1, 3], [10, 10]), [0, 3], 300);
    expect((profile[50] as number) / (profile[200] as number)).toBeCloseTo(2, 9);
  });

  it("adds up where bins overlap, and leaves gaps", () => {
    const bins = apart([0, 1, 8], [2, 3, 9], [20, 20, 5]);
    expect(drawn(bins, [0, 10], 0, 1)).toBeCloseTo(10, 9);
    expect(drawn(bins, [0, 10], 1, 2)).toBeCloseTo(20, 9);
    expect(drawn(bins, [0, 10], 3, 8)).toBe(0);
    expect(drawn(bins, [0, 10], 8, 9)).toBeCloseTo(5, 9);
  });

  it("keeps bins much narrower than a column", () => {
    const counts = Array.from({ length: 1548 }, (_, i) => i % 7);
    const bins: Bins = between([...POWERS], counts);
    const total = counts.reduce((a, b) => a + b, 0);
    expect(sum(profileOf(bins, [-1e20, 1e20], 250))).toBeCloseTo(total, 6);
  });

  it("puts a bin without width into one column", () => {
    for (const [value, column] of [
      [0, 0],
      [2.5, 5],
      [5, 9],
    ] as const) {
      expect(profileOf(between([value, value], [9]), [0, 5], 10).indexOf(9)).toBe(column);
    }
    expect(sum(profileOf(between(Array(31).fill(1), [...Array(29).fill(0), 40]), [0, 2], 100))).toBe(40);
  });

  it("cuts off what lies outside", () => {
    const bins = even(0, 10, [10]);
    expect(sum(profileOf(bins, [5, 20], 77))).toBeCloseTo(5, 9);
    expect(sum(profileOf(bins, [11, 20], 77))).toBe(0);
    expect(sum(profileOf(between([-1, -1], [3]), [0, 1], 10))).toBe(0);
  });

  it("takes an edge that is no number, or as good as infinite, for none", () => {
    const bins = between([-Number.MAX_VALUE, 1, 2, Number.MAX_VALUE], [4, 6, 8]);
    const profile = profileOf(bins, [0, 3], 3);
    expect([...profile]).toEqual([0, 10, 8]);
    expect(extentOf(bins)).toEqual([1, 2]);
    expect(extentOf(between([Number.NaN, 1], [5]))).toEqual([1, 1]);
    expect(extentOf(between([Number.NaN, Number.POSITIVE_INFINITY], [5]))).toBeNull();
  });

  it("draws nothing for invalid counts", () => {
    const bins = even(0, 4, [-1, Number.NaN, Number.POSITIVE_INFINITY, 2]);
    expect([...profileOf(bins, [0, 4], 4)]).toEqual([0, 0, 0, 2]);
    expect(totalOf(even(0, 2, [0.5, -3]))).toBe(-2.5);
    const monstrous = apart([0, 0, 0], [1, 1e-9, 2], [1e308, 1.7e308, 6]);
    expect([...profileOf(monstrous, [0, 2], 2)]).toEqual([3, 3]);
  });

  it("is drawn of the least numbers too", () => {
    const profile = profileOf(even(0, 4e-320, [1, 2, 3, 4]), [0, 4e-320], 4);
    expect(sum(profile)).toBeCloseTo(10, 9);
    expect(profile[3]).toBeCloseTo(4, 2);
  });
});

describe("the bin at a value", () => {
  it("is the one that holds it, or the nearest within reach", () => {
    const bins = apart([0, 2, 7], [1, 3, 7], [1, 1, 1]);
    expect([0.5, 2.5, 7.1, 1.5, 5].map((value) => binAt(bins, value, 0.2))).toEqual([0, 1, 2, -1, -1]);
  });
});
