// From where the meshes of a tag are seen: one camera for all of them, or one each.

import { batch, type Signal, signal } from "@preact/signals";
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

/** The button that fits is offered where the meshes on the page take less than this share of the view. */
const SMALL_SHARE = 0.5;

export interface Cameras {
  /** Null: as the scene says, or fitted. */
  readonly camera: Signal<Orbit | null>;
  /** Bounds of all meshes seen since the camera was fitted, so that another step does not move it. */
  readonly bounds: Signal<Bounds | null>;
  /** The meshes on the page now. */
  readonly drawn: Signal<readonly { readonly bounds: Bounds }[]>;
}

const ofViews = new WeakMap<View, KeyedSignals<Cameras | null>>();
const ofSamples = new WeakMap<Sample, Bounds | null>();

/** The camera of a mesh; of all meshes of a tag where `cell` is empty. */
export function camerasOf(view: View, tag: string, cell: string): Cameras {
  const known = ofViews.get(view) ?? new KeyedSignals<Cameras | null>(null);
  ofViews.set(view, known);
  const own = known.of(tag, cell);
  own.value = own.peek() ?? { camera: signal(null), bounds: signal(null), drawn: signal([]) };
  return own.peek() as Cameras;
}

/** Counts a mesh among those that are seen; it is on the page until what this returns is called. */
export function include({ bounds, drawn }: Cameras, sample: Sample): () => void {
  let added = ofSamples.get(sample);
  if (added === undefined) {
    added = boundsOf(sample.planes);
    ofSamples.set(sample, added);
  }
  if (added === null) {
    return () => {};
  }
  const own = { bounds: added };
  drawn.value = [...drawn.peek(), own];
  const before = bounds.peek();
  const next = before === null ? added : around(before, added);
  if (JSON.stringify(next) !== JSON.stringify(before)) {
    bounds.value = next;
  }
  return () => {
    drawn.value = drawn.peek().filter((one) => one !== own);
  };
}

/** Sets the camera; null fits it to the meshes on the page. */
export function look({ camera, bounds, drawn }: Cameras, next: Orbit | null): void {
  batch(() => {
    camera.value = next;
    if (next === null) {
      bounds.value = boundsNow(drawn.peek());
    }
  });
}

/** Whether to offer to fit: the user has moved the camera, or meshes that are no longer on the page make the others small. */
export function canFit({ camera, bounds, drawn }: Cameras): boolean {
  const now = boundsNow(drawn.value);
  const all = bounds.value;
  return camera.value !== null || (now !== null && all !== null && extentOf(now) < SMALL_SHARE * extentOf(all));
}

function boundsNow(drawn: Cameras["drawn"]["value"]): Bounds | null {
  return drawn.reduce<Bounds | null>((all, { bounds }) => (all === null ? bounds : around(all, bounds)), null);
}

/** The bounds around two others. */
function around(one: Bounds, other: Bounds): Bounds {
  const end = (side: 0 | 1, choose: (a: number, b: number) => number) =>
    one[side].map((value, axis) => choose(value, other[side][axis] as number)) as unknown as Vector;
  return [end(0, Math.min), end(1, Math.max)];
}

/** The longest side of bounds. */
function extentOf([least, largest]: Bounds): number {
  return Math.max(...least.map((value, axis) => (largest[axis] as number) - value));
}

/** The camera of a mesh on a stage of `pixels`; null for an empty mesh. */
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
