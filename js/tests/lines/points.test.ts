import { expect, test } from "vitest";
import { byDistance } from "../../src/lib/search";
import { curveOf } from "../../src/lines/curve";
import type { Line } from "../../src/lines/paint";
import { largestStep, pointsLinked, pointsNear } from "../../src/lines/points";
import type { Series } from "../../src/lines/series";
import { valueThere } from "../../src/lines/values";
import { longPoints, points } from "../wire/made";
import { ema, PLAIN } from "./options";

function line(run: string, series: Series, faded = false): Line {
  return { run, color: "#000000", curve: curveOf(series, { ...PLAIN, smoothing: ema(0.5) }), faded };
}

test("every line has the row nearest along x, but those that end before, and those that are faded", () => {
  const lines = [
    line("near", longPoints([0, 10, 20], [1, 3, 5])),
    line("sparse", points([0, 1000], [7, 8])),
    line("over", points([0, 4], [1, 1])),
    line("faded", points([0, 10], [1, 1]), true),
  ];
  const rows = pointsNear(lines, 11, 2);
  expect(rows.map(({ run, step, value }) => [run, step, value])).toEqual([
    ["near", 10n, 3],
    ["sparse", 0n, 7],
  ]);
  expect(rows.map(({ isSmoothed }) => isSmoothed)).toEqual([true, false]);
  expect(rows[0]?.smoothed).toBeCloseTo((0.25 * 1 + 0.5 * 3) / 0.75, 12);
  expect([rows[0]?.wall, rows[0]?.relative]).toEqual([1001, 1]);
});

test("steps are exact", () => {
  const huge = points([0, 1]);
  const step = BigInt64Array.from([2n ** 62n + 1n, 2n ** 62n + 2n]);
  const [row] = pointsNear([line("a", { ...huge, step, first: step })], 2 ** 62, 4096);
  expect(row?.step.toString()).toMatch(/^461168601842738790[56]$/);
});

test("nearest first; points that are not drawn come last", () => {
  const rows = pointsNear(
    [line("far", points([0], [9])), line("nan", points([0], [Number.NaN])), line("near", points([0], [2]))],
    0,
    1,
  );
  expect(byDistance(rows, (row) => Math.abs(row.y - 1)).map((row) => row.run)).toEqual(["near", "far", "nan"]);
});

test("at the linked step stands the last row before, of every line that is not faded", () => {
  const lines = [
    line("at", points([0, 10, 20], [1, 3, 5])),
    line("before", points([0, 4], [1, 1])),
    line("after", points([30, 40], [2, 2])),
    line("faded", points([10], [1]), true),
  ];
  expect(pointsLinked(lines, 12).map(({ x, step }) => [x, step])).toEqual([
    [10, 10n],
    [4, 4n],
    [30, 30n],
  ]);
  expect(pointsLinked(lines, null)).toEqual([]);
  expect([largestStep(lines.map(({ curve }) => curve.series)), largestStep([])]).toEqual([40n, null]);
});

test("the value at the linked step is the one as written, also where the line is smoothed", () => {
  const smoothed = line("a", longPoints([0, 10, 20], [1, 3, 5]));
  expect(smoothed.curve.y[1]).not.toBe(3);
  expect(pointsLinked([smoothed], 12).map(({ y }) => y)).toEqual([3]);
});

test("where values as written are not drawn, the point at the linked step is on the line", () => {
  const rising = points([0, 10, 20], [1, 3, 5]);
  const many = Array.from({ length: 13 }, (_, i) => line(`${i}`, longPoints([0, 10, 20], [1, 3, 5])));
  expect(pointsLinked(many, 12).map(({ y }) => y)).toEqual(many.map(({ curve }) => curve.y[1]));
  expect(many[0]?.curve.y[1]).not.toBe(3);
  const plain = Array.from({ length: 13 }, (_, i) => line(`${i}`, rising));
  expect(pointsLinked(plain, 12).map(({ y }) => y)).toEqual(plain.map(() => 3));
  const hidden = { run: "a", color: "#000000", faded: false };
  const curve = curveOf(longPoints([0, 10, 20], [1, 3, 5]), { ...PLAIN, smoothing: ema(0.5), behind: "hidden" });
  expect(pointsLinked([{ ...hidden, curve }], 12).map(({ y }) => y)).toEqual([curve.y[1]]);
});

test("steps beyond 2^53 that share a place are told apart where one is linked", () => {
  const base = 2n ** 53n;
  const held = points([0, 1, 2]);
  const step = BigInt64Array.of(base, base + 1n, base + 2n);
  const one = line("a", { ...held, step, first: step });
  const linked = [base, base + 1n, base + 2n].map((at) => pointsLinked([one], at).map((point) => point.step));
  expect(linked).toEqual([[base], [base + 1n], [base + 2n]]);
  expect(valueThere({ ...held, step, first: step }, base)?.step).toBe(base);
});
