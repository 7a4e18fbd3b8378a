import { expect, test } from "vitest";
import { listsRuns, roomIn } from "../../src/dashboard/room";

test("several runs are listed, unless the dashboard is narrow", () => {
  expect([400, 600, 1200].map((width) => listsRuns(["a", "b"], roomIn(width)))).toEqual([false, true, true]);
});

test("one run is listed where there is room, so that nothing moves when the second comes", () => {
  expect([400, 600, 1200].map((width) => listsRuns(["train"], roomIn(width)))).toEqual([false, false, true]);
  expect(listsRuns([], "roomy")).toBe(false);
});

test("the directory itself is not listed alone", () => {
  expect(listsRuns(["."], "roomy")).toBe(false);
  expect(listsRuns([".", "eval"], "roomy")).toBe(true);
});
