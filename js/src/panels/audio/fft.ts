// The fast Fourier transform, for powers of two: Cooley and Tukey's, in place.

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
