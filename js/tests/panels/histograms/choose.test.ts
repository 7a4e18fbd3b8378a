import { describe, expect, it } from "vitest";
import { positionsOf } from "../../../src/charts/along";
import { lastUpTo } from "../../../src/lib/search";
import { chosenRows, valueRange } from "../../../src/panels/histograms/choose";
import { rowsAcross } from "../../../src/panels/histograms/heatmap";
import { heightsFor } from "../../../src/panels/histograms/heights";
import { footOf, ridgeAt, ridgesOf } from "../../../src/panels/histograms/ridges";
import { even, histogram, series } from "./made";

const run = (held: ReturnType<typeof series>, name = "a") => ({
  run: name,
  colour: "#1f77b4",
  series: held,
  faded: false,
});
const look = { along: "step", log: false, ignoreOutliers: false, steps: null, values: null, linked: null } as const;

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

  it("are all of those in sight, if these are few", () => {
    const held = series(1000);
    expect(chosenRows(held, positionsOf(held, "step"), [5000, 5040], 48)).toEqual([500, 501, 502, 503, 504]);
    expect(chosenRows(held, positionsOf(held, "wall"), [1500, 1501], 48)).toEqual([500, 501]);
    expect(chosenRows(held, positionsOf(held, "relative"), [-5, -1], 48)).toEqual([]);
  });

  it("are fewer where they would stand in a few pixels, as those of a run that has just begun", () => {
    const [long, young] = [run(series(1000)), run(series(20), "b")];
    const drawn = (height: number) => {
      const { ridges } = ridgesOf([long, young], look, "offset", 100, 1, height);
      return [long, young].map((one) => ridges.filter((ridge) => ridge.run === one).length);
    };
    expect(drawn(1000)[0]).toBe(33);
    expect(drawn(100)[0]).toBeLessThan(20);
    expect(drawn(100)[1]).toBeLessThanOrEqual(3);
    expect(ridgesOf([long, young], look, "overlay", 100, 1, 100).ridges.length).toBe(53);
  });

  it("are found by step: the nearest before", () => {
    const column = positionsOf(series(5), "step");
    expect([-7, 0, 19, 20, 1e9].map((at) => lastUpTo(column, at))).toEqual([0, 0, 1, 2, 4]);
    expect(lastUpTo(new Float64Array(0), 3)).toBe(-1);
    expect(lastUpTo(Float64Array.of(5, 3, 5), 6)).toBe(2);
  });
});

describe("the values in sight", () => {
  it("are all of them, or all but what hides the others", () => {
    const rows = Array.from({ length: 30 }, (_, i) => histogram(i, even(-1, 1, [5, 20, 5])));
    rows.push(histogram(30, even(-500, 500, [1, 0, 1])));
    expect(valueRange(rows, false)).toEqual([-520, 520]);
    const [min, max] = valueRange(rows, true);
    expect(min).toBeGreaterThan(-4);
    expect(max).toBeLessThan(4);
    expect(min).toBeLessThan(-0.99);
  });

  it("of one value are those around it", () => {
    expect(valueRange([histogram(0, even(2, 2, [9]))], true)).toEqual([1.8, 2.2]);
    expect(valueRange([histogram(0, even(0, 0, [9]))], true)).toEqual([-1, 1]);
    expect(valueRange([histogram(0, even(Number.NaN, Number.NaN, []))], true)).toEqual([0, 1]);
  });
});

