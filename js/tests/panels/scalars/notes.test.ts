import { h } from "preact";
import { expect, test } from "vitest";
import type { Series } from "../../../src/lines/series";
import { endedIn, hasDiverged, LastValue, stoppedAmong, wordOf } from "../../../src/panels/scalars/notes";
import { ViewContext } from "../../../src/ui/view";
import { boardOf } from "../../lines/board";
import { bucketed } from "../../lines/buckets";
import { rendered } from "../../ui/rendering";
import { part, pointRows, points } from "../../wire/made";

const at = (steps: number, seconds: number, start: number): Series => ({
  ...points(Array.from({ length: steps }, (_, i) => i)),
  wall: Float64Array.from({ length: steps }, (_, i) => start + i * seconds),
  startWall: start,
});

test("a run has stopped if another simultaneous run continued for long, to later steps", () => {
  const stopped = at(10, 10, 0);
  expect(stoppedAmong([stopped, at(100, 10, 5)])(stopped)).toBe(true);
  // Ten times its interval is 100 s.
  expect(stoppedAmong([at(19, 10, 5)])(stopped)).toBe(false);
  expect(stoppedAmong([at(70, 1, 0)])(at(10, 1, 0))).toBe(false);
  expect(stoppedAmong([at(72, 1, 0)])(at(10, 1, 0))).toBe(true);
  expect(stoppedAmong([at(100, 10, 1000)])(stopped)).toBe(false);
  expect(stoppedAmong([at(10, 100, 5)])(stopped)).toBe(false);
  expect(stoppedAmong([at(100, 10, 0)])(points([]))).toBe(false);
});

test("one of many runs has stopped if it has stopped in comparison with any single other", () => {
  let seed = 1;
  const random = (most: number) => {
    seed = (seed * 16807) % 2147483647;
    return seed % most;
  };
  const runs = Array.from({ length: 60 }, () => at(1 + random(40), 1 + random(9), random(400)));
  const hasStopped = (series: Series) => runs.some((other) => stoppedAmong([other])(series));
  expect(runs.map(stoppedAmong(runs))).toEqual(runs.map(hasStopped));
  expect(new Set(runs.map(hasStopped)).size).toBe(2);
});

test("gone NaN, and diverged", () => {
  const ends = [1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  expect(ends.map((end) => endedIn(points([0, 1], [Number.NaN, end])))).toEqual([null, "nan", "infinite", "infinite"]);
  const falling = Array.from({ length: 40 }, (_, i) => 1 - i / 40);
  const rising = falling.map((value) => -value);
  const exploding = falling.map((value, i) => (i > 35 ? 10 ** (i - 34) : value));
  expect([falling, rising, exploding].map((values) => hasDiverged(Float64Array.from(values)))).toEqual([
    false,
    false,
    true,
  ]);
  expect(hasDiverged(Float64Array.of(0, 1, 1e9))).toBe(false);
});

test("a series that leaps diverged wherever it did, and one that grows did not", () => {
  const rows = Array.from({ length: 200 }, (_, i) => i);
  const noise = (i: number) => 1 + 0.1 * Math.sin(i * i);
  for (const onset of [10, 20, 60, 90, 110, 180]) {
    const values = rows.map((i) => noise(i) * (i < onset ? 1 : 1e6));
    expect([onset, hasDiverged(Float64Array.from(values))]).toEqual([onset, true]);
  }
  for (const grown of [rows, rows.map((i) => i * i), rows.map((i) => noise(i) * (i === 30 ? 1e6 : 1))]) {
    expect(hasDiverged(Float64Array.from(grown))).toBe(false);
  }
  // An accuracy that rises only after some training.
  const rising = rows.map((i) => (i < 60 ? 0.1 + (i % 3) / 200 : 0.8 + (i % 3) / 200));
  expect(hasDiverged(Float64Array.from(rising))).toBe(false);
});

test("a value is shown with the step at which it was written, not with the linked one", () => {
  expect(wordOf([650n], 670)).toBe("at 650");
  expect(wordOf([650n, 650n], 670)).toBe("at 650");
  expect(wordOf([650n, 600n, 670n], 670)).toBe("at 600 – 670");
  expect(wordOf([1000n], null)).toBe("last");
});

test("at a linked step within buckets, the mean of the bucket stands with a sign, also in a mean of runs", () => {
  const steps = [...Array(12).keys()];
  const rows = bucketed(steps, steps, 4);
  const headOf = (state: Record<string, unknown>) => {
    const runs = ["a", "b"].map((run) => part("loss", run, steps, { rows, width: 4, total: 12, last: 11 }));
    const board = boardOf(runs, state);
    const value = h(LastValue, { data: board.tag("loss") });
    const shown = rendered(h(ViewContext.Provider, { value: board.view }, value));
    const text = shown.text();
    shown.end();
    board.end();
    return text;
  };
  expect(headOf({ linked_step: null })).toBe("last 11");
  expect(headOf({ linked_step: 8 })).toBe(`at 7 ≈\u202f5.5`);
  expect(headOf({ linked_step: 8, aggregate: "mean" })).toBe(`mean at 7 ≈\u202f5.5`);
  // The newest value is known.
  expect(headOf({ linked_step: 11 })).toBe("at 11 11");
});

test("a value as written says that it is, where the line at the linked step is a smoothed one", () => {
  const steps = [...Array(40).keys()];
  const series = part("loss", "a", steps, {
    rows: pointRows(
      steps,
      steps.map((i) => (i * 7) % 5),
    ),
  });
  const headOf = (state: object, split = "") => {
    const board = boardOf([series], { linked_step: 7, ...state });
    const value = h(LastValue, { data: board.tag("loss"), split });
    const shown = rendered(h(ViewContext.Provider, { value: board.view }, value));
    const text = shown.text();
    shown.end();
    board.end();
    return text;
  };
  expect(headOf({})).toBe("at 7 4");
  expect(headOf({ raw_values: "hidden" })).toBe("raw at 7 4");
  expect(headOf({ raw_values: "hidden", linked_step: null })).toBe("last 3");
  expect(headOf({ raw_values: "hidden", smoothing: 0 })).toBe("at 7 4");
  // A card of several tags names the tag.
  expect(headOf({ linked_step: null }, "validation")).toBe("validation 3");
  expect(headOf({}, "validation")).toBe("validation at 7 4");
});
