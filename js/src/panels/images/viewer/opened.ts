// A picture made ready to be shown, so that it takes the place of another one without a flash; and its stored values.

import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { withReason } from "../../../wire/reasons";
import { budget, inTurn } from "../decoding";
import { addressOf, namesColors, needsElement, type Picture, pixelsOf } from "../picture";
import { imageTexts } from "../texts";

/** Pixels of a picture whose values are held, at 4 bytes each. */
export const MAX_VALUE_PIXELS = 16_777_216;

/** A shown image: pixels, or an address for an image element, for drawings, animations and very large images. */
export type Opened = {
  readonly picture: Picture;
  /** Pixels of its bitmaps, which share the tiles' budget. */
  readonly pixels: number;
} & (
  | {
      readonly bitmap: ImageBitmap;
      readonly url: null;
      /** As they are stored, without any conversion of colors: mostly the same bitmap. */
      readonly values: ImageBitmap;
    }
  | { readonly bitmap: null; readonly url: string; readonly values: null }
);

export type Opening =
  | { readonly state: "none" }
  | { readonly state: "opened"; readonly opened: Opened }
  | { readonly state: "broken"; readonly reason: string };

const NONE: Opening = { state: "none" };

/** The picture once it can be shown; until then the one before it. Null: there is none yet. */
export function useOpened(picture: Picture | null, mostValues: number): ReadonlySignal<Opening> {
  const opening = useSignal<Opening>(NONE);
  useEffect(() => {
    if (picture === null) {
      return;
    }
    const end = new AbortController();
    inTurn(end.signal, () => open(picture, mostValues, pixelsHeld(opening.peek())), true).then(
      (opened) => {
        if (end.signal.aborted) {
          close(opened);
          return;
        }
        const before = opening.peek();
        opening.value = { state: "opened", opened };
        closeLater(before);
      },
      () => {
        if (!end.signal.aborted) {
          const before = opening.peek();
          opening.value = withReason({ state: "broken" }, () => imageTexts().brokenImage);
          closeLater(before);
        }
      },
    );
    return () => end.abort();
  }, [picture, mostValues, opening]);
  useEffect(
    () => () => {
      closeLater(opening.peek());
      opening.value = NONE;
    },
    [opening],
  );
  return opening;
}

const STORED: ImageBitmapOptions = { colorSpaceConversion: "none", premultiplyAlpha: "none" };

/** The browser keeps what it decodes for image elements, long after they were removed: bitmaps end when they are closed. */
async function open(picture: Picture, mostValues: number, instead: number): Promise<Opened> {
  const blob = new Blob([picture.data], { type: picture.type });
  const { width, height } = pixelsOf(picture);
  if (!needsElement(picture)) {
    const corrected = namesColors(picture);
    const pixels = (corrected ? 2 : 1) * width * height;
    if (width * height <= mostValues && budget.takeAll(pixels, instead)) {
      let values: ImageBitmap | null = null;
      try {
        values = await createImageBitmap(blob, STORED);
        const bitmap = corrected ? await createImageBitmap(blob) : values;
        return { picture, pixels, bitmap, url: null, values };
      } catch (failure) {
        values?.close();
        budget.giveAll(pixels);
        throw failure;
      }
    }
    // An image element shows what there is of a truncated image; this does not take it.
    (await createImageBitmap(blob, { resizeWidth: 1, resizeHeight: 1 })).close();
  }
  const url = addressOf(picture);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
  } catch (failure) {
    URL.revokeObjectURL(url);
    throw failure;
  }
  return { picture, pixels: 0, bitmap: null, url, values: null };
}

/** The element that shows it may be drawn once more. */
function closeLater(opening: Opening): void {
  if (opening.state === "opened") {
    setTimeout(() => close(opening.opened));
  }
}

function pixelsHeld(opening: Opening): number {
  return opening.state === "opened" ? opening.opened.pixels : 0;
}

function close({ pixels, bitmap, url, values }: Opened): void {
  if (bitmap === null) {
    URL.revokeObjectURL(url);
  } else {
    bitmap.close();
    values.close();
    budget.giveAll(pixels);
  }
}

let reading: OffscreenCanvasRenderingContext2D | null = null;

/** The red, green, blue and alpha of a pixel; null where they are not known: not as written, or no pixels at all. */
export function valueAt({ values, picture }: Opened, { x, y }: { readonly x: number; readonly y: number }) {
  // A closed bitmap has no size.
  if (values === null || values.width === 0 || picture.scaled !== null) {
    return null;
  }
  reading ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (reading === null) {
    return null;
  }
  reading.clearRect(0, 0, 1, 1);
  reading.drawImage(values, x, y, 1, 1, 0, 0, 1, 1);
  return reading.getImageData(0, 0, 1, 1).data;
}
