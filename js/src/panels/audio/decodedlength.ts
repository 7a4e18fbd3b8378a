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
    const [size, name] = [bytes.getUint32(at), nameAt(bytes, at + 4)];
    // Larger ones, and those up to the end of the file, have other sizes: of sound, only what has no tables in it.
    const next = size === 0 ? end : at + size;
    tables.known &&= tables.boxes <= MAX_BOXES && (size === 0 || size >= 8) && next <= end;
    if (HOLDERS.has(name)) {
      countPackets(bytes, at + 8, Math.min(next, end), tables);
    } else if (name === "stsd") {
      tables.known &&= at + 24 <= end && nameAt(bytes, at + 20) === "mp4a";
    } else if (name === "stsz") {
      tables.packets += at + 20 <= end ? bytes.getUint32(at + 16) : 0;
    } else if (name === "stz2" || name === "moof") {
      tables.known = false;
    }
    at = next;
  }
}

function nameAt(bytes: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => bytes.getUint8(at + i)));
}
