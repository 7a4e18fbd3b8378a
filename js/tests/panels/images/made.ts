// Pictures and rows made for tests.

import type { ImagePlace } from "../../../src/panels/images/codec";

/** A blob as the kernel encodes it. */
export function blobOf(header: Record<string, unknown>, data: readonly number[] = [0]): Uint8Array<ArrayBuffer> {
  const whole = {
    type: "image/png",
    format: "PNG",
    width: 8,
    height: 8,
    size: 99,
    scaled: null,
    animated: false,
    notes: [],
  };
  const text = new TextEncoder().encode(JSON.stringify({ ...whole, ...header }));
  const blob = new Uint8Array(4 + text.length + data.length);
  new DataView(blob.buffer).setUint32(0, text.length, true);
  blob.set(text, 4);
  blob.set(data, 4 + text.length);
  return blob;
}

/** A reason as the kernel sends it, with a code that no table has. */
export function reasonOf(reason: string): Record<string, unknown> {
  return { reason, code: "made-up", arguments: {} };
}

export function placeOf(id: number, tag = "t"): ImagePlace {
  return { tag, run: "r", row: { id, step: BigInt(id), wall: 1000 + id, sample: 0 } };
}
