import { expect, test } from "vitest";
import { groupTitles } from "../../src/options/rungroups";

const titlesOf = (values: Parameters<typeof groupTitles>[0]) => values.map(groupTitles(values));

test("few values are groups of their own, written as in a table", () => {
  expect(titlesOf([1e-5, 0.1 + 0.2, "adam", true, undefined, Number.NaN, 128])).toEqual([
    ...["1e-5", "0.3", "adam", "true", "", "NaN", "128"],
  ]);
  // Values with the same text stay separate.
  expect(new Set(titlesOf([0.12345, 0.123451])).size).toBe(2);
});

test("many numbers are in five ranges of about equally many runs; equal ones are never apart", () => {
  const many = Array.from({ length: 60 }, (_, i) => 1.01 ** i * 1e-5);
  const counts = new Map<string, number>();
  for (const title of titlesOf(many)) {
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  expect([...counts.values()]).toEqual([12, 12, 12, 12, 12]);
  expect([...counts.keys()][0]).toBe("1e-5 – 1.116e-5");
  const most = [...many.slice(0, 11), ...many.map(() => 7)];
  expect(new Set(titlesOf(most))).toEqual(new Set(["1e-5 – 1.105e-5", "7"]));
  expect(titlesOf([...many, undefined, "none"]).slice(-2)).toEqual(["", "none"]);
});
