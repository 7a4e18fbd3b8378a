// How loud each frequency is over time: Fourier transforms of short overlapping stretches, all channels together.

import type { Samples } from "./samples";
import type { Job } from "./slices";

/** Columns and rows at most: about the pixels that a row of a card has for it. */
const COLUMNS = 640;
const ROWS = 128;

/** Seconds of a stretch, about, and bounds on its samples. */
const STRETCH = 0.032;
const SHORTEST = 64;
const MAX_WINDOW = 4096;

/** Decibels below the loudest that are told apart. */
export const RANGE = 80;

export interface Spectrogram {
  readonly columns: number;
  readonly rows: number;
  /** From 0, `RANGE` below the loudest, to 255; row by row, the highest frequency first. */
  readonly levels: Uint8Array;
  /** The highest frequency, in hertz. */
  readonly highest: number;
}

export function* spectrogramOf(samples: Samples): Job<Spectrogram> {
  const { channels, frames, rate } = samples;
  const size = Math.min(MAX_WINDOW, Math.max(SHORTEST, 2 ** Math.round(Math.log2(rate * STRETCH))));
  const bins = size / 2;
  const rows = Math.min(ROWS, bins);
  const columns = Math.max(1, Math.min(COLUMNS, Math.ceil(frames / (size / 4))));
  const fft = new Fft(size);
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)];
  const hann = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
  const block = new Float32Array(size);
  const power = new Float64Array(columns * rows);
  let greatest = 0;
  for (let column = 0; column < columns; column += 1) {
    // The stretch is centered on the column; beyond either end there is silence.
    const begin = Math.round(((column + 0.5) / columns) * frames - size / 2);
    const [from, to] = [Math.max(0, begin), Math.min(frames, begin + size)];
    real.fill(0);
    imaginary.fill(0);
    for (let channel = 0; channel < channels && to > from; channel += 1) {
      const part = block.subarray(0, to - from);
      samples.read(channel, from, part);
      for (let i = 0; i < part.length; i += 1) {
        const at = from - begin + i;
        real[at] = (real[at] as number) + ((part[i] as number) * (hann[at] as number)) / channels;
      }
    }
    fft.transform(real, imaginary);
    for (let bin = 0; bin < bins; bin += 1) {
      const row = rows - 1 - Math.floor((bin * rows) / bins);
      const at = row * columns + column;
      const here = (real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2;
      power[at] = Math.max(power[at] as number, here);
      greatest = Math.max(greatest, here);
    }
    yield;
  }
  const levels = Uint8Array.from(power, (here) => level(here / greatest));
  return { columns, rows, levels, highest: rate / 2 };
}

/** Level from 0 to 255 of a power between 0 and 1. */
function level(share: number): number {
  return share > 0 ? Math.max(0, Math.round(255 * (1 + (10 * Math.log10(share)) / RANGE))) : 0;
}

export class Fft {
  readonly size: number;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #reversed: Uint32Array;

  /** `size`: a power of two. */
  constructor(size: number) {
    this.size = size;
    const bits = Math.log2(size);
    this.#cos = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sin = Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size));
    this.#reversed = new Uint32Array(size);
    for (let i = 1; i < size; i += 1) {
      this.#reversed[i] = ((this.#reversed[i >> 1] as number) >> 1) | ((i & 1) << (bits - 1));
    }
  }

  /** Transforms numbers given as their real and imaginary parts, `size` of each. */
  transform(real: Float64Array, imaginary: Float64Array): void {
    for (let i = 0; i < this.size; i += 1) {
      const j = this.#reversed[i] as number;
      if (j > i) {
        swap(real, i, j);
        swap(imaginary, i, j);
      }
    }
    for (let half = 1; half < this.size; half *= 2) {
      const stride = this.size / (2 * half);
      for (let begin = 0; begin < this.size; begin += 2 * half) {
        for (let k = 0; k < half; k += 1) {
          const cos = this.#cos[k * stride] as number;
          const sin = this.#sin[k * stride] as number;
          const even = begin + k;
          const odd = even + half;
          const re = (real[odd] as number) * cos - (imaginary[odd] as number) * sin;
          const im = (real[odd] as number) * sin + (imaginary[odd] as number) * cos;
          real[odd] = (real[even] as number) - re;
          imaginary[odd] = (imaginary[even] as number) - im;
          real[even] = (real[even] as number) + re;
          imaginary[even] = (imaginary[even] as number) + im;
        }
      }
    }
  }
}

function swap(numbers: Float64Array, i: number, j: number): void {
  const kept = numbers[i] as number;
  numbers[i] = numbers[j] as number;
  numbers[j] = kept;
}
