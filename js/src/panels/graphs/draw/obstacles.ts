// What texts beside lines keep clear of: boxes, lines, marks, other texts.

import { lineWidth } from "../layout/thickness";
import { Grid } from "./grid";
import type { Prepared } from "./prepared";
import type { Scene } from "./scene";

/** Lines that are kept clear of, and rectangles that a stretch of one is taken for, so many units of the layout high. */
const MOST_LINES = 5000;
const MOST_STEPS = 24;
const STEP = 10;

export class Obstacles {
  readonly #grid = new Grid();
  /** Rectangles in fours, and the lines that they are parts of; -1 for what is no line. */
  readonly #taken: number[] = [];
  readonly #owners: number[] = [];

  add(owner: number, x: number, y: number, w: number, h: number): void {
    this.#grid.insert(this.#owners.length, x, y, w, h);
    this.#owners.push(owner);
    this.#taken.push(x, y, w, h);
  }

  /** Whether something is there but lines that do not count. */
  isTaken(x: number, y: number, w: number, h: number, ignores: (line: number) => boolean): boolean {
    const taken = this.#taken;
    return this.#grid.some(x, y, x + w, y + h, (at) => {
      const owner = this.#owners[at] as number;
      const [left, top] = [taken[4 * at] as number, taken[4 * at + 1] as number];
      return (
        left < x + w &&
        top < y + h &&
        left + (taken[4 * at + 2] as number) > x &&
        top + (taken[4 * at + 3] as number) > y &&
        (owner < 0 || !ignores(owner))
      );
    });
  }
}

/** The boxes, lines and marks of a scene; `markHeight` in units of the layout. */
export function obstaclesOf({ view, layout, input }: Scene, { lineLevel }: Prepared, markHeight: number): Obstacles {
  const obstacles = new Obstacles();
  for (let box = 0; box < view.count; box++) {
    const h = (view.open[box] === 1 ? layout.title : layout.h)[box] as number;
    obstacles.add(-1, layout.x[box] as number, layout.y[box] as number, layout.w[box] as number, h);
  }
  const { count, start, points } = layout.lines;
  for (let line = 0; line < Math.min(count, MOST_LINES); line++) {
    const thick = lineWidth(lineLevel[line] as number) / 2;
    const [from, to] = [start[line] as number, start[line + 1] as number];
    for (let i = from; i + 1 < to; i++) {
      const [x, y] = [points[2 * i] as number, points[2 * i + 1] as number];
      const [dx, dy] = [(points[2 * i + 2] as number) - x, (points[2 * i + 3] as number) - y];
      const steps = Math.min(MOST_STEPS, Math.ceil(Math.min(Math.abs(dx), Math.abs(dy)) / STEP) || 1);
      let [beforeX, beforeY] = [x, y];
      for (let step = 1; step <= steps; step++) {
        const share = step / steps;
        // A line from box to box is a curve that is upright at both.
        const isCurve = to - from === 2;
        const nextX = x + dx * (isCurve ? share * share * (3 - 2 * share) : share);
        const nextY = y + dy * (isCurve ? 1.5 * share * (1 - share) + share ** 3 : share);
        const [left, top] = [Math.min(beforeX, nextX) - thick, Math.min(beforeY, nextY) - thick];
        const [w, h] = [Math.abs(nextX - beforeX) + 2 * thick, Math.abs(nextY - beforeY) + 2 * thick];
        obstacles.add(line, left, top, w, h);
        [beforeX, beforeY] = [nextX, nextY];
      }
    }
  }
  for (let mark = 0; mark < input.marks.count; mark++) {
    const [x, y, w] = [layout.markX[mark], layout.markY[mark], layout.markW[mark]];
    obstacles.add(-1, x as number, y as number, w as number, markHeight);
  }
  return obstacles;
}
