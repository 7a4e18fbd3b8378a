import { expect, test } from "vitest";
import { byPath, problemsName } from "../../src/dashboard/problems";

test.each([
  [1, 0, "1 problem"],
  [3, 0, "3 problems"],
  [0, 2, "2 series left out"],
  [3, 2, "3 problems, 2 series left out"],
])("%d problems and %d series left out", (count, leftOut, name) => {
  expect(problemsName(count, leftOut)).toBe(name);
});

test("problems stand below their file, which is named once", () => {
  const of = (path: string, offset: string) => ({ path, offset, message: "damaged record" });
  const problems = [of("a/events", "3"), of("b/events", "1"), of("a/events", "7")];
  expect([...byPath(problems)]).toEqual([
    ["a/events", [problems[0], problems[2]]],
    ["b/events", [problems[1]]],
  ]);
});
