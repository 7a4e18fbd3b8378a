import { expect, test } from "vitest";
import { stepAt, stepRange } from "../../src/options/shared";

test("ranges of steps keep all their digits, and invalid ones change nothing", () => {
  const spec = stepRange;
  expect(spec.parse(["-9223372036854775808", "1152921504606846977"])).toEqual([-(2n ** 63n), 2n ** 60n + 1n]);
  expect(spec.parse([1, "2"])).toEqual([1, 2]);
  expect(spec.serialize?.([-1, 2n ** 60n + 1n])).toEqual([-1, "1152921504606846977"]);
  expect([spec.parse(null), spec.serialize?.(null)]).toEqual([null, null]);
  for (const wrong of [[2, 1], [1], [1, "x"], [1, 2.5], "12", {}, [1, null]]) {
    expect(spec.parse(wrong)).toBeUndefined();
  }
  expect([stepAt(2 ** 53), stepAt(5), stepAt(Number.POSITIVE_INFINITY)]).toEqual([2n ** 53n, 5, 2n ** 63n - 1n]);
});
