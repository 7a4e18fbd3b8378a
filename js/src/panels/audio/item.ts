// Clips as items: how they are requested, and what they are saved as.

import type { ItemPlace } from "../../items/kind";
import type { SavedKind } from "../../items/save";
import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import { type Clip, type ClipRow, clips, readClip } from "./codec";

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
    damaged: strings.audio.notUnderstood,
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
    heading: strings.audio.saveHeading,
    nowHint: strings.audio.saveNowHint,
    counted: strings.audio.counted,
    saved: ({ written, missing }) =>
      strings.list([
        ...(written > 0 ? [strings.audio.savedAsWritten(formatCount(written))] : []),
        ...(missing > 0 ? [strings.audio.leftUnsaved(formatCount(missing))] : []),
      ]),
  },
};
