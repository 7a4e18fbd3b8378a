import { describe, expect, it } from "vitest";
import { beyond } from "../../../src/histograms/bins";
import { positionsOf } from "../../../src/histograms/steps";
import { lastUpTo } from "../../../src/lib/search";
import { chosenRows, valueRange } from "../../../src/panels/histograms/choose";
import { countScaleFor } from "../../../src/panels/histograms/countscale";
import { endOf, rowsAcross } from "../../../src/panels/histograms/heatmap";
import { footOf, ridgeAt, ridgesOf } from "../../../src/panels/histograms/ridges";
import { apart, even, histogram, series } from "../../histograms/made";

const run = (held: ReturnType<typeof series>, name = "a") => ({
  run: name,
  color: "#1f77b4",
  series: held,
  faded: false,
});
const options = {
  xAxis: "step",
  log: false,
  ignoreOutliers: false,
  bins: "written",
  steps: null,
  values: null,
  linked: null,
} as const;

describe("the histograms that are drawn", () => {
  it("are a few dozen, evenly, the newest among them", () => {
    const held = series(1000);
    const rows = chosenRows(held, positionsOf(held, "step"), null, 48);
    expect(rows).toEqual([...Array.from({ length: 32 }, (_, i) => 32 * i), 999]);
  });

  it("stay where they are while the series grows", () => {
    const drawnAt = (total: number) => {
      const held = series(total);
      return new Set(chosenRows(held, positionsOf(held, "step"), null, 48));
    };
    const before = [...drawnAt(1000)].slice(0, -1);
    expect(before.every((row) => drawnAt(1300).has(row))).toBe(true);
  });

  it("are all visible ones, if these are few", () => {
    const held = series(1000);
    expect(chosenRows(held, positionsOf(held, "step"), [5000, 5040], 48)).toEqual([500, 501, 502, 503, 504]);
    expect(chosenRows(held, positionsOf(held, "wall"), [1500, 1501], 48)).toEqual([500, 501]);
    expect(chosenRows(held, positionsOf(held, "relative"), [-5, -1], 48)).toEqual([]);
  });

  it("are fewer where they would stand in a few pixels, as those of a run that has just begun", () => {
    const [long, young] = [run(series(1000)), run(series(20), "b")];
    const drawn = (height: number) => {
      const { ridges } = ridgesOf([long, young], options, "offset", 100, 1, height);
      return [long, young].map((one) => ridges.filter((ridge) => ridge.run === one).length);
    };
    expect(drawn(1000)[0]).toBe(33);
    expect(drawn(100)[0]).toBeLessThan(20);
    expect(drawn(100)[1]).toBeLessThanOrEqual(3);
    expect(ridgesOf([long, young], options, "overlay", 100, 1, 100).ridges.length).toBe(53);
  });

  it("are found by step: the nearest before", () => {
    const column = positionsOf(series(5), "step");
    expect([-7, 0, 19, 20, 1e9].map((at) => lastUpTo(column, at))).toEqual([0, 0, 1, 2, 4]);
    expect(lastUpTo(new Float64Array(0), 3)).toBe(-1);
    expect(lastUpTo(Float64Array.of(5, 3, 5), 6)).toBe(2);
  });
});

