// How two pictures of one size differ, pixel by pixel. Pure: on stored values, red, green, blue and alpha.

/** Statistics of the differences of single values, from 0 to 255, within some rows of a picture. */
export interface Differences {
  readonly most: number;
  readonly sum: number;
  /** Values that were compared. */
  readonly count: number;
  /** Number of pixels with a different value. */
  readonly pixels: number;
}

export const NONE: Differences = { most: 0, sum: 0, count: 0, pixels: 0 };

/** The mean difference of a value. */
export function meanOf({ sum, count }: Differences): number {
  return count === 0 ? 0 : sum / count;
}

/** Writes the absolute differences of two pictures into `out`, as colors; adds them to `before`. */
export function subtract(
  a: Uint8ClampedArray,
  b: Uint8ClampedArray,
  out: Uint8ClampedArray,
  before: Differences,
): Differences {
  let { most, sum, count, pixels } = before;
  const length = Math.min(a.length, b.length, out.length);
  for (let i = 0; i < length; i += 4) {
    const red = Math.abs((a[i] as number) - (b[i] as number));
    const green = Math.abs((a[i + 1] as number) - (b[i + 1] as number));
    const blue = Math.abs((a[i + 2] as number) - (b[i + 2] as number));
    const alpha = Math.abs((a[i + 3] as number) - (b[i + 3] as number));
    const largest = Math.max(red, green, blue, alpha);
    sum += red + green + blue;
    count += 3;
    if (a[i + 3] !== 255 || b[i + 3] !== 255) {
      sum += alpha;
      count += 1;
    }
    pixels += largest > 0 ? 1 : 0;
    most = largest > most ? largest : most;
    // A difference in alpha alone shows, too: as gray.
    out[i] = Math.max(red, alpha);
    out[i + 1] = Math.max(green, alpha);
    out[i + 2] = Math.max(blue, alpha);
    out[i + 3] = 255;
  }
  return { most, sum, count, pixels };
}
