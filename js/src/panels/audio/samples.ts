// The samples of a clip: read from a WAV file directly, from any other as the browser decodes it.

import type { Clip } from "./codec";
import { mostSamples } from "./decodedlength";

/** Decoded samples, read a stretch at a time. */
export interface Samples {
  /** Frames a second: a frame has a sample of each channel. */
  readonly rate: number;
  readonly channels: number;
  readonly frames: number;
  /** Reads a channel's samples from a frame on, each from -1 to 1. The clip must have enough to fill `into`. */
  read(channel: number, from: number, into: Float32Array<ArrayBuffer>): void;
}

/**
 * Samples that a clip may have to be decoded only to be drawn. Some codings put hours of silence into a few bytes, which would
 * fill the memory. A clip that may be longer, or whose length is unknown, is only played.
 */
const MAX_SAMPLES = 12e6;

/** The same for a clip that the user has played. */
const MAX_PLAYED = 120e6;

/** Bytes of a WAV file of a coding that the browser alone knows. */
const MAX_WAV = 8e6;

/** Rates that a context can have, and the one to decode to where none is known. */
const MIN_RATE = 3000;
const MAX_RATE = 384_000;
const USUAL_RATE = 48_000;

/**
 * Null for what might be too long to be decoded only to be drawn; fewer clips are where the user has `played` it. Rejects where it
 * cannot be decoded.
 */
export async function samplesOf({ type, rate, data }: Clip, played: boolean): Promise<Samples | null> {
  const wav = type === "audio/wav" ? parseWav(data) : null;
  if (wav !== null) {
    return wav;
  }
  const most = type === "audio/wav" ? null : mostSamples(type, data);
  if (type === "audio/wav" ? data.length > MAX_WAV : most === null || most > (played ? MAX_PLAYED : MAX_SAMPLES)) {
    return null;
  }
  const context = new OfflineAudioContext(1, 1, Math.min(MAX_RATE, Math.max(MIN_RATE, rate ?? USUAL_RATE)));
  // `decodeAudioData` detaches the buffer that it is given.
  const buffer = await context.decodeAudioData(data.slice().buffer);
  return {
    rate: buffer.sampleRate,
    channels: buffer.numberOfChannels,
    frames: buffer.length,
    read: (channel, from, into) => buffer.copyFromChannel(into, channel, from),
  };
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const MAX_CHUNKS = 1000;

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

/** The samples of a WAV file; null for other data or codings. Samples missing at its end are left out. */
export function parseWav(data: Uint8Array): Samples | null {
  const bytes = new DataView(data.buffer, data.byteOffset, data.length);
  if (data.length < 12 || nameAt(data, 0) !== "RIFF" || nameAt(data, 8) !== "WAVE") {
    return null;
  }
  let format: Format | null = null;
  let at = 12;
  for (let i = 0; i < MAX_CHUNKS && at + 8 <= data.length; i += 1) {
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
