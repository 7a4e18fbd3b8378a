import { expect, test } from "vitest";
import {
  cellText,
  decodePoints,
  decodeSprites,
  decodeVectors,
  embeddings,
  pointItems,
} from "../../../src/panels/projector/codec";
import { toFloats } from "../../../src/panels/projector/halves";
import type { AnyCodec } from "../../../src/wire/codec";
import { readSnapshot, snapshotOf } from "../../../src/wire/snapshot";
import { Store } from "../../../src/wire/store";
import reducedPoints from "../../fixtures/reduced_points.json";
import { EMPTY } from "../../wire/made";
import { blobWith, pointsBlob } from "./made";

test("points have their components, variance and columns", () => {
  const points = decodePoints(pointsBlob());
  expect(points).toMatchObject({ count: 3, dimensions: 5, variance: [0.75, 0.25], withoutPlace: 1, columnsLeftOut: 2 });
  expect(points.components.map((plane) => [...plane])).toEqual([
    [1, 2, Number.NaN],
    [10, 20, Number.NaN],
  ]);
  expect(points.notes).toEqual(["metadata.tsv has 4 rows for 3 points"]);
  expect(points.columns.map((column) => [0, 1, 2].map((point) => cellText(column, point)))).toEqual([
    ["cat", "dog", "cat"],
    ["0.5", "", "2"],
  ]);
});

test("a blob is read wherever it begins in its buffer", () => {
  const blob = pointsBlob();
  const moved = new Uint8Array(blob.length + 3);
  moved.set(blob, 3);
  expect(decodePoints(moved.subarray(3))).toEqual(decodePoints(blob));
});

test("an embedding without points or components is one", () => {
  const header = { points: 0, dimensions: 0, components: 0, variance: [], without_place: 0 };
  const empty = blobWith({ ...header, coordinates: { offset: 0 }, columns: [], columns_left_out: 0, notes: [] }, [
    new Float32Array(),
  ]);
  expect(decodePoints(empty)).toMatchObject({ count: 0, components: [], columns: [] });
});

test("truncated and invalid data are damaged, and nothing else", () => {
  const blob = pointsBlob();
  for (let length = 0; length < blob.length - 8; length += 7) {
    expect(pointItems.read(blob.subarray(0, length))).toMatchObject({ value: null, whole: true });
  }
  const wrong = (header: object) => () =>
    decodePoints(
      blobWith(
        {
          ...{ points: 2, dimensions: 1, components: 1, variance: [1], without_place: 0, coordinates: { offset: 0 } },
          ...{ columns: [], ...header },
        },
        [Float32Array.of(1, 2), Uint32Array.of(0, 9)],
      ),
    );
  expect(wrong({})).not.toThrow();
  expect(wrong({ points: -1 })).toThrow(RangeError);
  expect(wrong({ points: 1e12 })).toThrow(RangeError);
  expect(wrong({ components: 11 })).toThrow(RangeError);
  // A code without a text.
  expect(wrong({ columns: [{ name: "a", sort: "text", values: ["x"], offset: 1 }] })).toThrow(RangeError);
});

test("vectors of 16 bits are read with their factor, subnormal numbers and infinities too", () => {
  const halves = Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7c00, 0x7e00, 0x8000);
  const header = { points: 3, dimensions: 128, held: 2, digest: "abc", type: "float16", scale: 4, offset: 0 };
  const vectors = decodeVectors(blobWith(header, [halves]));
  expect(vectors).toMatchObject({ count: 3, dimensions: 128, held: 2, digest: "abc" });
  expect([...toFloats(vectors.values)]).toEqual([4, -8, 4 * 2 ** -24, Number.POSITIVE_INFINITY, Number.NaN, -0]);
});

test("sprites have a grid, and an image of an image's type", () => {
  const header = { width: 2, height: 3, columns: 4, count: 7, offset: 0, bytes: 5, type: "image/png" };
  const image = Uint8Array.of(1, 2, 3, 4, 5);
  expect(decodeSprites(blobWith(header, [image]))).toEqual({
    ...{ width: 2, height: 3, columns: 4, count: 7, type: "image/png" },
    image,
  });
  expect(() => decodeSprites(blobWith({ ...header, type: "text/html" }, [image]))).toThrow(RangeError);
  expect(() => decodeSprites(blobWith({ ...header, columns: 0 }, [image]))).toThrow(RangeError);
});

