// Clips as they travel: an index of steps and samples, and a header with bytes behind each row. Twin of tbwidget/panels/audio.py.

import type { ItemRow, ItemsCodec } from "../../wire/codec";
import type { TagItems } from "../../wire/items";
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
  /** What was written beside it; empty if nothing. */
  readonly label: string;
  /** Bytes as written. */
  readonly size: number;
  /** All of it is here; else the rest is requested. */
  readonly whole: boolean;
  /** `data` are the bytes that were written. */
  readonly written: boolean;
  /** What was changed so that it can be played, or is missing. */
  readonly note: string | null;
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
  const { type, rate, channels, frames, label, size, whole, written, note, problem } = header as Record<
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
    note: textOrNull(note),
    problem: textOrNull(problem),
    data: blob.subarray(4 + length) as Uint8Array<ArrayBuffer>,
  };
}

function unreadable(size: number): Clip {
  const unknown = { type: "", rate: null, channels: null, frames: null, label: "", note: null };
  return {
    ...unknown,
    size,
    whole: true,
    written: false,
    problem: audioTexts().notUnderstood,
    data: new Uint8Array(0),
  };
}

function positive(value: unknown): number | null {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
