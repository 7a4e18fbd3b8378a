// A camera that orbits around points in three dimensions. Plain data: a camera is never changed, only replaced. It does not
// depend on the size of the view, so that views of several sizes can share one.
//
// A view's x grows to the right and its y upward, and its z towards the viewer, as in most 3-D software. Projected points are
// in pixels, with y downward, and their depth grows away from the viewer.

export type Vector = readonly [number, number, number];

export interface Orbit {
  /** From the data's axes to the view's: a unit quaternion (x, y, z, w). */
  readonly rotation: readonly [number, number, number, number];
  /** The point that is in the middle of the view. */
  readonly center: Vector;
  /** Share of the shorter side of the view that one unit of the data takes. */
  readonly scale: number;
  /** How far the eye is from the center, as a multiple of the shorter side of the view; null: no perspective. */
  readonly eye: number | null;
}

export const UPRIGHT: Orbit["rotation"] = [0, 0, 0, 1];

/** The least and the largest coordinates along the three axes. */
export type Bounds = readonly [least: Vector, largest: Vector];

export interface View {
  readonly width: number;
  readonly height: number;
}

/** Share of the view that fitted data take. */
const FITTED = 0.9;

/** Scales at which doubles have room left. */
const [MIN_SCALE, MAX_SCALE] = [1e-45, 1e45];

/** The bounds of all points with finite coordinates; null without such a point. */
export function boundsOf(planes: readonly Float32Array[]): Bounds | null {
  const least = [Infinity, Infinity, Infinity];
  const largest = [-Infinity, -Infinity, -Infinity];
  const count = planes[0]?.length ?? 0;
  for (let i = 0; i < count; i += 1) {
    if (planes.every((plane) => Number.isFinite(plane[i]))) {
      planes.forEach((plane, axis) => {
        least[axis] = Math.min(least[axis] as number, plane[i] as number);
        largest[axis] = Math.max(largest[axis] as number, plane[i] as number);
      });
    }
  }
  for (let axis = planes.length; axis < 3; axis += 1) {
    [least[axis], largest[axis]] = [0, 0];
  }
  return (least[0] as number) <= (largest[0] as number)
    ? [least as unknown as Vector, largest as unknown as Vector]
    : null;
}

/** The camera with the same rotation that shows a box as large as the view allows. */
export function fitTo(orbit: Pick<Orbit, "rotation" | "eye">, [least, largest]: Bounds, view: View): Orbit {
  const half = [0, 1, 2].map((axis) => ((largest[axis] as number) - (least[axis] as number)) / 2);
  const center = half.map((size, axis) => (least[axis] as number) + size) as unknown as Vector;
  const matrix = matrixOf(orbit.rotation);
  const shorter = Math.min(view.width, view.height);
  let scale = Number.POSITIVE_INFINITY;
  for (let corner = 0; corner < 8; corner += 1) {
    const along = (row: number) =>
      half.reduce(
        (sum, size, axis) => sum + (corner & (1 << axis) ? size : -size) * (matrix[3 * row + axis] as number),
        0,
      );
    // Perspective enlarges the part before the center.
    const nearness = orbit.eye === null ? 0 : Math.max(0, along(2)) / orbit.eye;
    [view.width, view.height].forEach((side, row) => {
      const room = (FITTED * side) / shorter / 2;
      scale = Math.min(scale, room / (Math.abs(along(row)) + room * nearness));
    });
  }
  return { ...orbit, center, scale: scale < Number.POSITIVE_INFINITY ? limited(scale) : 1 };
}

/**
 * Rotates the data by angles, in radians: to the right and downward. An upright camera turns the data around their own
 * y axis, so that this axis never tilts sideways; another one around the view's vertical.
 */
export function rotate(orbit: Orbit, right: number, down: number, isUpright = false): Orbit {
  const yaw = [0, Math.sin(right / 2), 0, Math.cos(right / 2)] as const;
  const pitch = [Math.sin(down / 2), 0, 0, Math.cos(down / 2)] as const;
  const { rotation } = orbit;
  const turned = isUpright ? product(pitch, product(rotation, yaw)) : product(pitch, product(yaw, rotation));
  const length = Math.hypot(...turned);
  return { ...orbit, rotation: turned.map((part) => part / length) as unknown as Orbit["rotation"] };
}

/** Moves the data by pixels, to the right and downward. */
export function pan(orbit: Orbit, view: View, right: number, down: number): Orbit {
  const matrix = matrixOf(orbit.rotation);
  const unit = pixelsPerUnit(orbit, view);
  const center = orbit.center.map((at, axis) => {
    return at - (right * (matrix[axis] as number) - down * (matrix[3 + axis] as number)) / unit;
  });
  return center.every(Number.isFinite) ? { ...orbit, center: center as unknown as Vector } : orbit;
}

/** Enlarges the data by a factor; the point at a pixel, in the plane of the center, stays there. */
export function zoomAt(orbit: Orbit, view: View, factor: number, x: number, y: number): Orbit {
  const scale = limited(orbit.scale * factor);
  const [right, down] = [x - view.width / 2, y - view.height / 2];
  const centered = pan(orbit, view, -right, -down);
  return pan({ ...centered, scale }, view, right, down);
}

/**
 * Writes where each point is seen: all x, then all y, in pixels, then all depths. `planes` are the x, the y and, unless it is 0
 * everywhere, the z of all points. A point that has no finite place, or is behind the eye, has NaN. Lines and triangles stay
 * straight: between projected points, the depth is linear.
 */
export function project(orbit: Orbit, view: View, planes: readonly Float32Array[], out: Float32Array): void {
  const unit = pixelsPerUnit(orbit, view);
  const [a, b, c, d, e, f, g, h, i] = matrixOf(orbit.rotation).map((part) => part * unit) as Matrix;
  const [cx, cy, cz] = orbit.center;
  const [xs, ys, zs] = planes as [Float32Array, Float32Array, Float32Array | undefined];
  const [middle, center, count] = [view.width / 2, view.height / 2, xs.length];
  const eye = orbit.eye === null ? Infinity : orbit.eye * Math.min(view.width, view.height);
  for (let point = 0; point < count; point += 1) {
    const x = (xs[point] as number) - cx;
    const y = (ys[point] as number) - cy;
    const z = (zs === undefined ? 0 : (zs[point] as number)) - cz;
    const away = -(g * x + h * y + i * z);
    let factor = 1;
    if (eye !== Infinity) {
      factor = eye + away > 0 ? eye / (eye + away) : Number.NaN;
    }
    out[point] = middle + (a * x + b * y + c * z) * factor;
    out[count + point] = center - (d * x + e * y + f * z) * factor;
    out[2 * count + point] = away * factor;
  }
}

/** Pixels that one unit of the data takes, in the plane of the center. */
export function pixelsPerUnit({ scale }: Orbit, { width, height }: View): number {
  return scale * Math.min(width, height);
}

/** Rows of the rotation: where the view's x, y and z axes lead in the data. */
type Matrix = [number, number, number, number, number, number, number, number, number];

export function matrixOf([x, y, z, w]: Orbit["rotation"]): Matrix {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ];
}

function product(a: Orbit["rotation"], b: Orbit["rotation"]): Orbit["rotation"] {
  const [[ax, ay, az, aw], [bx, by, bz, bw]] = [a, b];
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function limited(scale: number): number {
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}
