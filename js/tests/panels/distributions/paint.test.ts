import { expect, test } from "vitest";
import { outermost } from "../../../src/panels/distributions/paint";

test("axes show all of few runs, and of many upon one another what is drawn of them", () => {
  expect([1, 2, 3].map(outermost)).toEqual([
    [0, 8],
    [0, 8],
    [0, 8],
  ]);
  expect([4, 50].map(outermost)).toEqual([
    [2, 6],
    [2, 6],
  ]);
});
