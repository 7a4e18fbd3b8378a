import { expect, test } from "vitest";
import { layOut } from "../../../src/panels/graphs/layout/layout";
import { thicknessOf } from "../../../src/panels/graphs/layout/types";
import { made } from "./inputs";
import { boxOf } from "./measure";

/** The x of the middle of a box. */
function middleOf(layout: ReturnType<typeof layOut>, box: number): number {
  const [left, , right] = boxOf(layout, box);
  return (left + right) / 2;
}

test("a lattice is a rhombus", () => {
  const side = 12;
  const at = (row: number, column: number) => row * side + column;
  const pairs: [number, number][] = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      if (row + 1 < side) {
        pairs.push([at(row, column), at(row + 1, column)]);
      }
      if (column + 1 < side) {
        pairs.push([at(row, column), at(row, column + 1)]);
      }
    }
  }
  const layout = layOut(made(side * side, pairs));
  const middle = middleOf(layout, at(0, 0));
  for (let i = 0; i < side; i++) {
    expect(Math.abs(middleOf(layout, at(i, i)) - middle)).toBeLessThan(40);
    const [one, other] = [middleOf(layout, at(i, 0)) - middle, middleOf(layout, at(0, i)) - middle];
    // The middle of the rank, within half of a box.
    expect(Math.abs(one + other) / 2).toBeLessThan(30);
    expect(Math.abs(one)).toBeGreaterThanOrEqual(15 * i);
  }
});

test("the one of two paths with more boxes is straight", () => {
  // One box, with six in a column beside it.
  const straight = Array.from({ length: 6 }, (_, i) => [i, i + 1] as const);
  const layout = layOut(made(10, [...straight, [6, 9], [0, 7], [7, 8], [8, 9]]));
  for (let i = 0; i <= 6; i++) {
    expect(middleOf(layout, i)).toBeCloseTo(middleOf(layout, 9), 0);
  }
});

test("a box has room for the thick routes that meet it", () => {
  const input = made(
    5,
    Array.from({ length: 4 }, (_, i) => [i, 4] as const),
  );
  const thick = layOut({ ...input, size: input.size.map(() => 1e9) });
  expect(Math.min(...thick.routes.room)).toBeGreaterThan(thicknessOf(1e9));
  expect(thick.w[4]).toBeGreaterThan(layOut({ ...input, size: input.size.map(() => 1) }).w[4] as number);
});

test("the component with most nodes is at the upper left of the others", () => {
  const input = made(6, [
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  const { x, y } = layOut({ ...input, nodes: Int32Array.of(1, 1, 900, 1, 20, 1) });
  const lefts = [0, 2, 4].map((box) => x[box] as number);
  expect(lefts[1]).toBe(Math.min(...lefts));
  expect(y[3]).toBe(Math.min(...y));
  expect(lefts[2]).toBeLessThanOrEqual(lefts[0] as number);
});
