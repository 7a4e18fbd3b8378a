import type { Sample } from "../../../src/panels/meshes/codec";

/** A mesh of points and faces. */
export function sampleOf(
  points: readonly (readonly [number, number, number])[],
  faces: readonly (readonly [number, number, number])[] | null,
  colors: readonly (readonly [number, number, number])[] | null = null,
): Sample {
  const plane = (axis: 0 | 1 | 2) => Float32Array.from(points, (point) => point[axis]);
  return {
    vertices: points.length,
    faces: faces?.length ?? 0,
    planes: [plane(0), plane(1), plane(2)],
    triangles: faces && Uint32Array.from(faces.flat()),
    colors: colors && Uint8Array.from(colors.flat()),
  };
}

/** A square in the plane of x and y, of two faces. */
export const SQUARE = sampleOf(
  [
    [-1, -1, 0],
    [1, -1, 0],
    [1, 1, 0],
    [-1, 1, 0],
  ],
  [
    [0, 1, 2],
    [0, 2, 3],
  ],
);
