// How the name of an image that is saved ends.

const EXTENSIONS: Readonly<Record<string, string>> = {
  JPEG: "jpg",
  MPO: "jpg",
  JPEG2000: "jp2",
  TIFF: "tif",
};

const TYPES: Readonly<Record<string, string>> = {
  "image/svg+xml": "svg",
  "image/jpeg": "jpg",
  "image/tiff": "tif",
  "image/jp2": "jp2",
};

/** Of a file as written, in a format as Pillow names it; without one, of a MIME type. */
export function extensionOf(format: string | null, type: string): string {
  const name = format !== null ? (EXTENSIONS[format] ?? format) : (TYPES[type] ?? type.replace(/^image\/(x-)?/, ""));
  return /^[a-z0-9]{1,8}$/i.test(name) ? name.toLowerCase() : "bin";
}
