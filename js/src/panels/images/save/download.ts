// Saves images, and says which of them are as they were written.

import { fileName } from "../../../lib/itemnames";
import { saveFiles } from "../../../ui/save/files";
import type { ImageRow } from "../kind/codec";
import { extensionOf } from "./extension";
import type { Candidate, File } from "./gather";

/** What was saved, and how. */
export interface Saved {
  readonly written: number;
  /** As shown here: scaled down or converted. */
  readonly shown: number;
  readonly missing: number;
  /** Drawings are among them, which a browser that opens them shows as pages. */
  readonly drawings: boolean;
}

/** The name of an image's file. */
export function nameOf({ place }: Candidate, file: File, rows: readonly ImageRow[]): string {
  const { run, tag, row } = place;
  const sample = rows.some((other) => other.sample > 0) ? row.sample : null;
  return fileName({ run, tag, step: row.step, sample }, extensionOf(file.format, file.type));
}

/** Saves what there is. `rows`: of the tag and run of each image. */
export async function save(
  candidates: readonly Candidate[],
  files: readonly (File | null)[],
  rowsOf: (candidate: Candidate) => readonly ImageRow[],
  zipName: string,
): Promise<Saved> {
  const found = candidates.flatMap((candidate, i) => {
    const file = files[i] ?? null;
    return file === null ? [] : [{ name: nameOf(candidate, file, rowsOf(candidate)), candidate, file }];
  });
  const named = found.map(({ name, candidate, file }) => ({ name, bytes: file.bytes, wall: candidate.place.row.wall }));
  await saveFiles(named, candidates.length === 1 ? null : zipName);
  const written = found.filter(({ file }) => file.written).length;
  const drawings = found.some(({ file }) => file.type === "image/svg+xml");
  return { written, shown: found.length - written, missing: candidates.length - found.length, drawings };
}
