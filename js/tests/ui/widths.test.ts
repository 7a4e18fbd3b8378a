import { expect, test } from "vitest";
import { listsRuns, widthClassOf } from "../../src/ui/widths";

test("several runs are listed, unless the dashboard is narrow", () => {
  expect([400, 600, 1200].map((width) => listsRuns(["a", "b"], widthClassOf(width)))).toEqual([false, true, true]);
});

test("one run is listed where there is room, so that nothing moves when the second comes", () => {
  expect([400, 600, 1200].map((width) => listsRuns(["train"], widthClassOf(width)))).toEqual([false, false, true]);
  expect(listsRuns([], "wide")).toBe(false);
});

test("the directory itself is not listed alone", () => {
  expect(listsRuns(["."], "wide")).toBe(false);
  expect(listsRuns([".", "eval"], "wide")).toBe(true);
});
