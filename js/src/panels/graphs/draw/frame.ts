// One picture of a scene: from where it is seen, and with what it is drawn.

import type { Layout } from "../layout/types";
import type { Colors } from "./colors";
import type { Pen } from "./pen";
import type { Prepared } from "./prepared";
import type { Scene } from "./scene";

export interface Frame {
  readonly pen: Pen;
  readonly scene: Scene;
  readonly prepared: Prepared;
  /** Where everything is now: the scene's layout, or on the way to it. */
  readonly places: Layout;
  readonly colors: Colors;
  /** Pixels of the canvas per unit of the layout, and where the layout's origin is. */
  readonly k: number;
  readonly dx: number;
  readonly dy: number;
  /** Pixels of the canvas per CSS pixel, and its size. */
  readonly ratio: number;
  readonly width: number;
  readonly height: number;
  /** The selected box, and the one that the keyboard is on; -1 for none. */
  readonly selected: number;
  readonly focused: number;
  /** Without texts, marks and outlines, as on a map. */
  readonly isMap: boolean;
  /** What is written above auxiliary areas. */
  readonly auxiliary: string;
}

/** Pixels of the canvas around it in which shadows, arrows and outlines of what is beside it reach into it. */
export const BEYOND = 12;

/** Whether something may be in sight, by its place in the layout. */
export function inSight({ k, dx, dy, width, height }: Frame, x: number, y: number, w: number, h: number): boolean {
  const [left, top] = [x * k + dx, y * k + dy];
  return left <= width + BEYOND && top <= height + BEYOND && left + w * k >= -BEYOND && top + h * k >= -BEYOND;
}

/** Where a box is, in pixels of the canvas. */
export function rectOnCanvas({ places, k, dx, dy }: Frame, box: number): readonly [number, number, number, number] {
  const [x, y] = [(places.x[box] as number) * k + dx, (places.y[box] as number) * k + dy];
  return [x, y, (places.w[box] as number) * k, (places.h[box] as number) * k];
}