describe("the visible values", () => {
  it("are all of them, or the middle 99 % of every step, with half as much on either side", () => {
    const rows = Array.from({ length: 30 }, (_, i) => histogram(i, even(-1, 1, [5, 20, 5])));
    // 1 of 1000 is far away: it is cut off beyond half of the middle range.
    rows.push(histogram(30, even(-1, 99, [999, ...Array(98).fill(0), 1])));
    expect(valueRange(rows, false)).toEqual([-3, 101]);
    // The middle of the last step begins after 5 of 999 counts in a bin from -1 to 0; the middle of the others ends
    // before the last 0.15 of 5 counts in a bin from 1/3 to 1.
    const [low, high] = [-1 + 5 / 999, 1 - (0.15 / 5) * (2 / 3)];
    const most = high + (high - low) / 2;
    const margin = 0.02 * (most + 1);
    const [min, max] = valueRange(rows, true);
    expect(min).toBeCloseTo(-1 - margin, 9);
    expect(max).toBeCloseTo(most + margin, 9);
  });

  it("include the spike of a single step, however much it flattens the others", () => {
    // 28.7 % of one step of a hundred lie far below.
    const rows = Array.from({ length: 100 }, (_, i) => histogram(i, even(-0.01, 0.01, [1, 2, 1])));
    rows.push(histogram(100, apart([-1, -0.01], [-0.9, 0.01], [287, 713])));
    const [min] = valueRange(rows, true);
    expect(min).toBeLessThan(-1 + 0.1 * (5 / 287));
    for (const row of rows) {
      const { below, above } = beyond(row, valueRange(rows, true));
      expect(below + above).toBeLessThanOrEqual(0.01);
    }
  });

  it("of one value are the values around it", () => {
    expect(valueRange([histogram(0, even(2, 2, [9]))], true)).toEqual([1.8, 2.2]);
    expect(valueRange([histogram(0, even(0, 0, [9]))], true)).toEqual([-1, 1]);
    expect(valueRange([histogram(0, even(Number.NaN, Number.NaN, []))], true)).toEqual([0, 1]);
  });
});

describe("the scale of counts", () => {
  const flat = new Float64Array(100).fill(10);
  const spiked = Float64Array.from(flat, (counts, i) => (i === 50 ? 10_000 : counts));

  it("compare across profiles", () => {
    const scale = countScaleFor([flat, flat.map((counts) => counts / 2)], {
      log: false,
      ignoreOutliers: true,
      bins: "written",
    });
    expect([scale(10), scale(5), scale(0)]).toEqual([1, 0.5, 0]);
  });

  it("cut off a spike instead of making all else flat, if outliers are ignored", () => {
    const cut = countScaleFor([spiked], { log: false, ignoreOutliers: true, bins: "written" });
    expect([cut(10_000), cut(10), cut.top]).toEqual([1, 1 / 3, 30]);
    const whole = countScaleFor([spiked], { log: false, ignoreOutliers: false, bins: "written" });
    expect([whole(10_000), whole(10)]).toEqual([1, 0.001]);
  });

  it("may be logarithmic", () => {
    const scale = countScaleFor([spiked], { log: true, ignoreOutliers: true, bins: "written" });
    expect(scale(10_000)).toBe(1);
    expect(scale(10)).toBeGreaterThan(0.05);
    expect(scale(10)).toBeLessThan(0.2);
    expect(scale(0)).toBe(0);
  });

  it("are defined without histograms", () => {
    expect(countScaleFor([], { log: false, ignoreOutliers: true, bins: "written" })(3)).not.toBeNaN();
    expect(countScaleFor([], { log: true, ignoreOutliers: true, bins: "written" })(0)).toBe(0);
  });
});

