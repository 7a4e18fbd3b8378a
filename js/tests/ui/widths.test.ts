import { expect, test } from "vitest";
import { listsRuns, widthClassOf } from "../../src/ui/widths";

test("several runs are listed, unless the dashboard is narrow", () => {
  expect([400, 600, 1200].map((width) => listsRuns(["a", "b"], widthClassOf(width)))).toEqual([false, true, true]);
});

test("a single run costs no column", () => {
  expect([400, 600, 1200].map((width) => listsRuns(["train"], widthClassOf(width)))).toEqual([false, false, false]);
  expect(listsRuns([], "wide", true)).toBe(false);
  expect(listsRuns(["train"], "medium", true)).toBe(true);
});
