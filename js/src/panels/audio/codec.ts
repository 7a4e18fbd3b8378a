// Clips as they travel: an index of steps and samples, and a header with bytes behind each row. Twin of tbwidget/panels/audio.py.

import type { ItemPlace } from "../../items/kind";
import type { SavedKind } from "../../items/save";
import { formatCount } from "../../lib/format";
import { listOf } from "../../lib/texts";
import type { ItemRow, ItemsCodec } from "../../wire/codec";
import { isRow } from "../../wire/columns";
import type { TagItems } from "../../wire/items";
import { reasonIn, reasonsIn } from "../../wire/reasons";
import { numbersOf } from "../../wire/steps";
import { audioTexts } from "./texts";

export interface ClipRow extends ItemRow {
  /** Its place among the clips of its value. */
  readonly sample: number;
}

export type TagClips = TagItems<ClipRow>;

export const clips: ItemsCodec<ClipRow> = {
  sort: "items",
  kind: "audio",
  decodeRows: ({ sample }, columns, common) => {
    const samples = columns.steps(sample as number);
    return common.map((row, i) => ({ ...row, sample: Number(samples[i]) }));
  },
  encodeRows: (rows, columns) => ({ sample: columns.add(numbersOf(rows, ({ sample }) => sample)) }),
};

export interface Clip {
  /** MIME type. */
  readonly type: string;
  /** Frames a second, as written; a frame has a sample of each channel. */
  readonly rate: number | null;
  readonly channels: number | null;
  readonly frames: number | null;
  /** The label written with it; empty for none. */
  readonly label: string;
  /** Bytes as written. */
  readonly size: number;
  /** All of it is here; else the rest is requested. */
  readonly whole: boolean;
  /** `data` are the bytes that were written. */
  readonly written: boolean;
  /** Conversion that made it playable, or the missing part. */
  readonly notes: readonly string[];
  /** Why it cannot be played. */
  readonly problem: string | null;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The clip in a blob; one with a problem where that makes no sense. */
export function readClip(blob: Uint8Array): Clip {
  try {
    return read(blob);
  } catch {
    return unreadable(blob.length);
  }
}

function read(blob: Uint8Array): Clip {
  const length = new DataView(blob.buffer, blob.byteOffset, blob.length).getUint32(0, true);
  const header: unknown = JSON.parse(new TextDecoder().decode(blob.subarray(4, 4 + length)));
  const { type, rate, channels, frames, label, size, whole, written, notes, problem } = header as Record<
    string,
    unknown
  >;
  return {
    type: /^audio\/[a-z0-9.+-]+$/.test(String(type)) ? String(type) : "",
    rate: positive(rate),
    channels: positive(channels),
    frames: positive(frames),
    label: typeof label === "string" ? label : "",
    size: positive(size) ?? 0,
    whole: whole === true,
    written: written === true,
    get notes() {
      return reasonsIn(notes);
    },
    get problem() {
      return isRow(problem) ? reasonIn(problem) : null;
    },
    data: blob.subarray(4 + length) as Uint8Array<ArrayBuffer>,
  };
}

function unreadable(size: number): Clip {
  const unknown = { type: "", rate: null, channels: null, frames: null, label: "", notes: [] };
  return {
    ...unknown,
    size,
    whole: true,
    written: false,
    get problem() {
      return audioTexts().notUnderstood;
    },
    data: new Uint8Array(0),
  };
}

function positive(value: unknown): number | null {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : null;
}

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
    return {
      value: clip,
      get problem() {
        return clip.problem;
      },
      whole: clip.whole,
    };
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
