import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Moving } from "../../src/charts/moving";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Frames that take `cost` milliseconds, the fewer pixels the shorter. */
function slow(cost: number, ratio = 2) {
  const drawn: number[] = [];
  const moving = new Moving(() => draw());
  const draw = () =>
    moving.draw(ratio, (coarseness) => {
      drawn.push(coarseness);
      vi.advanceTimersByTime(cost / coarseness ** 2);
    });
  return {
    drawn,
    move: () => {
      moving.moved();
      draw();
    },
    draw,
    moving,
  };
}

test("a slow drawing is coarse while it moves, and sharp once it rests", () => {
  const { drawn, draw, move } = slow(60);
  draw();
  move();
  move();
  expect(drawn).toEqual([1, 2, 2]);
  vi.advanceTimersByTime(1000);
  expect(drawn).toEqual([1, 2, 2, 1]);
  move();
  expect(drawn.at(-1)).toBe(2);
});

test("a very slow one is coarser, a fast one always sharp", () => {
  const very = slow(140);
  very.draw();
  very.move();
  expect(very.drawn).toEqual([1, 4]);
  very.moving.stop();
  const large = slow(140, 1);
  large.draw();
  large.move();
  expect(large.drawn).toEqual([1, 2]);
  large.moving.stop();
  const fast = slow(10);
  fast.draw();
  fast.move();
  vi.advanceTimersByTime(1000);
  expect(fast.drawn).toEqual([1, 1]);
});

test("nothing is drawn after its end", () => {
  const { drawn, draw, move, moving } = slow(60);
  draw();
  move();
  moving.stop();
  vi.advanceTimersByTime(1000);
  expect(drawn).toEqual([1, 2]);
});