/** Many points in ten components, with names and a measure. */
function manyPoints(count: number): Uint8Array {
  const numbers = (by: number) => Array.from({ length: count }, (_, i) => Math.sin(i * by));
  const places = Float32Array.from({ length: 10 * count }, (_, i) => 7 * Math.cos(i));
  places[3] = Number.NaN;
  return blobWith(
    {
      ...{ points: count, dimensions: 30, components: 10, variance: Array(10).fill(0.05), without_place: 1 },
      coordinates: { offset: 0 },
      columns: [
        { name: "kind", sort: "text", values: ["bird", "Fülle"], offset: 1 },
        { name: "loss", sort: "number", offset: 2 },
        { name: "half", sort: "number", offset: 3 },
      ],
      columns_left_out: 0,
      notes: [],
    },
    [
      places,
      Uint32Array.from({ length: count }, (_, i) => i % 2),
      Float64Array.from(numbers(0.1)),
      Float64Array.from(numbers(1), (one) => (one > 0 ? 0.5 : Number.NaN)),
    ],
  );
}

test("points that are saved with less have rounded places, and the very values of their columns", () => {
  const blob = manyPoints(1000);
  const [whole, reduced] = [decodePoints(blob), embeddings.reduced(blob) as Uint8Array];
  expect(reduced.length).toBeLessThan(0.4 * blob.length);
  const points = decodePoints(reduced);
  expect(points).toMatchObject({ count: 1000, dimensions: 30, variance: [0.05, 0.05, 0.05], withoutPlace: 1 });
  expect(points.columns).toEqual(whole.columns);
  expect(points.components).toHaveLength(3);
  for (const [axis, plane] of points.components.entries()) {
    const exact = whole.components[axis] as Float32Array;
    const isNear = (value: number, i: number) =>
      Number.isNaN(exact[i]) ? Number.isNaN(value) : Math.abs(value - (exact[i] as number)) <= 7 / 65_000;
    expect(plane.every(isNear)).toBe(true);
  }
  expect(points.notes).toEqual([
    "There was little room to save these points: 3 components, with places rounded to a 65,000th of their range",
  ]);
  expect(embeddings.reduced(reduced)).toBeNull();
  expect(embeddings.reduced(blob.subarray(0, 999))).toBeNull();
});

test("a saved notebook and an exported page hold the same reduced points", () => {
  const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const parts = (blob: Uint8Array) => {
    const begin = 4 + new DataView(blob.buffer).getUint32(0, true);
    return [JSON.parse(new TextDecoder().decode(blob.subarray(4, begin))), blob.subarray(begin)];
  };
  const byPython = bytesOf(reducedPoints.reduced);
  expect(parts(embeddings.reduced(bytesOf(reducedPoints.whole)) as Uint8Array)).toEqual(parts(byPython));
  expect(decodePoints(byPython)).toMatchObject({ count: 300, dimensions: 6, withoutPlace: 1 });
});

test("a page is saved with all of the points where there is room, else with less of each", () => {
  const bytes = manyPoints(1000);
  const store = new Store([embeddings]);
  const key = { kind: "embeddings", run: "a", tag: "words" };
  const rows = [{ id: 1, step: 0n, wall: 1, sample: 0 }];
  store.apply(
    {
      ...{ ...EMPTY, begins: true, ends: true },
      items: [{ ...key, revision: 1, keep: 0, total: 1, superseded: 0, rows }],
      itemPieces: [{ ...key, id: 1, from: 0, size: bytes.length, bytes, reason: null }],
    },
    5000,
  );
  const byKind = new Map<string, AnyCodec>([["embeddings", embeddings]]);
  const saved = (most: number) => {
    const after = new Store([embeddings]);
    after.restore(readSnapshot({ at: 1, messages: snapshotOf(store, most) }, byKind)?.messages ?? [], 1);
    const blob = after.items(embeddings).blob("a", "words", 1).value;
    return blob.state === "held" ? decodePoints(blob.bytes).components.length : blob.state;
  };
  expect(saved(500_000)).toBe(10);
  expect(saved(40_000)).toBe(3);
  expect(saved(5_000)).toBe("absent");
});
