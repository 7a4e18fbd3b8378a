// The layers of a stage: an image, the squares behind transparent pixels, and the edge between two images.

import type { Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Point, Size } from "../../../charts/geometry";
import { pixelRatio } from "../../../charts/pixelratio";
import { viewerTexts } from "../../../items/viewer/texts";
import { decodedSize } from "../decoding";
import { type Picture, pixelsOf } from "../picture";
import { imageTexts } from "../texts";
import type { Placement } from "../zoom/camera";
import type { Side } from "./side";
import { styleOf } from "./stage";

/** A pixel below the pointer and its image: one of the two, or a run's among others. */
export interface Hovered {
  readonly side: "a" | "b" | Side;
  readonly pixel: Point;
}

/** Size of a side's image on the screen; null before one has arrived. */
export function sizeOf({ opened, value }: Side): Size | null {
  return opened?.picture ?? value;
}

export interface Look {
  /** Brightness and contrast. */
  readonly filter: string | undefined;
  readonly pixelated: boolean;
}

interface LayerProps extends Look {
  readonly side: Side;
  readonly placed: Placement;
  readonly style?: Record<string, string | number>;
}

export function Layer({ side: { opened, reason }, placed, filter, pixelated, style }: LayerProps) {
  if (opened === null || reason !== null) {
    return null;
  }
  const squares = pixelated && placed.scale >= 1;
  const all = { ...styleOf(placed), filter, imageRendering: squares ? "pixelated" : "auto", ...style };
  return opened.bitmap === null ? (
    <img class="tbwidget-layer" alt="" draggable={false} src={opened.url} style={all} />
  ) : (
    <BitmapLayer picture={opened.picture} bitmap={opened.bitmap} placed={placed} style={all} />
  );
}

/** Shows where an image is transparent. */
export function Checks({ placed }: { readonly placed: Placement }) {
  return <div class="tbwidget-checks" style={styleOf(placed)} />;
}

/** The edge between two images, which is dragged; the keyboard has a slider for it. */
export function SwipeEdge({ share, width }: { readonly share: Signal<number>; readonly width: number }) {
  return (
    <div
      class="tbwidget-swipe"
      style={{ left: `${share.value * width}px` }}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) {
          event.stopPropagation();
          const left = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0;
          share.value = Math.min(1, Math.max(0, (event.clientX - left) / width));
        }
      }}
    >
      <span>{viewerTexts().first}</span>
      <span>{viewerTexts().second}</span>
    </div>
  );
}

export function labelOf({ place: { run, tag }, row }: Side): string {
  return imageTexts().imageLabel(tag, run, row?.step.toString() ?? "");
}

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
