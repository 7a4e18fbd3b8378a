// The file that meshes are saved as: PLY in binary, which 3-D software reads. The meshes of a batch follow one another in it.

import type { Sample } from "./codec";

const POINT_BYTES = 12;
const COLOR_BYTES = 3;
const FACE_BYTES = 13;

export function plyOf(samples: readonly Sample[]): Uint8Array<ArrayBuffer> {
  const vertices = samples.reduce((sum, sample) => sum + sample.vertices, 0);
  const faces = samples.reduce((sum, sample) => sum + sample.faces, 0);
  const hasColors = samples.every(({ colors }) => colors !== null);
  const header = new TextEncoder().encode(
    [
      "ply",
      "format binary_little_endian 1.0",
      `element vertex ${vertices}`,
      ...["x", "y", "z"].map((name) => `property float ${name}`),
      ...(hasColors ? ["red", "green", "blue"].map((name) => `property uchar ${name}`) : []),
      `element face ${faces}`,
      "property list uchar uint vertex_indices",
      "end_header\n",
    ].join("\n"),
  );
  const stride = POINT_BYTES + (hasColors ? COLOR_BYTES : 0);
  const bytes = new Uint8Array(header.length + vertices * stride + faces * FACE_BYTES);
  const data = new DataView(bytes.buffer);
  bytes.set(header);
  let at = header.length;
  for (const { vertices: own, planes, colors } of samples) {
    for (let i = 0; i < own; i += 1) {
      planes.forEach((plane, axis) => {
        data.setFloat32(at + 4 * axis, plane[i] as number, true);
      });
      if (hasColors) {
        bytes.set((colors as Uint8Array).subarray(3 * i, 3 * i + 3), at + POINT_BYTES);
      }
      at += stride;
    }
  }
  let first = 0;
  for (const { vertices: own, triangles } of samples) {
    for (let i = 0; triangles !== null && i < triangles.length; i += 3) {
      bytes[at] = 3;
      for (let corner = 0; corner < 3; corner += 1) {
        data.setUint32(at + 1 + 4 * corner, first + (triangles[i + corner] as number), true);
      }
      at += FACE_BYTES;
    }
    first += own;
  }
  return bytes;
}
