// A picture: the encoded image behind a row, and its header from the kernel. Nothing is decoded here.

import type { Size } from "../../charts/geometry";
import { count, isRow, list, ProtocolError, positive, type Row } from "../../wire/columns";
import { reasonsIn } from "../../wire/reasons";
import { imageTexts } from "./texts";

/** Pixels of the largest image, and of its longer side, that are decoded. */
export const MAX_PIXELS = 64e6;
export const MAX_SIDE_PX = 16_384;

/** Longer side of what the kernel sends unasked. Keep in step with THUMBNAIL in tbwidget/panels/images.py. */
export const THUMBNAIL = 320;

const SVG = "image/svg+xml";

/** Each byte as it stands in a `data:` address. */
const ESCAPED = Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte);
  return /[a-zA-Z0-9]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, "0")}`;
});

/** MIME types that browsers show. */
const SHOWABLE = new Set(
  ["png", "apng", "jpeg", "gif", "webp", "bmp", "avif", "svg+xml"].map((name) => `image/${name}`),
);

export interface Picture extends Size {
  /** MIME type of `data`. */
  readonly type: string;
  /** Format as written, such as "TIFF". */
  readonly format: string;
  /** Bytes as written. */
  readonly size: number;
  /** Size of `data` if it was scaled down; null if it has all pixels as written. */
  readonly scaled: Size | null;
  /** An `img` element shows it moving. */
  readonly animated: boolean;
  /** Describe the changes of a conversion, for the user. */
  readonly notes: readonly string[];
  /** The encoded image. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The picture in a blob; a text for people where there is none. */
export function pictureIn(blob: Uint8Array): Picture | (() => string) {
  try {
    return decodePicture(blob);
  } catch {
    return () => imageTexts().damagedPicture;
  }
}

/** A blob as it travels: the header of an image, and its bytes. Throws where it is damaged. */
export function unpack(blob: Uint8Array): { readonly header: Row; readonly data: Uint8Array<ArrayBuffer> } {
  const length = new DataView(blob.buffer, blob.byteOffset, blob.byteLength).getUint32(0, true);
  if (length > blob.length - 4) {
    throw new ProtocolError("a header beyond the blob");
  }
  const header: unknown = JSON.parse(new TextDecoder().decode(blob.subarray(4, 4 + length)));
  if (!isRow(header)) {
    throw new ProtocolError("a header is missing");
  }
  return { header, data: blob.subarray(4 + length) as Uint8Array<ArrayBuffer> };
}

function decodePicture(blob: Uint8Array): Picture | (() => string) {
  const { header, data } = unpack(blob);
  const { type, format, width, height, size, scaled, animated, notes } = header;
  const picture: Picture = {
    type: String(type),
    format: String(format),
    width: positive(width),
    height: positive(height),
    size: count(size),
    scaled: scaled === null ? null : sizeOf(list(scaled)),
    animated: animated === true,
    get notes() {
      return reasonsIn(notes);
    },
    data,
  };
  const pixels = pixelsOf(picture);
  if (pixels.width * pixels.height > MAX_PIXELS || Math.max(pixels.width, pixels.height) > MAX_SIDE_PX) {
    return () => imageTexts().tooManyPixels;
  }
  return SHOWABLE.has(picture.type) ? picture : () => imageTexts().unknownPicture(picture.type);
}

function sizeOf([width, height]: readonly unknown[]): Size {
  return { width: positive(width), height: positive(height) };
}

/** The pixels that the encoded image has. */
export function pixelsOf(picture: Pick<Picture, "width" | "height" | "scaled">): Size {
  return picture.scaled ?? picture;
}

/** Whether only an `img` element shows it as it is: vectors, and what moves. */
export function needsElement({ type, animated }: Pick<Picture, "type" | "animated">): boolean {
  return animated || type === SVG;
}

/** Bytes within which an image declares its color space. */
const COLORS_WITHIN = 131_072;

/** Whether an image may declare a color profile, so that shown colors differ from stored values. */
export function namesColors({ type, data }: Pick<Picture, "type" | "data">): boolean {
  const begin = new TextDecoder("latin1").decode(data.subarray(0, COLORS_WITHIN));
  return type === "image/avif" || /gAMA|cHRM|iCCP|cICP|ICC_PROFILE|ICCP/.test(begin);
}

/** For an image element; the caller revokes it. A document of a `blob:` address could run scripts as the notebook. */
export function addressOf({ type, data }: Pick<Picture, "type" | "data">): string {
  if (type !== SVG) {
    return URL.createObjectURL(new Blob([data], { type }));
  }
  return `data:${SVG},${Array.from(data, (byte) => ESCAPED[byte]).join("")}`;
}
