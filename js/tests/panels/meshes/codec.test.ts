import { expect, test } from "vitest";
import { type Batch, readBatch } from "../../../src/panels/meshes/codec";
import { plyOf } from "../../../src/panels/meshes/item";
import { SQUARE, sampleOf } from "./made";

/** A blob as Python makes it. */
function blobOf(fields: object, ...arrays: ArrayBufferView[]): Uint8Array {
  const json = JSON.stringify(fields);
  const header = json.padEnd(Math.ceil((4 + json.length) / 8) * 8 - 4);
  const parts = arrays.map(({ buffer }) => new Uint8Array(buffer as ArrayBuffer));
  const size = parts.reduce((sum, part) => sum + Math.ceil(part.length / 8) * 8, 0);
  // Within a message, a blob begins anywhere.
  const bytes = new Uint8Array(1 + 4 + header.length + size).subarray(1);
  new DataView(bytes.buffer).setUint32(1, header.length, true);
  bytes.set(new TextEncoder().encode(header), 4);
  let at = 4 + header.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += Math.ceil(part.length / 8) * 8;
  }
  return bytes;
}

const SAMPLE = { vertices: 3, faces: 1, places: 0, triangles: 40, colors: 56 };
const PLACES = Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7, Number.NaN);
const FACES = Uint32Array.of(0, 1, 2);
const COLORS = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
const REST = { scene: { shade: "flat", left_out: ["lights"] }, notes: [{ reason: "left out", code: "mesh-faces" }] };

test("a blob is read without a copy of its arrays, wherever it begins", () => {
  const batch = readBatch(blobOf({ samples: [SAMPLE], ...REST }, PLACES, FACES, COLORS)) as Batch;
  const [sample] = batch.samples;
  expect(sample?.planes.map((plane) => [...plane])).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, Number.NaN],
  ]);
  expect([...(sample?.triangles ?? [])]).toEqual([0, 1, 2]);
  expect([...(sample?.colors ?? [])]).toEqual([...COLORS]);
  expect([batch.scene, batch.leftOut, batch.notes]).toEqual([{ shade: "flat" }, ["lights"], ["left out"]]);
});

test("a point cloud has neither faces nor colors", () => {
  const cloud = { vertices: 3, faces: 0, places: 0, triangles: null, colors: null };
  const batch = readBatch(blobOf({ samples: [cloud], ...REST }, PLACES)) as Batch;
  expect([batch.samples[0]?.triangles, batch.samples[0]?.colors]).toEqual([null, null]);
});

test("a damaged blob is said to be damaged", () => {
  const whole = blobOf({ samples: [SAMPLE], ...REST }, PLACES, FACES, COLORS);
  for (const blob of [
    new Uint8Array(0),
    whole.subarray(0, 20),
    whole.subarray(0, whole.length - 20),
    blobOf({ samples: [{ ...SAMPLE, vertices: 1e9 }], ...REST }, PLACES, FACES, COLORS),
    blobOf({ samples: [{ ...SAMPLE, places: 3 }], ...REST }, PLACES, FACES, COLORS),
    blobOf({ samples: [SAMPLE], ...REST }, PLACES, Uint32Array.of(0, 1, 3), COLORS),
    blobOf({ samples: 1, ...REST }),
    blobOf([]),
  ]) {
    expect(readBatch(blob)).toBe("Damaged mesh: it cannot be read");
  }
});

test("meshes are saved as one PLY file", () => {
  const colored = sampleOf([[1, 2, 3]], null, [[7, 8, 9]]);
  const alone = plyOf([colored]);
  const text = new TextDecoder("latin1").decode(alone);
  const end = text.indexOf("end_header\n") + "end_header\n".length;
  expect(text.slice(0, end).split("\n").slice(0, 4)).toEqual([
    "ply",
    "format binary_little_endian 1.0",
    "element vertex 1",
    "property float x",
  ]);
  const data = new DataView(alone.buffer, end);
  expect([0, 4, 8].map((at) => data.getFloat32(at, true))).toEqual([1, 2, 3]);
  expect([...alone.subarray(end + 12)]).toEqual([7, 8, 9]);
  const both = plyOf([SQUARE, SQUARE]);
  const header = new TextDecoder("latin1").decode(both);
  const from = header.indexOf("end_header\n") + "end_header\n".length;
  expect(header).toContain("element vertex 8\n");
  expect(header).not.toContain("uchar red");
  const faces = new DataView(both.buffer, from + 8 * 12);
  expect(faces.byteLength).toBe(4 * 13);
  expect([faces.getUint8(39), faces.getUint32(40, true), faces.getUint32(48, true)]).toEqual([3, 4, 7]);
});
