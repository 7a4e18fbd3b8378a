// From where the meshes of a tag are seen: one camera for all of them, or one each.

import { type Signal, signal } from "@preact/signals";
import {
  type Bounds,
  boundsOf,
  fitTo,
  type Orbit,
  type View as Pixels,
  rotate,
  UPRIGHT,
  type Vector,
} from "../../charts/orbit";
import { KeyedSignals } from "../../ui/keyed";
import type { View } from "../../ui/view";
import type { Sample, Scene } from "./codec";

/** Degrees, where the scene does not say; and radians from the front, to the right and from above. */
const FOV = 40;
const [YAW, PITCH] = [-0.6, 0.4];

export interface Cameras {
  /** Null: as the scene says, or fitted. */
  readonly camera: Signal<Orbit | null>;
  /** Of all meshes that were seen: another step does not move the camera. */
  readonly bounds: Signal<Bounds | null>;
}

const ofViews = new WeakMap<View, KeyedSignals<Cameras | null>>();
const ofSamples = new WeakMap<Sample, Bounds | null>();

/** The camera of a mesh; of all meshes of a tag where `cell` is empty. */
export function camerasOf(view: View, tag: string, cell: string): Cameras {
  const known = ofViews.get(view) ?? new KeyedSignals<Cameras | null>(null);
  ofViews.set(view, known);
  const own = known.of(tag, cell);
  own.value = own.peek() ?? { camera: signal(null), bounds: signal(null) };
  return own.peek() as Cameras;
}

/** Counts a mesh among those that are seen. */
export function include({ bounds }: Cameras, sample: Sample): void {
  let added = ofSamples.get(sample);
  if (added === undefined) {
    added = boundsOf(sample.planes);
    ofSamples.set(sample, added);
  }
  const before = bounds.peek();
  if (added === null) {
    return;
  }
  const end = (side: 0 | 1, choose: (a: number, b: number) => number) =>
    added[side].map((value, axis) => choose(value, (before ?? added)[side][axis] as number)) as unknown as Vector;
  const next: Bounds = [end(0, Math.min), end(1, Math.max)];
  if (JSON.stringify(next) !== JSON.stringify(before)) {
    bounds.value = next;
  }
}

/** The camera of a mesh in so many pixels; null where there is nothing to see. */
export function cameraNow({ camera, bounds }: Cameras, scene: Scene, pixels: Pixels): Orbit | null {
  return camera.value ?? (bounds.value && initial(scene, bounds.value, pixels));
}

/** The camera that shows all bounds from the side that the scene says. */
function initial({ fov = FOV, position, look_at }: Scene, bounds: Bounds, pixels: Pixels): Orbit {
  const eye = fov > 0 ? 1 / (2 * Math.tan((fov * Math.PI) / 360)) : null;
  const [tx, ty, tz] = (look_at ?? [0, 0, 0]) as Vector;
  const [dx, dy, dz] =
    position === undefined ? [0, 0, 0] : [at(position, 0) - tx, at(position, 1) - ty, at(position, 2) - tz];
  const distance = Math.hypot(dx, dy, dz);
  const [yaw, pitch] = distance > 0 ? [-Math.atan2(dx, dz), Math.atan2(dy, Math.hypot(dx, dz))] : [YAW, PITCH];
  const turned = rotate({ rotation: UPRIGHT, center: [tx, ty, tz], scale: 1, eye }, yaw, pitch, true);
  return distance > 0 && eye !== null ? { ...turned, scale: eye / distance } : fitTo(turned, bounds, pixels);
}

function at(point: readonly number[], axis: number): number {
  return point[axis] ?? 0;
}