describe("ridges", () => {
  const held = series(11, 1, () => even(0, 1, [1, 4, 1]));

  it("stand in the order of steps, the newest at the bottom", () => {
    const ridges = ridgesOf([run(held)], options, "offset", 100);
    const feet = ridges.ridges.map(({ at }) => footOf(ridges, at));
    expect(feet.at(0)).toBeCloseTo(0.4, 9);
    expect(feet.at(-1)).toBe(1);
    expect(feet.every((foot, i) => i === 0 || foot > (feet[i - 1] as number))).toBe(true);
    expect(ridges.ridges.map(({ age }) => age).at(-1)).toBe(1);
  });

  it("lie upon one another in an overlay", () => {
    const ridges = ridgesOf([run(held)], options, "overlay", 100);
    expect(new Set(ridges.ridges.map(({ at }) => footOf(ridges, at)))).toEqual(new Set([1]));
  });

  it("are found below the pointer, the foremost first", () => {
    const ridges = ridgesOf([run(held)], options, "offset", 100);
    expect(ridgeAt(ridges, 0.5, 0.99)).toBe(10);
    expect(ridgeAt(ridges, 0.5, 0.05)).toBe(0);
    // Apart from the middle, the newest ridge is a quarter as high.
    expect(ridgeAt(ridges, 0.1, 0.93)).toBe(10);
    expect(ridgeAt(ridges, 0.1, 0.89)).toBe(9);
    expect(ridgeAt(ridgesOf([], options, "offset", 100), 0.5, 0.5)).toBe(-1);
  });

  it("of several runs share their number", () => {
    const many = Array.from({ length: 30 }, (_, i) => run(series(500), String(i)));
    const ridges = ridgesOf(many, options, "offset", 10);
    expect(ridges.ridges.length).toBeLessThanOrEqual(30 * 7);
    // Enough steps to see their course.
    expect(new Set(ridges.ridges.map((ridge) => ridge.at)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(ridges.ridges.map((ridge) => ridge.run.run)).size).toBe(30);
  });

  it("always include the linked step: the nearest before", () => {
    const long = series(1000);
    const ridges = ridgesOf([run(long), run(series(3), "b")], { ...options, linked: 5017 }, "offset", 10);
    const linked = ridges.ridges.filter(({ linked }) => linked);
    expect(linked.map((ridge) => [ridge.run.run, ridge.at])).toEqual([
      ["b", 20],
      ["a", 5010],
    ]);
    const zoomed = ridgesOf([run(long)], { ...options, linked: 5017, steps: [0, 100] }, "offset", 10);
    expect(zoomed.ridges.some(({ linked }) => linked)).toBe(false);
  });

  it("of one step fill the height, but for a mark above", () => {
    const ridges = ridgesOf([run(series(1))], options, "offset", 10);
    expect([footOf(ridges, 0), ridges.tallest]).toEqual([1, 0.95]);
  });
});

describe("the columns of a heat map", () => {
  it("hold the last histogram that has begun", () => {
    expect(rowsAcross(Float64Array.of(0, 10, 20, 30), [0, 30], 6)).toEqual([[0], [0], [1], [1], [2], [3]]);
    expect(rowsAcross(Float64Array.of(10, 20), [0, 40], 4)).toEqual([[], [0], [1], []]);
    expect(rowsAcross(Float64Array.of(-9, -3, 7), [0, 4], 3)).toEqual([[1], [1], [1]]);
    expect(rowsAcross(Float64Array.of(5), [5, 6], 3)).toEqual([[0], [0], [0]]);
    expect(rowsAcross(Float64Array.of(5, 6), [5, 8], 6)).toEqual([[0], [0], [1], [1], [], []]);
    expect(rowsAcross(new Float64Array(0), [0, 1], 2)).toEqual([[], []]);
    expect(rowsAcross(Float64Array.of(20, Number.NaN, 0), [0, 20], 2)).toEqual([[2], [0]]);
  });

  it("show the newest histogram as wide as the one before, but not for ever", () => {
    expect(endOf(Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7))).toBe(8);
    expect(endOf(Float64Array.of(5))).toBe(6);
    expect(endOf(Float64Array.of(0, 10, Number.NaN, 30))).toBe(50);
    expect(endOf(Float64Array.from({ length: 100 }, (_, i) => (i < 99 ? i : 1e4)))).toBe(1e4 + 500);
    const epochs = Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7);
    expect(rowsAcross(epochs, [0, endOf(epochs)], 16).at(-2)).toEqual([7]);
  });

  it("include all that begin there", () => {
    expect(rowsAcross(Float64Array.of(0, 1, 2, 3, 4, 5, 8), [0, 8], 2)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6],
    ]);
  });
});
