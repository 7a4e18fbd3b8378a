// A waveform in few columns: the least and the greatest sample of each, so that no peak is lost.

import type { Samples } from "./samples";
import type { Job } from "./slices";

/** Columns of a waveform: about what a wide card has pixels. */
export const COLUMNS = 1024;

/** Channels that have a waveform each; of more, one shows all. */
const MAX_LANES = 2;

/** Samples that are read at once. */
const BLOCK_SAMPLES = 8192;

export interface Lane {
  readonly least: Float32Array;
  readonly greatest: Float32Array;
}

export interface Waveform {
  /** One a channel, or one for all. */
  readonly lanes: readonly Lane[];
  /** The greatest distance from zero. */
  readonly loudest: number;
  /** Seconds. */
  readonly duration: number;
}

export function* waveformOf({ channels, frames, rate, read }: Samples): Job<Waveform> {
  const columns = Math.max(1, Math.min(COLUMNS, frames));
  const lanes = Array.from({ length: channels > MAX_LANES ? 1 : channels }, () => ({
    least: new Float32Array(columns).fill(Number.POSITIVE_INFINITY),
    greatest: new Float32Array(columns).fill(Number.NEGATIVE_INFINITY),
  }));
  const block = new Float32Array(BLOCK_SAMPLES);
  let loudest = 0;
  for (let channel = 0; channel < channels; channel += 1) {
    const { least, greatest } = lanes[Math.min(channel, lanes.length - 1)] as Lane;
    for (let column = 0; column < columns; column += 1) {
      const end = firstFrame(column + 1, frames, columns);
      for (let from = firstFrame(column, frames, columns); from < end; from += BLOCK_SAMPLES) {
        const part = block.subarray(0, Math.min(BLOCK_SAMPLES, end - from));
        read(channel, from, part);
        for (const sample of part) {
          if (sample < (least[column] as number)) {
            least[column] = sample;
          }
          if (sample > (greatest[column] as number)) {
            greatest[column] = sample;
          }
        }
        yield;
      }
      loudest = Math.max(loudest, -(least[column] as number), greatest[column] as number);
    }
  }
  return { lanes, loudest: Number.isFinite(loudest) ? loudest : 0, duration: frames / rate };
}

function firstFrame(column: number, frames: number, columns: number): number {
  return Math.floor((column * frames) / columns);
}
