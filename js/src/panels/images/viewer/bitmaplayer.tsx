// An image as pixels on a canvas: as many as it takes on the screen, or all of its own.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { pixelRatio } from "../../../charts/pixelratio";
import { decodedSize } from "../decoding";
import { type Picture, pixelsOf, type Size } from "../picture";

/** Time without a zoom after which an image shown smaller than its size is drawn again. */
const ZOOM_PAUSE_MS = 120;

interface Props {
  readonly picture: Picture;
  /** Bitmap of all its pixels. */
  readonly bitmap: ImageBitmap;
  /** In CSS pixels. */
  readonly placed: Size;
  readonly style: Readonly<Record<string, string | number | undefined>>;
}

export function BitmapLayer({ picture, bitmap, placed, style }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<ImageBitmap | null>(null);
  const ratio = pixelRatio();
  const { width, height } = decodedSize(picture, { width: placed.width * ratio, height: placed.height * ratio });
  const whole = width === pixelsOf(picture).width;
  // Before the browser paints, since the earlier bitmap is closed soon.
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) {
      return;
    }
    const redraw = () => {
      drawn.current = bitmap;
      draw(element, bitmap, { width, height });
    };
    if (whole || drawn.current !== bitmap) {
      redraw();
      return;
    }
    const timer = setTimeout(redraw, ZOOM_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [bitmap, width, height, whole]);
  useEffect(() => {
    const element = canvas.current;
    return () => {
      // Else its pixels stay until the garbage is collected.
      if (element !== null) {
        element.width = 0;
      }
    };
  }, []);
  return <canvas ref={canvas} class="tbwidget-layer" style={style} />;
}

function draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap, { width, height }: Size): void {
  // A closed bitmap has no size.
  if (bitmap.width > 0) {
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (context !== null) {
      context.imageSmoothingQuality = "high";
      context.drawImage(bitmap, 0, 0, width, height);
    }
  }
}
