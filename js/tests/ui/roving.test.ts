import { expect, test } from "vitest";
import { cellAfter } from "../../src/ui/roving";

const ROWS = Array<number>(30).fill(3);

test.each([
  ["ArrowDown", [4, 1], [5, 1]],
  ["ArrowUp", [4, 1], [3, 1]],
  ["ArrowRight", [4, 1], [4, 2]],
  ["ArrowLeft", [4, 1], [4, 0]],
  ["PageDown", [4, 1], [14, 1]],
  ["PageUp", [14, 1], [4, 1]],
  ["Home", [4, 1], [0, 1]],
  ["End", [4, 1], [29, 1]],
  ["ArrowUp", [0, 0], [0, 0]],
  ["ArrowDown", [29, 2], [29, 2]],
  ["PageDown", [25, 0], [29, 0]],
  ["ArrowLeft", [3, 0], [3, 0]],
  ["ArrowRight", [3, 2], [3, 2]],
] as const)("%s leads from %j to %j", (key, from, to) => {
  expect(cellAfter(key, from, ROWS)).toEqual(to);
});

test("a shorter row ends sooner", () => {
  expect(cellAfter("ArrowDown", [0, 2], [3, 2])).toEqual([1, 1]);
});

test("Home leads to the row below the titles, and the arrow to the titles", () => {
  expect(cellAfter("Home", [4, 2], [1, ...ROWS], 1)).toEqual([1, 2]);
  expect(cellAfter("ArrowUp", [1, 2], [1, ...ROWS], 1)).toEqual([0, 0]);
});

test("other keys mean nothing", () => {
  expect([" ", "a", "Enter", "Tab", "constructor"].map((key) => cellAfter(key, [0, 0], ROWS))).toEqual(
    Array(5).fill(undefined),
  );
});
