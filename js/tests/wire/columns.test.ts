import { expect, test } from "vitest";
import { ColumnReader, ProtocolError } from "../../src/wire/columns";
import { ColumnWriter } from "../../src/wire/writer";

function reader(table: readonly unknown[], bytes: readonly number[] = []): ColumnReader {
  return new ColumnReader(table, new DataView(Uint8Array.from(bytes).buffer));
}

test("written data are read back the same, in any type on the wire", () => {
  const writer = new ColumnWriter();
  const columns = [
    Float64Array.of(3, 5, 7),
    Float64Array.of(0.1, Number.NaN, -0),
    Float64Array.of(0.5, Number.NEGATIVE_INFINITY, 1e30),
    BigInt64Array.of(2n ** 60n, -1n),
    new Float64Array(0),
  ];
  const rows = columns.map((column) => writer.add(column));
  const bytes = writer.addBytes(Uint8Array.of(7, 8, 9));
  const text = atob(writer.base64());
  const read = reader(
    writer.table,
    [...text].map((character) => character.charCodeAt(0)),
  );
  expect(rows.map((row) => read.steps(row))).toEqual(
    columns.map((column, i) => (i === 2 ? Float64Array.from(column as Float64Array, Number) : column)),
  );
  expect(read.bytes(bytes)).toEqual(Uint8Array.of(7, 8, 9));
  expect(read.floats(bytes)).toEqual(Float64Array.of(7, 8, 9));
});

test("a column is decoded once, and bytes are not copied", () => {
  const buffer = Uint8Array.of(1, 0, 2, 0).buffer;
  const read = new ColumnReader(
    [
      ["u2", 2, 0],
      ["u1", 4, 0],
    ],
    new DataView(buffer),
  );
  expect(read.floats(0)).toEqual(Float64Array.of(1, 2));
  expect(read.steps(0)).toBe(read.steps(0));
  expect(read.bytes(1).buffer).toBe(buffer);
});

test.each([
  ["no such column", [], 0],
  ["no list", [5], 0],
  ["another type", [["f16", 1, 0]], 0],
  ["a length below zero", [["f8", -1, 0]], 0],
  ["a length that is none", [["u1", 1.5, 0]], 0],
  ["beyond the buffer", [["f8", 2, 8]], 16],
  ["before the buffer", [["f8", 1, -8]], 16],
  ["a range that would fill the memory", [["range", 2 ** 40, 0, 1]], 0],
  ["ranges that would together", Array.from({ length: 40 }, () => ["range", 2 ** 20, 0, 1]), 0],
])("%s is no column", (_, table, bytes) => {
  const read = reader(table, Array(bytes).fill(0));
  expect(() => {
    for (let i = 0; i < Math.max(1, table.length); i += 1) {
      read.steps(i);
    }
  }).toThrow(ProtocolError);
});
