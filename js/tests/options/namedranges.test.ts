import { expect, test } from "vitest";
import { isRangeName, type NamedRange, namedRangeOptions, rangeOf, renamed } from "../../src/options/namedranges";

const { parse, serialize } = namedRangeOptions.named_ranges;

test("steps keep all their digits, as numbers where that is exact", () => {
  const [range] = parse([["late", "9007199254740993", "9223372036854775807"]]) as readonly NamedRange[];
  expect(range).toEqual({ name: "late", steps: [9007199254740993n, 9223372036854775807n] });
  expect(serialize?.([range as NamedRange])).toEqual([["late", "9007199254740993", "9223372036854775807"]]);
  expect(parse([["12", "12", 13]])).toEqual([{ name: "12", steps: [12, 13] }]);
});

test("a list with one wrong range is refused entirely", () => {
  expect(
    parse([
      ["fine", 0, 1],
      ["backwards", 2, 1],
    ]),
  ).toBeUndefined();
  expect(
    parse([
      ["fine", 0, 1],
      ["no number", Number.NaN, 1],
    ]),
  ).toBeUndefined();
  expect(parse([["beyond", 0, 1e300]])).toBeUndefined();
});

test("a name is one line of at most 80 characters, whatever they are", () => {
  expect(["lr drop", "<b>", "🙂".repeat(80), " spaced "].every(isRangeName)).toBe(true);
  expect(["", " ", "a\nb", "a\u0085b", "🙂".repeat(81)].some(isRangeName)).toBe(false);
});

test("steps get a name, another one, and none", () => {
  const first = renamed([], [1, 2], " warm-up ");
  expect(first).toEqual([{ name: "warm-up", steps: [1, 2] }]);
  const both = renamed(first, [3, 3], "drop");
  expect(both.map(({ name }) => name)).toEqual(["warm-up", "drop"]);
  expect(renamed(both, [1, 2], "start").map(({ name }) => name)).toEqual(["start", "drop"]);
  expect(renamed(both, [1, 2], "").map(({ name }) => name)).toEqual(["drop"]);
  expect(rangeOf(both, [3, 3])?.name).toBe("drop");
  expect(rangeOf(both, [1, 3])).toBeUndefined();
});
