// Reads the samples of WAV files: whole numbers of 8 to 32 bits, and floats of 32.

import type { Samples } from "./samples";

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const MOST_CHUNKS = 1000;

type ReadSample = (bytes: DataView, at: number) => number;

const READERS: Readonly<Record<string, ReadSample>> = {
  "1/1": (bytes, at) => (bytes.getUint8(at) - 128) / 2 ** 7,
  "1/2": (bytes, at) => bytes.getInt16(at, true) / 2 ** 15,
  "1/3": (bytes, at) => ((bytes.getUint8(at) << 8) | (bytes.getInt16(at + 1, true) << 16)) / 2 ** 31,
  "1/4": (bytes, at) => bytes.getInt32(at, true) / 2 ** 31,
  "3/4": (bytes, at) => bytes.getFloat32(at, true) || 0,
};

interface Format {
  readonly coding: number;
  readonly channels: number;
  readonly rate: number;
  /** Bytes of a frame. */
  readonly frame: number;
}

/** Null for what is no WAV file, or of another coding; what is missing at its end is left out. */
export function parseWav(data: Uint8Array): Samples | null {
  const bytes = new DataView(data.buffer, data.byteOffset, data.length);
  if (data.length < 12 || nameAt(data, 0) !== "RIFF" || nameAt(data, 8) !== "WAVE") {
    return null;
  }
  let format: Format | null = null;
  let at = 12;
  for (let i = 0; i < MOST_CHUNKS && at + 8 <= data.length; i += 1) {
    const name = nameAt(data, at);
    const size = bytes.getUint32(at + 4, true);
    if (name === "fmt ") {
      format = parseFormat(bytes, at + 8, size);
    } else if (name === "data") {
      return format === null ? null : samplesIn(bytes, at + 8, size, format);
    }
    at += 8 + size + (size % 2);
  }
  return null;
}

function parseFormat(bytes: DataView, at: number, size: number): Format | null {
  if (size < 16 || at + 16 > bytes.byteLength) {
    return null;
  }
  const coding = bytes.getUint16(at, true);
  const subformat = coding === EXTENSIBLE && size >= 26 && at + 26 <= bytes.byteLength;
  return {
    coding: subformat ? bytes.getUint16(at + 24, true) : coding,
    channels: bytes.getUint16(at + 2, true),
    rate: bytes.getUint32(at + 4, true),
    frame: bytes.getUint16(at + 12, true),
  };
}

function samplesIn(
  bytes: DataView,
  start: number,
  size: number,
  { coding, channels, rate, frame }: Format,
): Samples | null {
  const width = Math.floor(frame / Math.max(1, channels));
  const readSample = coding === PCM || coding === FLOAT ? READERS[`${coding}/${width}`] : undefined;
  if (readSample === undefined || rate === 0) {
    return null;
  }
  const frames = Math.floor(Math.min(size, Math.max(0, bytes.byteLength - start)) / frame);
  return {
    rate,
    channels,
    frames,
    read: (channel, from, into) => {
      let at = start + from * frame + channel * width;
      for (let i = 0; i < into.length; i += 1) {
        into[i] = readSample(bytes, at);
        at += frame;
      }
    },
  };
}

function nameAt(data: Uint8Array, at: number): string {
  return String.fromCharCode(...data.subarray(at, at + 4));
}
