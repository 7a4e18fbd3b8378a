// The samples of a clip: read from a WAV file directly, from any other as the browser decodes it.

import type { Clip } from "./codec";

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

// How long an encoded clip may become when it is decoded: whatever its header says, no more than its frames hold.

/** A byte of MPEG audio is 24 samples at most. */
const MPEG_SAMPLES = 24;

/** Bytes searched at most: data forged to look like frames take long. */
const MAX_SEARCHED_BYTES = 5e6;

/** Samples of a channel in a packet at most: Opus has 120 ms at 48,000 Hz, Vorbis fewer. */
const PACKET_FRAMES = 5760;

/** Bytes before the table of a page's segments, whose number is the last of them. */
const PAGE_HEADER = 27;

/** The samples of all channels that it may become; null where that is not known. */
export function mostSamples(type: string, data: Uint8Array): number | null {
  if (data.length > MAX_SEARCHED_BYTES) {
    return null;
  }
  switch (type) {
    case "audio/mpeg":
      return MPEG_SAMPLES * data.length;
    case "audio/flac":
      return flacSamples(data);
    case "audio/ogg":
      return oggSamples(data);
    case "audio/aac":
      return aacSamples(data);
    case "audio/mp4":
      return mp4Samples(data);
    default:
      return null;
  }
}

/** Samples of a channel in a block of AAC, which a decoder may double, as it may the channels. */
const BLOCK_FRAMES = 2048;

/** Samples of a sequence of frames with a header each (ADTS). */
function aacSamples(data: Uint8Array): number | null {
  let samples = 0;
  for (let at = 0; at + 7 <= data.length; ) {
    const [sync = 0, second = 0, third = 0, fourth = 0, length = 0, more = 0, blocks = 0] = data.subarray(at, at + 7);
    const channels = ((third & 1) << 2) | (fourth >> 6);
    const size = ((fourth & 3) << 11) | (length << 3) | (more >> 5);
    if (sync !== 0xff || (second & 0xf6) !== 0xf0 || channels === 0 || size < 7) {
      return null;
    }
    samples += BLOCK_FRAMES * ((blocks & 3) + 1) * Math.max(2, channels + (channels === 7 ? 1 : 0));
    at += size;
  }
  return samples > 0 ? samples : null;
}

/** Samples of a channel in a frame of FLAC, by the code of its size, as far as that is no power of two. */
const BLOCK_SIZES = [0, 192, 576, 1152, 2304, 4608];

/** A decoder takes a frame only where the checksum of its header holds. */
function flacSamples(data: Uint8Array): number | null {
  let samples = 0;
  for (let at = data.indexOf(0xff); at >= 0; at = data.indexOf(0xff, at + 1)) {
    samples += flacFrame(data, at);
  }
  return samples > 0 ? samples : null;
}

function flacFrame(data: Uint8Array, at: number): number {
  if ((data[at + 1] ?? 0) >> 1 !== 0x7c) {
    return 0;
  }
  const [sizes = 0, channels = 0, number = 0] = data.subarray(at + 2, at + 5);
  const code = sizes >> 4;
  // The number of the frame is coded as UTF-8 is; a size and a rate that have no code of their own follow.
  let end = at + 5 + Math.max(0, Math.clz32(~number << 24) - 1);
  const size = ((data[end] ?? 0) << 8) | (data[end + 1] ?? 0);
  end += code === 6 ? 1 : code === 7 ? 2 : 0;
  const rate = sizes & 15;
  end += rate === 12 ? 1 : rate === 13 || rate === 14 ? 2 : 0;
  if (end >= data.length || crc8(data.subarray(at, end)) !== data[end]) {
    return 0;
  }
  const own = code === 6 ? (size >> 8) + 1 : code === 7 ? size + 1 : null;
  const frames = own ?? BLOCK_SIZES[code] ?? 256 << (code - 8);
  return frames * (channels >> 4 < 8 ? (channels >> 4) + 1 : 2);
}

function crc8(data: Uint8Array): number {
  let crc = 0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff;
    }
  }
  return crc;
}

/** A packet ends with a segment that is not full. */
function oggSamples(data: Uint8Array): number | null {
  let [packets, channels] = [0, 0];
  for (let at = data.indexOf(0x4f); at >= 0; at = data.indexOf(0x4f, at + 1)) {
    if (data[at + 1] === 0x67 && data[at + 2] === 0x67 && data[at + 3] === 0x53) {
      const begin = at + PAGE_HEADER + (data[at + PAGE_HEADER - 1] ?? 0);
      packets += data.subarray(at + PAGE_HEADER, begin).filter((length) => length < 255).length;
      if ((data[at + 5] ?? 0) & 2) {
        const own = channelsOf(data.subarray(begin, begin + 12));
        if (own === null) {
          return null;
        }
        channels = Math.max(channels, own);
      }
    }
  }
  return packets * channels > 0 ? PACKET_FRAMES * packets * channels : null;
}

/** Channels by the first packet of a stream; null for codings whose packets may be longer. */
function channelsOf(packet: Uint8Array): number | null {
  const text = String.fromCharCode(...packet);
  const channels = text.startsWith("OpusHead") ? packet[9] : text.startsWith("\x01vorbis") ? packet[11] : undefined;
  return channels ?? null;
}

/** Samples of a packet of AAC at most: a block, of as many channels as there may be. */
const PACKET_SAMPLES = BLOCK_FRAMES * 8;

/** Boxes that hold others on the way to a track's tables. */
const HOLDERS: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

/** Boxes that are read at most: a hostile file may have very many, or nest them deeply. */
const MAX_BOXES = 1000;

interface Tables {
  boxes: number;
  packets: number;
  /** All tracks are of a coding whose packets are known. */
  known: boolean;
}

/** An MP4 file has tables that count its packets. */
function mp4Samples(data: Uint8Array): number | null {
  const tables: Tables = { boxes: 0, packets: 0, known: true };
  countPackets(new DataView(data.buffer, data.byteOffset, data.length), 0, data.length, tables);
  return tables.known && tables.packets > 0 ? PACKET_SAMPLES * tables.packets : null;
}

function countPackets(bytes: DataView, from: number, end: number, tables: Tables): void {
  for (let at = from; at + 8 <= end && tables.known; ) {
    tables.boxes += 1;
    const [size, name] = [bytes.getUint32(at), boxNameAt(bytes, at + 4)];
    // Larger ones, and those up to the end of the file, have other sizes: of sound, only what has no tables in it.
    const next = size === 0 ? end : at + size;
    tables.known &&= tables.boxes <= MAX_BOXES && (size === 0 || size >= 8) && next <= end;
    if (HOLDERS.has(name)) {
      countPackets(bytes, at + 8, Math.min(next, end), tables);
    } else if (name === "stsd") {
      tables.known &&= at + 24 <= end && boxNameAt(bytes, at + 20) === "mp4a";
    } else if (name === "stsz") {
      tables.packets += at + 20 <= end ? bytes.getUint32(at + 16) : 0;
    } else if (name === "stz2" || name === "moof") {
      tables.known = false;
    }
    at = next;
  }
}

function boxNameAt(bytes: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => bytes.getUint8(at + i)));
}
