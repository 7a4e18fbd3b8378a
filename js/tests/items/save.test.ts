import { beforeEach, expect, test } from "vitest";
import { type Candidate, ItemGathering } from "../../src/items/save";
import { type ImageRow, imageItems } from "../../src/panels/images/codec";
import { type Picture, pictureIn } from "../../src/panels/images/picture";
import { CacheBudget } from "../../src/wire/cache";
import { Assembler } from "../../src/wire/pieces";
import type { ClientMessage } from "../../src/wire/protocol";
import { Requests } from "../../src/wire/requests";
import { blobOf, placeOf, reasonOf } from "../panels/images/made";
import { settled } from "../wire/tracked";

type Image = Candidate<ImageRow, Picture>;

let sent: ClientMessage[];
let requests: Requests;

beforeEach(() => {
  sent = [];
  requests = new Requests("page", (message) => sent.push(message), new Assembler(new CacheBudget(1e9)));
});

/** An image with this header and data in the browser. */
function candidate(id: number, header: Record<string, unknown> | null, data: readonly number[] = [id]): Image {
  const picture = header === null ? null : pictureIn(blobOf(header, data));
  if (typeof picture === "function") {
    throw new Error(picture());
  }
  return { ...placeOf(id), revision: 1, numbered: false, value: picture };
}

const gather = (...images: readonly Image[]) => new ItemGathering(imageItems, images, requests, "images");
const whole = (id: number) => candidate(id, { size: 1 });
const small = (id: number) => candidate(id, { size: 900, scaled: [4, 4] });

/** The ids in the last request. */
function asked(): number[] {
  const last = sent.at(-1);
  const images =
    last?.type === "request" ? (last.args as { images: readonly (readonly [string, string, string])[] }).images : [];
  return images.map(([, , step]) => Number(step));
}

/** Answers the last request: with a file for each image, a reason, or "later". */
async function answer(...parts: (readonly number[] | string)[]): Promise<void> {
  const blobs = parts.map((part) =>
    typeof part === "string" ? null : blobOf({ format: "TIFF", type: "image/tiff" }, part),
  );
  const value = parts.map((part, i) => (part === "later" ? { later: true } : (sizeOf(blobs[i]) ?? { reason: part })));
  const bytes = Uint8Array.from(blobs.flatMap((blob) => [...(blob ?? [])]));
  const last = sent.at(-1);
  const request = last?.type === "request" ? last.id : "";
  const entry = { request, ok: true, reason: "", value, size: bytes.length };
  requests.apply([entry], bytes.length === 0 ? [] : [{ request, from: 0, bytes, size: bytes.length }]);
  await settled();
}

const sizeOf = (blob: Uint8Array | null | undefined) => blob && { size: blob.length };

test("files that the page has byte for byte are not requested", async () => {
  const isAsWritten = ({ value }: Image) => imageItems.files.written(value as Picture) !== null;
  expect(isAsWritten(whole(1))).toBe(true);
  expect(isAsWritten(small(1))).toBe(false);
  expect(isAsWritten(candidate(1, { size: 1, notes: [reasonOf("first of 4 frames")] }))).toBe(false);
  expect(isAsWritten(candidate(1, { size: 2 }))).toBe(false);
  const gathering = gather(whole(1), whole(2));
  expect(gathering.left.value).toBe(0);
  expect(sent).toEqual([]);
  expect(gathering.files().map((file) => [...(file?.bytes ?? [])])).toEqual([[1], [2]]);
});

test("the rest is asked for as it was written, without its header", async () => {
  const gathering = gather(whole(1), small(2), candidate(3, null));
  expect(gathering.left.value).toBe(2);
  expect(sent.at(-1)).toMatchObject({ name: "images.pictures", args: { pixels: null, written: true } });
  expect(asked()).toEqual([2, 3]);
  await answer([22, 23], [33]);
  expect(gathering.left.value).toBe(0);
  expect(gathering.files()).toMatchObject([
    { written: true, extension: "png" },
    { written: true, extension: "tif", bytes: Uint8Array.from([22, 23]) },
    { written: true, extension: "tif", bytes: Uint8Array.from([33]) },
  ]);
});

test("postponed files are requested again, refused ones are not", async () => {
  const gathering = gather(small(1), small(2), candidate(3, null), small(4));
  await answer([11], "later", "gone", "later");
  expect(asked()).toEqual([2, 4]);
  expect(gathering.left.value).toBe(2);
  await answer([22], [44]);
  expect(gathering.left.value).toBe(0);
  expect(gathering.files().map((file) => file && [file.written, ...file.bytes])).toEqual([
    [true, 11],
    [true, 22],
    null,
    [true, 44],
  ]);
});

test("an answer of nothing but later does not ask for ever", async () => {
  const gathering = gather(small(1), small(2));
  await answer("later", "later");
  await answer("later");
  expect(gathering.left.value).toBe(0);
  expect(gathering.files().every((file) => file?.written === false)).toBe(true);
});

test("many are asked for in turn", async () => {
  const gathering = gather(...Array.from({ length: 100 }, (_, i) => small(i)));
  expect(asked()).toHaveLength(64);
  await answer(...asked().map((id) => [id]));
  expect(gathering.left.value).toBe(36);
  expect(asked()).toEqual(Array.from({ length: 36 }, (_, i) => 64 + i));
});

test("a user who does not wait gets the loaded files", async () => {
  const gathering = gather(whole(1), small(2), candidate(3, null));
  gathering.end();
  expect(gathering.files()).toMatchObject([{ written: true }, { written: false, extension: "png" }, null]);
});

test("a refusal of all leaves the loaded files", async () => {
  const gathering = gather(small(1));
  const last = sent.at(-1);
  const request = last?.type === "request" ? last.id : "";
  requests.apply([{ request, ok: false, reason: "no", value: null, size: 0 }], []);
  await settled();
  expect(gathering.left.value).toBe(0);
  expect(gathering.files()).toMatchObject([{ written: false }]);
});
