// Draws and measures the difference of two pictures, on their stored values: the screen may show corrected ones.

import { useLayoutEffect, useRef } from "preact/hooks";
import { pixelsOf } from "../picture";
import type { Opened } from "./opened";

/** Pixels of both images in memory at once, besides the drawing. */
const MAX_PIXELS_AT_ONCE = 1_048_576;

/** How these two differ. */
export interface Found {
  readonly a: Opened;
  readonly b: Opened;
  readonly differences: Differences;
}

interface Props {
  readonly a: Opened;
  readonly b: Opened;
  /** Differences are shown this many times as large. */
  readonly gain: number;
  readonly style: Record<string, string>;
  found(found: Found): void;
}

/** Whether the pixels of two pictures can be compared one by one. */
export function areComparable(a: Opened, b: Opened): boolean {
  const [one, other] = [pixelsOf(a.picture), pixelsOf(b.picture)];
  return a.values !== null && b.values !== null && one.width === other.width && one.height === other.height;
}

export function DifferenceCanvas({ a, b, gain, style, found }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const onFound = useRef(found);
  onFound.current = found;
  // At once: pictures that are replaced are closed soon.
  useLayoutEffect(() => {
    if (canvas.current !== null) {
      onFound.current({ a, b, differences: draw(canvas.current, a, b) });
    }
  }, [a, b]);
  return (
    <canvas ref={canvas} class="tbwidget-layer" style={{ ...style, filter: gain === 1 ? "" : `brightness(${gain})` }} />
  );
}

function draw(canvas: HTMLCanvasElement, a: Opened, b: Opened): Differences {
  const { width, height } = pixelsOf(a.picture);
  canvas.width = width;
  canvas.height = height;
  const out = canvas.getContext("2d");
  const rows = Math.max(1, Math.min(height, Math.floor(MAX_PIXELS_AT_ONCE / width)));
  const reader = new OffscreenCanvas(width, rows).getContext("2d", { willReadFrequently: true });
  let differences = NONE;
  if (out === null || reader === null || !a.values?.width || !b.values?.width) {
    return differences;
  }
  for (let top = 0; top < height; top += rows) {
    const count = Math.min(rows, height - top);
    const read = (values: ImageBitmap) => {
      reader.clearRect(0, 0, width, rows);
      reader.drawImage(values, 0, top, width, count, 0, 0, width, count);
      return reader.getImageData(0, 0, width, count);
    };
    const drawn = read(a.values);
    differences = subtract(drawn.data, read(b.values).data, drawn.data, differences);
    out.putImageData(drawn, 0, top);
  }
  return differences;
}

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