describe("heights", () => {
  const flat = new Float64Array(100).fill(10);
  const spiked = Float64Array.from(flat, (counts, i) => (i === 50 ? 10_000 : counts));

  it("compare across profiles", () => {
    const heights = heightsFor([flat, flat.map((counts) => counts / 2)], { log: false, ignoreOutliers: true });
    expect([heights(10), heights(5), heights(0)]).toEqual([1, 0.5, 0]);
  });

  it("cut off a spike instead of making all else flat, if outliers are ignored", () => {
    const cut = heightsFor([spiked], { log: false, ignoreOutliers: true });
    expect([cut(10_000), cut(10), cut.top]).toEqual([1, 1 / 3, 30]);
    const whole = heightsFor([spiked], { log: false, ignoreOutliers: false });
    expect([whole(10_000), whole(10)]).toEqual([1, 0.001]);
  });

  it("may be logarithmic", () => {
    const heights = heightsFor([spiked], { log: true, ignoreOutliers: true });
    expect(heights(10_000)).toBe(1);
    expect(heights(10)).toBeGreaterThan(0.05);
    expect(heights(10)).toBeLessThan(0.2);
    expect(heights(0)).toBe(0);
  });

  it("of nothing are nothing", () => {
    expect(heightsFor([], { log: false, ignoreOutliers: true })(3)).not.toBeNaN();
    expect(heightsFor([], { log: true, ignoreOutliers: true })(0)).toBe(0);
  });
});

describe("ridges", () => {
  const held = series(11, 1, () => even(0, 1, [1, 4, 1]));

  it("stand in the order of steps, the newest at the bottom", () => {
    const scene = ridgesOf([run(held)], look, "offset", 100);
    const feet = scene.ridges.map(({ at }) => footOf(scene, at));
    expect(feet.at(0)).toBeCloseTo(0.4, 9);
    expect(feet.at(-1)).toBe(1);
    expect(feet.every((foot, i) => i === 0 || foot > (feet[i - 1] as number))).toBe(true);
    expect(scene.ridges.map(({ age }) => age).at(-1)).toBe(1);
  });

  it("lie upon one another in an overlay", () => {
    const scene = ridgesOf([run(held)], look, "overlay", 100);
    expect(new Set(scene.ridges.map(({ at }) => footOf(scene, at)))).toEqual(new Set([1]));
  });

  it("are found below the pointer, the foremost first", () => {
    const scene = ridgesOf([run(held)], look, "offset", 100);
    expect(ridgeAt(scene, 0.5, 0.99)).toBe(10);
    expect(ridgeAt(scene, 0.5, 0.05)).toBe(0);
    // Beside the middle the newest reaches up a quarter as high.
    expect(ridgeAt(scene, 0.1, 0.93)).toBe(10);
    expect(ridgeAt(scene, 0.1, 0.89)).toBe(9);
    expect(ridgeAt(ridgesOf([], look, "offset", 100), 0.5, 0.5)).toBe(-1);
  });

  it("of several runs share their number", () => {
    const many = Array.from({ length: 30 }, (_, i) => run(series(500), String(i)));
    const scene = ridgesOf(many, look, "offset", 10);
    expect(scene.ridges.length).toBeLessThanOrEqual(30 * 3);
    expect(new Set(scene.ridges.map((ridge) => ridge.run.run)).size).toBe(30);
  });

  it("of the linked step are there, whatever else is: the nearest before", () => {
    const long = series(1000);
    const scene = ridgesOf([run(long), run(series(3), "b")], { ...look, linked: 5017 }, "offset", 10);
    const pointed = scene.ridges.filter(({ linked }) => linked);
    expect(pointed.map((ridge) => [ridge.run.run, ridge.at])).toEqual([
      ["b", 20],
      ["a", 5010],
    ]);
    const zoomed = ridgesOf([run(long)], { ...look, linked: 5017, steps: [0, 100] }, "offset", 10);
    expect(zoomed.ridges.some(({ linked }) => linked)).toBe(false);
  });

  it("of one step fill the height, but for a mark above", () => {
    const scene = ridgesOf([run(series(1))], look, "offset", 10);
    expect([footOf(scene, 0), scene.tallest]).toEqual([1, 0.95]);
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

  it("hold all that begin there", () => {
    expect(rowsAcross(Float64Array.of(0, 1, 2, 3, 4, 5, 8), [0, 8], 2)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6],
    ]);
  });
});
