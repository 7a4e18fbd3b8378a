// Sounds made by hand: samples, WAV files and blobs of clips.

import type { Samples } from "../../../src/panels/audio/samples";

export function samplesFrom(channels: readonly ArrayLike<number>[], rate = 8000): Samples {
  return {
    rate,
    channels: channels.length,
    frames: channels[0]?.length ?? 0,
    read: (channel, from, into) => {
      for (let i = 0; i < into.length; i += 1) {
        const sample = channels[channel]?.[from + i];
        if (sample === undefined) {
          throw new Error(`no sample ${from + i} in channel ${channel}`);
        }
        into[i] = sample;
      }
    },
  };
}

export function tone(frames: number, pitch: number, rate = 8000): Float32Array {
  return Float32Array.from({ length: frames }, (_, i) => Math.sin((2 * Math.PI * pitch * i) / rate));
}

/** A WAV file; `size` replaces the number of bytes in its header. */
export function wavOf(
  data: Uint8Array,
  { coding = 1, channels = 1, rate = 8000, width = 2, size = data.length, before = new Uint8Array(0) } = {},
): Uint8Array {
  const header = new DataView(new ArrayBuffer(24));
  text(header, 0, "fmt ");
  header.setUint32(4, 16, true);
  header.setUint16(8, coding, true);
  header.setUint16(10, channels, true);
  header.setUint32(12, rate, true);
  header.setUint32(16, rate * channels * width, true);
  header.setUint16(20, channels * width, true);
  header.setUint16(22, 8 * width, true);
  const [riff, chunk] = [new DataView(new ArrayBuffer(12)), new DataView(new ArrayBuffer(8))];
  text(riff, 0, "RIFF");
  text(riff, 8, "WAVE");
  text(chunk, 0, "data");
  chunk.setUint32(4, size, true);
  return joined(riff, before, header, chunk, data);
}

/** A blob as the kernel sends it. */
export function blobOf(said: unknown, data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const json = new TextEncoder().encode(typeof said === "string" ? said : JSON.stringify(said));
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, json.length, true);
  return joined(length, json, data);
}

function joined(...parts: readonly ArrayBufferView[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...new Uint8Array(part.buffer, part.byteOffset, part.byteLength)]));
}

function text(view: DataView, at: number, name: string): void {
  for (const [i, letter] of [...name].entries()) {
    view.setUint8(at + i, letter.charCodeAt(0));
  }
}
