import { expect, test } from "vitest";
import { otherThan, rowsOfSample, samplesOf, shownOf } from "../../../src/items/viewer/place";

const row = (id: number, step: bigint, sample = 0) => ({ id, step, sample });
const rows = [row(1, 0n), row(2, 0n, 1), row(3, 10n), row(4, 10n), row(5, 20n), row(6, 20n, 1)];
const PLACE = { run: "a", tag: "x", sample: 0, at: 10n, id: 3 } as const;

test("samples have rows of their own", () => {
  expect(rowsOfSample(rows, 1).map(({ id }) => id)).toEqual([2, 6]);
  expect(samplesOf(rows)).toEqual([0, 1]);
  const single = rows.slice(2, 4);
  expect(rowsOfSample(single, 0)).toBe(single);
});

test("the chosen row is shown, otherwise the last one up to the step", () => {
  const own = rowsOfSample(rows, 0);
  const shown = (at: bigint | "newest", id: number | null = null) => own[shownOf(own, { at, id })]?.id;
  expect(shown(10n)).toBe(4);
  expect(shown(10n, 3)).toBe(3);
  expect(shown(15n)).toBe(4);
  expect(shown("newest")).toBe(5);
  // It was superseded since.
  expect(shown(10n, 99)).toBe(4);
  expect(shown(-1n)).toBeUndefined();
});

test("one is compared with another run, or else another step, or else another tag", () => {
  expect(otherThan(PLACE, ["a", "b", "c"], row(1, 0n), ["x", "y"])).toEqual({ ...PLACE, run: "b", id: null });
  expect(otherThan({ ...PLACE, run: "c" }, ["a", "b", "c"], undefined, ["x"]).run).toBe("a");
  expect(otherThan(PLACE, ["a"], row(1, 0n), ["x", "y"])).toEqual({ ...PLACE, at: 0n, id: 1 });
  expect(otherThan(PLACE, ["a"], undefined, ["x", "y"])).toEqual({ ...PLACE, tag: "y", id: null });
  expect(otherThan(PLACE, ["a"], undefined, ["x"])).toEqual({ ...PLACE, id: null });
});
