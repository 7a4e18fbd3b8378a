// The transition from one layout to another: boxes move from their old places to their new ones, new boxes come out of the box
// around them, and routes follow the boxes at their ends.

import type { PlaneCamera } from "../../../charts/planecamera";
import type { Layout } from "../layout/types";
import { between } from "./camera";
import { boundsOf } from "./routes";
import type { Scene } from "./scene";

interface Rects {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly w: Float32Array;
  readonly h: Float32Array;
}

export interface Motion {
  /** The layout at a share of the transition, from 0 to 1. The arrays are the same at each call. */
  at(share: number): Layout;
}

/** `before` is how the old scene is drawn now, `oldBoxOf` where its boxes are found by path. */
export function motion(before: Layout, oldBoxOf: ReadonlyMap<string, number>, scene: Scene): Motion {
  const { layout, view, input } = scene;
  const old = oldPlaces(before, oldBoxOf, scene);
  const now = {
    x: new Float32Array(view.count),
    y: new Float32Array(view.count),
    w: new Float32Array(view.count),
    h: new Float32Array(view.count),
  };
  const { routes } = layout;
  const points = new Float32Array(routes.points.length);
  const title = new Float32Array(view.count);
  const auxiliary = layout.auxiliary.slice();
  const marks = { markX: new Float32Array(layout.markX.length), markY: new Float32Array(layout.markY.length) };
  const moved: Layout = { ...layout, ...now, ...marks, title, auxiliary, routes: { ...routes, points } };
  return {
    at: (share) => {
      for (const side of ["x", "y", "w", "h"] as const) {
        const [from, to, at] = [old[side], layout[side], now[side]];
        for (let box = 0; box < at.length; box++) {
          at[box] = (from[box] as number) + ((to[box] as number) - (from[box] as number)) * share;
        }
      }
      for (let box = 0; box < view.count; box++) {
        title[box] = Math.min(layout.title[box] as number, now.h[box] as number);
      }
      for (let box = 0; box < view.count; box++) {
        const [left = 0, top = 0, width = 0, height = 0] = layout.auxiliary.subarray(4 * box, 4 * box + 4);
        if (width > 0) {
          const [dx, dy] = shift(layout, now, box, left, top);
          const [wider, higher] = shift(layout, now, box, left + width, top + height);
          auxiliary.set([left + dx, top + dy, width + wider - dx, height + higher - dy], 4 * box);
        }
      }
      for (let mark = 0; mark < marks.markX.length; mark++) {
        const [x, y] = [layout.markX[mark] as number, layout.markY[mark] as number];
        const [dx, dy] = shift(layout, now, input.marks.box[mark] as number, x, y);
        marks.markX[mark] = x + dx;
        marks.markY[mark] = y + dy;
      }
      for (let route = 0; route < routes.count; route++) {
        const [from, to] = [routes.start[route] as number, routes.start[route + 1] as number];
        const [source, target] = [routes.source[route] as number, routes.target[route] as number];
        for (let i = from; i < to; i++) {
          const [x, y] = [routes.points[2 * i] as number, routes.points[2 * i + 1] as number];
          const [ax, ay] = shift(layout, now, source, x, y);
          const [bx, by] = shift(layout, now, target, x, y);
          const along = to - from > 1 ? (i - from) / (to - from - 1) : 0;
          points[2 * i] = x + ax + (bx - ax) * along;
          points[2 * i + 1] = y + ay + (by - ay) * along;
        }
      }
      return moved;
    },
  };
}

/** Where each box of the scene comes from: its old place, else the middle of where the box around it comes from. */
function oldPlaces(before: Layout, oldBoxOf: ReadonlyMap<string, number>, { view, layout }: Scene): Rects {
  const { count, path, parent } = view;
  const from = { x: layout.x.slice(), y: layout.y.slice(), w: layout.w.slice(), h: layout.h.slice() };
  for (let box = 0; box < count; box++) {
    const old = oldBoxOf.get(path[box] as string);
    const around = parent[box] as number;
    if (old !== undefined) {
      for (const side of ["x", "y", "w", "h"] as const) {
        from[side][box] = before[side][old] as number;
      }
    } else if (around >= 0) {
      // At the same share of the box around it, and as much smaller as that one is.
      for (const [at, length] of [
        ["x", "w"],
        ["y", "h"],
      ] as const) {
        const scale = (from[length][around] as number) / ((layout[length][around] as number) || 1);
        const offset = (layout[at][box] as number) - (layout[at][around] as number);
        from[at][box] = (from[at][around] as number) + offset * scale;
        from[length][box] = (layout[length][box] as number) * scale;
      }
    }
  }
  return from;
}

