import { expect, test } from "vitest";
import { countScaleFor } from "../../../src/panels/histograms/countscale";
import { stairsOf } from "../../../src/panels/histograms/paint";
import { profileOf } from "../../../src/panels/histograms/profile";
import { apart, between } from "../../histograms/made";

const plain = { log: false, ignoreOutliers: false, bins: "written" } as const;

test("every bin has the area of its counts, however little that is", () => {
  const edges = [0, 1, 3, 3.5, 10, 40];
  const counts = [1e6, 5, 12_345, 1, 700];
  const profile = profileOf(between(edges, counts), [-2, 42], 440);
  const scale = countScaleFor([profile], plain);
  const stairs = stairsOf(profile, scale, 200);
  for (const [i, count] of counts.entries()) {
    const [from, to] = [edges[i], edges[i + 1]].map((edge) => ((edge as number) + 2) * 10) as [number, number];
    const area = stairs
      .map((stair) => Math.max(0, Math.min(to, stair.to) - Math.max(from, stair.from)) * stair.height)
      .reduce((a, b) => a + b, 0);
    expect(area / ((count / scale.top) * 200)).toBeCloseTo(1, 2);
  }
});

test("where bins overlap, areas add up", () => {
  const profile = profileOf(apart([0, 2], [4, 3], [8, 5]), [0, 5], 50);
  const stairs = stairsOf(profile, countScaleFor([profile], plain), 7);
  const rounded = stairs.map(({ from, to, height }) => [from, to, Number(height.toFixed(9))]);
  expect(rounded).toEqual([
    [0, 20, 2],
    [20, 30, 7],
    [30, 40, 2],
  ]);
});

test("cut bars are marked", () => {
  const profile = new Float64Array(100).fill(10);
  profile[50] = 10_000;
  const stairs = stairsOf(profile, countScaleFor([profile], { log: false, ignoreOutliers: true, bins: "written" }), 30);
  expect(stairs).toEqual([
    { from: 0, to: 50, height: 10, cut: false },
    { from: 50, to: 51, height: 30, cut: true },
    { from: 51, to: 100, height: 10, cut: false },
  ]);
  expect(stairsOf(new Float64Array(9), countScaleFor([], plain), 30)).toEqual([]);
});
