import { expect, test } from "vitest";
import { problemsName } from "../../src/dashboard/problems";

test.each([
  [1, 0, "1 problem"],
  [3, 0, "3 problems"],
  [0, 2, "2 series left out"],
  [3, 2, "3 problems, 2 series left out"],
])("%d problems and %d series left out", (count, leftOut, name) => {
  expect(problemsName(count, leftOut)).toBe(name);
});
