import { expect, test } from "vitest";
import { text as codec, countOf, decodeText, isCut, plainText } from "../../../src/panels/text/codec";
import { countHits, patternOf } from "../../../src/panels/text/marks";
import { ColumnReader } from "../../../src/wire/columns";
import { ColumnWriter } from "../../../src/wire/writer";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test("a text is decoded, and says whether it is all there", () => {
  const whole = decodeText(bytes({ shape: [2, 2], values: ["a", "b", "c", "d"], cut: 0 }));
  expect([countOf(whole), isCut(whole)]).toEqual([4, false]);
  expect(isCut({ ...whole, cut: 3 })).toBe(true);
  expect(isCut({ ...whole, values: ["a"] })).toBe(true);
  expect(isCut({ shape: [0, 5], values: [], cut: 0 })).toBe(false);
});

test.each([
  null,
  [],
  "text",
  {},
  { shape: "2", values: [], cut: 0 },
  { shape: [-1], values: [], cut: 0 },
  { shape: [1.5], values: [], cut: 0 },
  { shape: [1], values: [1], cut: 0 },
  { shape: [1], values: ["a"], cut: -1 },
  { shape: [1], values: ["a"] },
])("%j is no text", (value) => {
  expect(() => decodeText(bytes(value))).toThrow();
});

test("invalid JSON is no text", () => {
  expect(() => decodeText(new Uint8Array([123, 255]))).toThrow();
});

test("plain text keeps rows and columns apart", () => {
  expect(plainText({ shape: [], values: ["a\nb"], cut: 0 })).toBe("a\nb");
  expect(plainText({ shape: [2], values: ["a", "b"], cut: 0 })).toBe("a\nb");
  expect(plainText({ shape: [2, 2], values: ["a", "b", "c", "d"], cut: 0 })).toBe("a\tb\nc\td");
  expect(plainText({ shape: [2, 1, 2], values: ["a", "b", "c", "d"], cut: 0 })).toBe("a\tb\n\nc\td");
  expect(plainText({ shape: [0, 3], values: [], cut: 0 })).toBe("");
});

test("rows come back from a saved page as they were", () => {
  const rows = [4, 0, 2].map((place, id) => ({ id, step: BigInt(id), wall: id, place }));
  const writer = new ColumnWriter();
  const entry = codec.encodeRows(rows, writer);
  const reader = new ColumnReader(
    writer.table,
    new DataView(Uint8Array.from(atob(writer.base64()), (c) => c.charCodeAt(0)).buffer),
  );
  expect(
    codec.decodeRows(
      entry,
      reader,
      rows.map(({ id, step, wall }) => ({ id, step, wall })),
    ),
  ).toEqual(rows);
});

test("words are found as they stand, upper and lower case alike", () => {
  const count = (words: string, text: string) => countHits(text, patternOf(words) ?? /$^/);
  expect(count("A.b", "a.b A.B axb")).toBe(2);
  expect(count("(", "((")).toBe(2);
  expect(count("é", "É")).toBe(1);
  expect(count("-/[", "x-/[")).toBe(1);
  expect(count("🔥", "🔥🔥")).toBe(2);
  expect(patternOf("")).toBeNull();
});
