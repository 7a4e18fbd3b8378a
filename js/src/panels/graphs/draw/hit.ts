// Hit testing: finds the element at a point of the layout: a mark, a box, or a route.

import { MARK_HEIGHT } from "../layout/types";
import type { Scene } from "./scene";

export interface Hit {
  /** Numbers; -1 for none. A mark has its box, too. */
  readonly box: number;
  readonly mark: number;
  readonly route: number;
  /** It is within an opened box, on nothing else. */
  readonly isBody: boolean;
}

export const NOTHING: Hit = { box: -1, mark: -1, route: -1, isBody: false };

/** `slack`: how far beside a route it is still pointed at, in units of the layout. */
export function hitAt(scene: Scene, bounds: Float32Array, x: number, y: number, slack: number): Hit {
  const { layout, input, view } = scene;
  const { marks } = input;
  for (let mark = 0; mark < marks.count; mark++) {
    const [left, top] = [layout.markX[mark] as number, layout.markY[mark] as number];
    if (x >= left && y >= top && x <= left + (layout.markW[mark] as number) && y <= top + MARK_HEIGHT) {
      return { box: marks.box[mark] as number, mark, route: -1, isBody: false };
    }
  }
  // Inner boxes come behind outer ones.
  let box = view.count - 1;
  while (box >= 0 && !isInside(scene, box, x, y)) {
    box -= 1;
  }
  if (box >= 0 && (view.open[box] !== 1 || y <= (layout.y[box] as number) + (layout.title[box] as number))) {
    return { ...NOTHING, box };
  }
  const route = routeAt(scene, bounds, x, y, slack);
  return { box, mark: -1, route, isBody: box >= 0 && route < 0 };
}

function isInside({ layout }: Scene, box: number, x: number, y: number): boolean {
  const [left, top] = [layout.x[box] as number, layout.y[box] as number];
  return x >= left && y >= top && x <= left + (layout.w[box] as number) && y <= top + (layout.h[box] as number);
}

/** The nearest route; -1 for none. */
function routeAt({ layout }: Scene, bounds: Float32Array, x: number, y: number, slack: number): number {
  const { count, start, points } = layout.routes;
  let [nearest, least] = [-1, slack];
  for (let route = 0; route < count; route++) {
    const at = 4 * route;
    if (
      x < (bounds[at] as number) - slack ||
      y < (bounds[at + 1] as number) - slack ||
      x > (bounds[at + 2] as number) + slack ||
      y > (bounds[at + 3] as number) + slack
    ) {
      continue;
    }
    for (let i = start[route] as number; i + 1 < (start[route + 1] as number); i++) {
      const distance = distanceTo(points, i, x, y);
      if (distance < least) {
        [nearest, least] = [route, distance];
      }
    }
  }
  return nearest;
}

/** From a place to the segment of a route that begins at its i-th point. */
function distanceTo(points: Float32Array, i: number, x: number, y: number): number {
  const [ax, ay] = [points[2 * i] as number, points[2 * i + 1] as number];
  const [dx, dy] = [(points[2 * i + 2] as number) - ax, (points[2 * i + 3] as number) - ay];
  const length = dx * dx + dy * dy;
  const along = length > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}
