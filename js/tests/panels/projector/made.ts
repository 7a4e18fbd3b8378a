// Blobs of embeddings as the kernel makes them.

type Numbers = Float32Array | Float64Array | Uint16Array | Uint32Array | Uint8Array;

/** A blob with a header and arrays; `{ offset: i }` anywhere in the header becomes the offset of the i-th array. */
export function blobWith(header: Readonly<Record<string, unknown>>, arrays: readonly Numbers[]): Uint8Array {
  const padded = (length: number) => Math.ceil(length / 8) * 8;
  const offsets: number[] = [];
  let size = 0;
  for (const { byteLength } of arrays) {
    offsets.push(size);
    size += padded(byteLength);
  }
  const json = JSON.stringify(header, (key, value) => (key === "offset" ? offsets[value as number] : value));
  const text = new TextEncoder().encode(json);
  const begin = padded(4 + text.length);
  const blob = new Uint8Array(begin + size).fill(32, 4, begin);
  new DataView(blob.buffer).setUint32(0, begin - 4, true);
  blob.set(text, 4);
  for (const [i, { buffer, byteOffset, byteLength }] of arrays.entries()) {
    blob.set(new Uint8Array(buffer, byteOffset, byteLength), begin + (offsets[i] as number));
  }
  return blob;
}

/** Three points in two components, with a column of texts and one of numbers. */
export function pointsBlob(): Uint8Array {
  return blobWith(
    {
      ...{ points: 3, dimensions: 5, components: 2, variance: [0.75, 0.25], without_place: 1 },
      coordinates: { offset: 0 },
      columns: [
        { name: "label", sort: "text", values: ["cat", "dog"], offset: 1 },
        { name: "loss", sort: "number", offset: 2 },
      ],
      columns_left_out: 2,
      notes: [{ reason: "metadata.tsv has 4 rows for 3 points" }],
    },
    [
      Float32Array.of(1, 2, Number.NaN, 10, 20, Number.NaN),
      Uint32Array.of(0, 1, 0),
      Float64Array.of(0.5, Number.NaN, 2),
    ],
  );
}