/** How far a place goes with a box that it is in or beside. */
function shift(layout: Layout, now: Rects, box: number, x: number, y: number): readonly [number, number] {
  if (!(box >= 0 && box < now.x.length)) {
    return [0, 0];
  }
  return [along(layout.x, layout.w, now.x, now.w, box, x), along(layout.y, layout.h, now.y, now.h, box, y)];
}

function along(
  from: Float32Array,
  length: Float32Array,
  to: Float32Array,
  grown: Float32Array,
  box: number,
  at: number,
) {
  const [origin, size] = [from[box] as number, length[box] as number];
  // What is beside the box goes along with its side.
  const share = size > 0 ? Math.min(1, Math.max(0, (at - origin) / size)) : 0;
  return (to[box] as number) + share * (grown[box] as number) - (origin + share * size);
}

// What is in sight over time: the camera on its way to a place, and the boxes on their way to a new layout.

/** Length of a transition in milliseconds. */
export const TRANSITION_MS = 220;

export interface Sight {
  readonly camera: PlaneCamera;
  readonly places: Layout;
  /** Bounds of the routes at these places. */
  readonly bounds: Float32Array;
  readonly isMoving: boolean;
}

export class Travel {
  #from: PlaneCamera;
  #to: PlaneCamera;
  #began = -Infinity;
  #motion: Motion | null = null;
  #layout: Layout;
  #bounds: Float32Array;
  readonly #reduced: () => boolean;

  /** `reduced` says whether the user wants no motion. */
  constructor(layout: Layout, camera: PlaneCamera, reduced: () => boolean) {
    [this.#layout, this.#from, this.#to] = [layout, camera, camera];
    this.#bounds = boundsOf(layout.routes);
    this.#reduced = reduced;
  }

  /** Where the camera is or will be. */
  get camera(): PlaneCamera {
    return this.#to;
  }

  /** Bounds of the routes after the transition. */
  get bounds(): Float32Array {
    return this.#bounds;
  }

  /** The camera jumps. */
  jump(camera: PlaneCamera): void {
    [this.#from, this.#to] = [camera, camera];
  }

  /** The camera goes there. */
  go(camera: PlaneCamera, now: number): void {
    this.#from = this.cameraAt(now);
    this.#to = camera;
    this.#start(now);
  }

  /** The boxes go to another layout, while the camera goes to a place. */
  change(layout: Layout, camera: PlaneCamera, motion: Motion | null, now: number): void {
    const from = this.cameraAt(now);
    [this.#layout, this.#bounds] = [layout, boundsOf(layout.routes)];
    [this.#from, this.#to, this.#motion] = [motion === null ? camera : from, camera, motion];
    this.#start(now);
  }

  #start(now: number): void {
    this.#began = now;
    if (this.#reduced()) {
      [this.#from, this.#motion] = [this.#to, null];
    }
  }

  /** The eased share of the transition; 1 once it has ended. */
  #share(now: number): number {
    const share = Math.min(1, (now - this.#began) / TRANSITION_MS);
    if (share >= 1) {
      [this.#from, this.#motion] = [this.#to, null];
    }
    return 1 - (1 - share) ** 3;
  }

  cameraAt(now: number): PlaneCamera {
    const share = this.#share(now);
    return share < 1 ? between(this.#from, this.#to, share) : this.#to;
  }

  isMovingAt(now: number): boolean {
    return this.#share(now) < 1 && (this.#motion !== null || this.#from !== this.#to);
  }

  at(now: number): Sight {
    const [camera, isMoving] = [this.cameraAt(now), this.isMovingAt(now)];
    if (this.#motion === null) {
      return { camera, places: this.#layout, bounds: this.#bounds, isMoving };
    }
    // Of many boxes this takes long.
    const places = this.#motion.at(this.#share(now));
    return { camera, places, bounds: boundsOf(places.routes), isMoving };
  }
}
