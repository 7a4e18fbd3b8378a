// Meshes as items: how they are requested, and what they are saved as.

import { type ItemFile, type ItemPlace, unreadable } from "../../items/kind";
import type { SavedKind } from "../../items/save";
import { formatCount } from "../../lib/format";
import { listOf } from "../../lib/texts";
import { type Batch, type MeshRow, meshes, readBatch, type Sample } from "./codec";
import { plyOf } from "./ply";
import { meshTexts } from "./texts";

export type MeshPlace = ItemPlace<MeshRow>;

/** Return sentences about the parts of a batch that are not drawn. */
export function remarksOf({ notes, leftOut }: Batch): string[] {
  return leftOut.length === 0 ? [...notes] : [...notes, meshTexts().leftOut(listOf(leftOut))];
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
