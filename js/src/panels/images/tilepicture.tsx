// The picture in a tile: a canvas or an image. The one before stays until the next is decoded.

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Size } from "../../charts/geometry";
import { messageOf, withReason } from "../../wire/reasons";
import { type Decoded, decode, decodedSize, release } from "./decoding";
import { needsElement, type Picture } from "./picture";
import { type Camera, place } from "./zoom/camera";
import { inTile, useTileZoom } from "./zoom/tilezoom";

/** Time without a change of a tile's size after which its pixels are decoded again. */
const RESIZE_PAUSE_MS = 120;

/** A decoded picture and its row. */
interface Drawn {
  readonly decoded: Decoded;
  readonly picture: Picture;
  /** Id of the picture's row. */
  readonly id: number;
}

/** Something that was decoded, or could not be. */
export interface DrawnPicture {
  readonly drawn: Drawn | null;
  /** Why the picture cannot be decoded; null where it can. */
  readonly broken: string | null;
}

/** Decodes the picture of row `id` for a size in device pixels, while mounted. `zoomed`: only a part is visible. */
export function useDrawn(id: number, picture: Picture | null, { width, height }: Size, zoomed: boolean): DrawnPicture {
  const drawn = useSignal<Drawn | null>(null);
  const broken = useSignal<{ readonly picture: Picture; readonly reason: string } | null>(null);
  /** How many were begun, which of them is drawn, and whether the component was removed. */
  const turns = useMemo(() => ({ begun: 0, drawn: 0, over: false }), []);
  // Begun at once, not after the next frame as other effects are: a step is on the screen a frame sooner.
  useLayoutEffect(() => {
    const before = drawn.peek();
    if (picture === null || broken.peek()?.picture === picture) {
      return;
    }
    const size = decodedSize(picture, { width, height });
    const same = before?.picture === picture;
    const fits = same && before.decoded.width === size.width && before.decoded.height === size.height;
    if (fits || (same && needsElement(picture))) {
      // A decoding begun for an earlier step comes too late.
      turns.begun += 1;
      turns.drawn = turns.begun;
      return;
    }
    const end = new AbortController();
    const begin = () => {
      turns.begun += 1;
      const turn = turns.begun;
      decode(picture, { width, height }, zoomed, () => drawn.peek()?.decoded ?? null, end.signal).then(
        (decoded) => {
          // Where steps come faster than they can be decoded, those in between are shown while there is nothing newer.
          if (turns.over || turn < turns.drawn) {
            release(decoded);
            return;
          }
          turns.drawn = turn;
          const old = drawn.peek();
          drawn.value = { decoded, picture, id };
          if (old !== null) {
            release(old.decoded);
          }
        },
        (error: unknown) => {
          if (!end.signal.aborted) {
            broken.value = withReason({ picture }, () => messageOf(error));
          }
        },
      );
    };
    const timer = same ? setTimeout(begin, RESIZE_PAUSE_MS) : begin();
    return () => {
      clearTimeout(timer ?? undefined);
      end.abort();
    };
  }, [id, picture, width, height, zoomed, drawn, broken, turns]);
  useEffect(
    () => () => {
      turns.over = true;
      const last = drawn.peek();
      if (last !== null) {
        release(last.decoded);
      }
    },
    [drawn, turns],
  );
  const wrong = broken.value;
  return { drawn: drawn.value, broken: wrong !== null && wrong.picture === picture ? wrong.reason : null };
}

interface Props {
  readonly decoded: Decoded;
  /** Size of the picture as written, in pixels. */
  readonly image: Size;
  /** The camera of all images of the tag. */
  readonly camera: Signal<Camera>;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  /** In CSS pixels. */
  readonly shown: Size;
  /** Stays while another picture cannot be shown: its pixels are nowhere else. */
  readonly hidden: boolean;
  readonly pixelated: boolean;
  /** As CSS has it. */
  readonly filter: string | undefined;
}

export function TilePicture({ decoded, image, camera, ratio, shown, hidden, pixelated, filter }: Props) {
  const frame = useRef<HTMLSpanElement>(null);
  useTileZoom(frame, camera, image, shown);
  const view = inTile(camera.value);
  const { left, top, width, height } = place(view, image, shown);
  // A picture shown smaller than decoded would lose lines of pixels.
  const enlarged = width * ratio > decoded.width - 1;
  const style = {
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    imageRendering: pixelated && enlarged ? "pixelated" : undefined,
    filter,
  } as const;
  return (
    <span
      ref={frame}
      class="tbwidget-tile-frame"
      data-zoomed={view.zoom > 1 ? "" : undefined}
      style={{ display: hidden ? "none" : undefined, width: `${shown.width}px`, height: `${shown.height}px` }}
    >
      <DecodedPicture decoded={decoded} style={style} />
    </span>
  );
}

interface DecodedProps {
  readonly decoded: Decoded;
  readonly style: Readonly<Record<string, string | undefined>>;
}

/** A decoded picture in the element that shows it. */
export function DecodedPicture({ decoded, style }: DecodedProps) {
  return decoded.bitmap === null ? (
    <img src={decoded.url} alt="" draggable={false} style={style} />
  ) : (
    <BitmapCanvas decoded={decoded} style={style} />
  );
}

interface CanvasProps {
  readonly decoded: Extract<Decoded, { url: null }>;
  readonly style: Readonly<Record<string, string | undefined>>;
}

function BitmapCanvas({ decoded, style }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element !== null) {
      element.width = decoded.width;
      element.height = decoded.height;
      element.getContext("bitmaprenderer")?.transferFromImageBitmap(decoded.bitmap);
    }
  }, [decoded]);
  useEffect(() => {
    const element = canvas.current;
    return () => {
      // Else its pixels stay until the garbage is collected.
      if (element !== null) {
        element.width = 0;
      }
    };
  }, []);
  return <canvas ref={canvas} style={style} />;
}

/** Brightness and contrast as CSS has them; undefined where they change nothing. */
export function filterOf(brightness: number, contrast: number): string | undefined {
  return brightness === 1 && contrast === 1 ? undefined : `contrast(${contrast}) brightness(${brightness})`;
}
