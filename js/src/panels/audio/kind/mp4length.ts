// How long the sound in an MP4 file may become when it is decoded: as its tables count the packets, which are all there are.

/** Samples of a packet of AAC at most: a block, which a decoder may double, of as many channels as there may be. */
const PACKET_SAMPLES = 2048 * 8;

/** Boxes that hold others on the way to a track's tables. */
const HOLDERS: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

/** Boxes that are looked at, at most: what is made to be deep or of many takes long. */
const MOST_BOXES = 1000;

interface Found {
  boxes: number;
  packets: number;
  /** All tracks are of a coding whose packets are known. */
  known: boolean;
}

/** The samples of all channels that it may become; null where that is not known. */
export function mp4Samples(data: Uint8Array): number | null {
  const found: Found = { boxes: 0, packets: 0, known: true };
  look(new DataView(data.buffer, data.byteOffset, data.length), 0, data.length, found);
  return found.known && found.packets > 0 ? PACKET_SAMPLES * found.packets : null;
}

function look(bytes: DataView, from: number, end: number, found: Found): void {
  for (let at = from; at + 8 <= end && found.known; ) {
    found.boxes += 1;
    const [size, name] = [bytes.getUint32(at), nameAt(bytes, at + 4)];
    // Larger ones, and those up to the end of the file, have other sizes: of sound, only what has no tables in it.
    const next = size === 0 ? end : at + size;
    found.known &&= found.boxes <= MOST_BOXES && (size === 0 || size >= 8) && next <= end;
    if (HOLDERS.has(name)) {
      look(bytes, at + 8, Math.min(next, end), found);
    } else if (name === "stsd") {
      found.known &&= at + 24 <= end && nameAt(bytes, at + 20) === "mp4a";
    } else if (name === "stsz") {
      found.packets += at + 20 <= end ? bytes.getUint32(at + 16) : 0;
    } else if (name === "stz2" || name === "moof") {
      found.known = false;
    }
    at = next;
  }
}

function nameAt(bytes: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => bytes.getUint8(at + i)));
}
