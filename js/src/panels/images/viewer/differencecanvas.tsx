// Draws how two pictures differ, and measures it. On their stored values: what the screen shows may be corrected for it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { pixelsOf } from "../picture";
import { type Differences, NONE, subtract } from "./difference";
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
