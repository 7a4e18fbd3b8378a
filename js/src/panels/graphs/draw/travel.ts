// What is in sight over time: the camera on its way to a place, and the boxes on their way to a new layout.

import type { Layout } from "../layout/types";
import { between, type Camera } from "./camera";
import { boundsOf } from "./lines";
import type { Motion } from "./motion";

/** Milliseconds of a way. */
export const DURATION = 220;

export interface Sight {
  readonly camera: Camera;
  readonly places: Layout;
  /** Of the lines at these places. */
  readonly bounds: Float32Array;
  readonly isMoving: boolean;
}

export class Travel {
  #from: Camera;
  #to: Camera;
  #began = -Infinity;
  #motion: Motion | null = null;
  #layout: Layout;
  #bounds: Float32Array;
  readonly #reduced: () => boolean;

  /** `reduced` says whether the user wants no motion. */
  constructor(layout: Layout, camera: Camera, reduced: () => boolean) {
    [this.#layout, this.#from, this.#to] = [layout, camera, camera];
    this.#bounds = boundsOf(layout.lines);
    this.#reduced = reduced;
  }

  /** Where the camera is or will be. */
  get camera(): Camera {
    return this.#to;
  }

  /** Of the lines where they will be. */
  get bounds(): Float32Array {
    return this.#bounds;
  }

  /** The camera is there at once. */
  jump(camera: Camera): void {
    [this.#from, this.#to] = [camera, camera];
  }

  /** The camera goes there. */
  go(camera: Camera, now: number): void {
    this.#from = this.cameraAt(now);
    this.#to = camera;
    this.#start(now);
  }

  /** The boxes go to another layout, while the camera goes to a place. */
  change(layout: Layout, camera: Camera, motion: Motion | null, now: number): void {
    const from = this.cameraAt(now);
    [this.#layout, this.#bounds] = [layout, boundsOf(layout.lines)];
    [this.#from, this.#to, this.#motion] = [motion === null ? camera : from, camera, motion];
    this.#start(now);
  }

  #start(now: number): void {
    this.#began = now;
    if (this.#reduced()) {
      [this.#from, this.#motion] = [this.#to, null];
    }
  }

  /** The share of the way, which is slower towards its end; 1 once all is there. */
  #share(now: number): number {
    const share = Math.min(1, (now - this.#began) / DURATION);
    if (share >= 1) {
      [this.#from, this.#motion] = [this.#to, null];
    }
    return 1 - (1 - share) ** 3;
  }

  cameraAt(now: number): Camera {
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
    return { camera, places, bounds: boundsOf(places.lines), isMoving };
  }
}
