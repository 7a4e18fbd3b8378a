// Meshes as items: how they are requested, and what they are saved as.

import { type ItemFile, type ItemPlace, unreadable } from "../../items/kind";
import type { SavedKind } from "../../items/save";
import { formatCount } from "../../lib/format";
import { listOf } from "../../lib/texts";
import { type Batch, type MeshRow, meshes, readBatch, type Sample } from "./codec";
import { meshTexts } from "./texts";

export type MeshPlace = ItemPlace<MeshRow>;

/** Return sentences about the parts of a batch that are not drawn. */
export function remarksOf({ notes, leftOut, moreLeftOut }: Batch): string[] {
  const named = moreLeftOut === 0 ? leftOut : [...leftOut, meshTexts().more(formatCount(moreLeftOut))];
  return named.length === 0 ? [...notes] : [...notes, meshTexts().leftOut(listOf(named))];
}

/** The counts of a mesh, or of a point cloud. */
export function sizeOf({ vertices, faces, triangles }: Sample): string {
  return meshTexts().size(vertices, formatCount(vertices), triangles && formatCount(faces));
}

function fileOf({ samples }: Batch): ItemFile | null {
  return samples.length === 0 ? null : { bytes: plyOf(samples), written: false, extension: "ply" };
}

export const meshItems: SavedKind<MeshRow, Batch> = {
  codec: meshes,
  baseSize: 1,
  read: (blob) => {
    const found = readBatch(blob);
    return typeof found === "string"
      ? unreadable(() => meshTexts().damaged)
      : { value: found, problem: null, whole: true };
  },
  request: {
    name: "meshes.mesh",
    most: 1,
    patienceMs: 800,
    get damaged() {
      return meshTexts().damaged;
    },
    args: ([wanted]) => {
      const { run, tag, row } = wanted as MeshPlace;
      return { run, tag, step: row.step.toString(), wall: Number.isFinite(row.wall) ? row.wall : 0 };
    },
  },
  samplesIn: ({ samples }) => samples.length,
  files: {
    // All values that the page draws are in the file.
    written: fileOf,
    shown: fileOf,
    answered: (blob) => {
      const found = readBatch(blob);
      const file = typeof found === "string" ? null : fileOf(found);
      if (file === null) {
        throw new Error(meshTexts().damaged);
      }
      return file;
    },
    get heading() {
      return meshTexts().saveHeading;
    },
    get names() {
      return [meshTexts().asPly, meshTexts().asPlyZip] as const;
    },
    get nowHint() {
      return meshTexts().saveNowHint;
    },
    counted: (count, n) => meshTexts().counted(count, n),
    saved: ({ shown, missing }) =>
      listOf([
        ...(shown > 0 ? [meshTexts().savedAsPly(formatCount(shown))] : []),
        ...(missing > 0 ? [meshTexts().leftUnsaved(formatCount(missing))] : []),
      ]),
  },
};

// The file that meshes are saved as: PLY in binary, which 3-D software reads. The meshes of a batch follow one another in it.

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
