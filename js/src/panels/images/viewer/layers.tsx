// The layers of a stage: an image, the squares behind transparent pixels, and the edge between two images.

import type { Signal } from "@preact/signals";
import { viewerTexts } from "../../../items/viewer/texts";
import type { Size } from "../picture";
import { imageTexts } from "../texts";
import type { Placement, Point } from "../zoom/camera";
import { BitmapLayer } from "./bitmaplayer";
import type { Side } from "./side";
import { styleOf } from "./stage";

/** A pixel below the pointer, and of which image: of one of the two, or of a run beside others. */
export interface Hovered {
  readonly side: "a" | "b" | Side;
  readonly pixel: Point;
}

/** Of what is on the screen; a side of which nothing has come has none. */
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
