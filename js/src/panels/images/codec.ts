// Images as they travel: an index of steps and samples, and a picture behind each row. Twin of tbwidget/panels/images.py.

import { type ItemFile, type ItemPlace, unreadable } from "../../items/kind";
import type { SavedKind } from "../../items/save";
import { formatCount } from "../../lib/format";
import { listOf } from "../../lib/texts";
import type { ItemRow, ItemsCodec } from "../../wire/codec";
import { integer } from "../../wire/columns";
import type { TagItems } from "../../wire/items";
import { numbersOf } from "../../wire/steps";
import { type Picture, pictureIn, pixelsOf, THUMBNAIL, unpack } from "./picture";
import { imageTexts } from "./texts";

export interface ImageRow extends ItemRow {
  /** Which of the images that were written together it is. */
  readonly sample: number;
}

/** One image of the logs. */
export type ImagePlace = ItemPlace<ImageRow>;

export type TagImages = TagItems<ImageRow>;

export const images: ItemsCodec<ImageRow> = {
  sort: "items",
  kind: "images",
  decodeRows: ({ sample }, columns, common) => {
    const samples = columns.steps(integer(sample));
    return common.map((row, i) => ({ ...row, sample: Number(samples[i] ?? 0) }));
  },
  encodeRows: (rows, columns) => ({ sample: columns.add(numbersOf(rows, ({ sample }) => sample)) }),
};

/** Extensions of files as written, by what Pillow calls their format; others are the format's name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  JPEG: "jpg",
  MPO: "jpg",
  JPEG2000: "jp2",
  TIFF: "tif",
};

const EXTENSIONS_OF_TYPES: Readonly<Record<string, string>> = {
  "image/svg+xml": "svg",
  "image/jpeg": "jpg",
  "image/tiff": "tif",
  "image/jp2": "jp2",
};

/** The extension of a file as written, by Pillow's name of its format; without a format, by its MIME type. */
export function extensionOf(format: string | null, type: string): string {
  const name =
    format !== null ? (EXTENSIONS[format] ?? format) : (EXTENSIONS_OF_TYPES[type] ?? type.replace(/^image\/(x-)?/, ""));
  return /^[a-z0-9]{1,8}$/i.test(name) ? name.toLowerCase() : "bin";
}

/** Longer side of the picture to ask for, so that it has `pixels` (Infinity: all); null where the one held is as good. */
export function sharperThan(picture: Pick<Picture, "width" | "height" | "scaled">, pixels: number): number | null {
  const held = pixelsOf(picture);
  const most = Math.max(picture.width, picture.height);
  const needed = Math.min(most, pixels);
  if (picture.scaled === null || needed <= Math.max(held.width, held.height)) {
    return null;
  }
  const next = THUMBNAIL * 2 ** Math.ceil(Math.log2(needed / THUMBNAIL));
  return next >= most ? Number.POSITIVE_INFINITY : next;
}

/** The file as it was written, where the browser has every byte of it. */
function writtenFile({ scaled, size, data, notes, format, type }: Picture): ItemFile | null {
  const isWhole = scaled === null && notes.length === 0 && size === data.length;
  return isWhole ? { bytes: data, written: true, extension: extensionOf(format, type) } : null;
}

export const imageItems: SavedKind<ImageRow, Picture> = {
  codec: images,
  baseSize: THUMBNAIL,
  read: (blob) => {
    const found = pictureIn(blob);
    return typeof found === "function" ? unreadable(found) : { value: found, problem: null, whole: true };
  },
  larger: sharperThan,
  request: {
    name: "images.pictures",
    most: 64,
    patienceMs: 500,
    get damaged() {
      return imageTexts().damagedPicture;
    },
    args: (wanted, size, written) => ({
      images: wanted.map(({ run, tag, row: { step, sample, wall } }) => {
        return [run, tag, step.toString(), sample, Number.isFinite(wall) ? wall : 0];
      }),
      pixels: Number.isFinite(size) ? size : null,
      written,
    }),
  },
  files: {
    written: writtenFile,
    shown: ({ data, type }) => ({ bytes: data, written: false, extension: extensionOf(null, type) }),
    answered: (blob) => {
      const { header, data } = unpack(blob);
      const format = typeof header.format === "string" ? header.format : null;
      return { bytes: data, written: true, extension: extensionOf(format, String(header.type)) };
    },
    get heading() {
      return imageTexts().saveHeading;
    },
    get nowHint() {
      return imageTexts().saveNowHint;
    },
    counted: (count, n) => imageTexts().counted(count, n),
    saved: ({ written, shown, missing, files }) => {
      const parts = [
        written > 0 ? imageTexts().savedAsWritten(formatCount(written)) : "",
        shown > 0 ? imageTexts().savedAsShown(formatCount(shown)) : "",
        missing > 0 ? imageTexts().leftUnsaved(formatCount(missing)) : "",
        files.some(({ extension }) => extension === "svg") ? imageTexts().drawingsSaved : "",
      ];
      return listOf(parts.filter((part) => part !== ""));
    },
  },
};
