// Clips as items: how they are requested, and what they are saved as.

import type { ItemPlace } from "../../items/kind";
import type { SavedKind } from "../../items/save";
import { formatCount } from "../../lib/format";
import { listOf } from "../../lib/texts";
import { type Clip, type ClipRow, clips, readClip } from "./codec";
import { audioTexts } from "./texts";

export type ClipPlace = ItemPlace<ClipRow>;

const EXTENSIONS: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/mpeg": "mp3",
};

/** How files begin, in Latin letters. */
const BEGINNINGS = [
  ["RIFF", "wav"],
  ["OggS", "ogg"],
  ["fLaC", "flac"],
  ["ID3", "mp3"],
] as const;

/** The extension of a file; where its type is not known, its bytes tell. */
function extensionOf(bytes: Uint8Array, type: string): string {
  const begin = String.fromCharCode(...bytes.subarray(0, 4));
  return EXTENSIONS[type] ?? BEGINNINGS.find(([letters]) => begin.startsWith(letters))?.[1] ?? "bin";
}

export const clipItems: SavedKind<ClipRow, Clip> = {
  codec: clips,
  baseSize: 1,
  read: (blob) => {
    const clip = readClip(blob);
    return { value: clip, problem: clip.problem, whole: clip.whole };
  },
  request: {
    name: "audio.clip",
    most: 1,
    patienceMs: 800,
    get damaged() {
      return audioTexts().notUnderstood;
    },
    args: ([wanted], _size, written) => {
      const { run, tag, row } = wanted as ClipPlace;
      return { run, tag, step: row.step.toString(), sample: row.sample, wall: row.wall, written };
    },
  },
  files: {
    written: ({ whole, written, problem, data, type }) =>
      whole && written && problem === null ? { bytes: data, written, extension: extensionOf(data, type) } : null,
    shown: () => null,
    answered: (bytes) => ({ bytes, written: true, extension: extensionOf(bytes, "") }),
    get heading() {
      return audioTexts().saveHeading;
    },
    get nowHint() {
      return audioTexts().saveNowHint;
    },
    counted: (count, n) => audioTexts().counted(count, n),
    saved: ({ written, missing }) =>
      listOf([
        ...(written > 0 ? [audioTexts().savedAsWritten(formatCount(written))] : []),
        ...(missing > 0 ? [audioTexts().leftUnsaved(formatCount(missing))] : []),
      ]),
  },
};
