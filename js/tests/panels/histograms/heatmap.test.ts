import { describe, expect, it } from "vitest";
import { positionsOf } from "../../../src/histograms/steps";
import { heatmapOf, heatScale } from "../../../src/panels/histograms/heatmap";
import { hitInHeatmap } from "../../../src/panels/histograms/hit";
import { legendOf } from "../../../src/panels/histograms/paint";
import { even, series } from "../../histograms/made";

/** A thousand steps of one shape, except for one. */
const held = series(1000, 1, (place) => (place === 517 ? even(3, 4, [100]) : even(0, 1, [100])));
const run = { run: "a", color: "#1f77b4", series: held, faded: false };
const map = (columns: number) => heatmapOf(run, positionsOf(held, "step"), [0, 9990], [0, 4], columns, 40, null);

describe("a heat map", () => {
  it.each([50, 123, 1000, 2500])("shows every step, in %i columns", (columns) => {
    const { columns: found } = map(columns);
    const odd = found.flatMap((column, x) => ((column?.counts[35] ?? 0) > 0 ? [x] : []));
    expect(odd.length).toBe(Math.max(1, Math.round(columns / 1000)));
    expect(odd[0]).toBe(Math.floor((5170 / 9990) * columns));
  });

  it("tells which step a cell is of", () => {
    const at = (y: number) => hitInHeatmap(map(50), [0, 4], 5170 / 9990, y)?.row.step;
    expect(at(0.1)).toBe(5170n);
    expect(at(0.9)).not.toBe(5170n);
    expect(hitInHeatmap(map(50), [0, 4], 0.5, 0.9)?.bin).toEqual({ left: 0, right: 1, count: 100, even: false });
  });

  it("shows the greatest counts, as high as they are", () => {
    const scale = heatScale([map(50)], { log: false, ignoreOutliers: false, bins: "written" });
    // Ten cells for each bin.
    expect(scale.top).toBeCloseTo(10, 9);
  });
});

describe("the color scale", () => {
  it("says counts for a stretch of values", () => {
    const scale = heatScale([map(50)], { log: false, ignoreOutliers: false, bins: "written" });
    expect(legendOf(scale, [0, 4], 40)).toEqual({ per: "0.1", counts: ["0", "2.5", "10"] });
    expect(legendOf(scale, [0, 4], 80).counts[2]).toBe("20");
  });

  it("is logarithmic as the colors are", () => {
    const scale = Object.assign((counts: number) => Math.log10(counts) / 4, {
      log: true,
      top: 1e4,
      cut: true,
      counts: (height: number) => 10 ** (4 * height),
    });
    expect(legendOf(scale, [0, 4], 40).counts).toEqual(["1", "100", "10k or more"]);
  });

  it("has no NaN without histograms", () => {
    const scale = heatScale([], { log: true, ignoreOutliers: true, bins: "written" });
    expect(legendOf(scale, [0, 1], 40).counts.every((text) => !text.includes("NaN"))).toBe(true);
  });
});
