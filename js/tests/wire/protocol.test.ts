import { expect, test } from "vitest";
import type { SeriesPart } from "../../src/lines/series";
import { ProtocolError } from "../../src/wire/columns";
import { type DataMessage, decode } from "../../src/wire/protocol";
import { BY_KIND } from "./made";
import { recorded } from "./messages";

/** A message of scalars. */
function decoded(index: number): Omit<DataMessage, "series"> & { readonly series: readonly SeriesPart[] } {
  const message = recorded()[index];
  const data = message && decode(message.header, [message.buffer], BY_KIND);
  if (!data) {
    throw new Error(`no message ${index}`);
  }
  return { ...data, series: data.series as readonly SeriesPart[] };
}

test("a keyframe of the kernel's decodes", () => {
  const { seq, keyframe, begins, ends, status, series } = decoded(0);
  expect([seq, keyframe, begins, ends]).toEqual([1, 1, true, true]);
  expect(status).toMatchObject({ ready: true, exists: true, problems: 1, leftOut: 0, newest: 1700000004, age: null });
  const madeOf = { code: "damaged-record", args: { bytes: 36493, cause: "header" } };
  expect(status.problemList).toEqual([
    { path: "a/events", offset: "12", message: "damaged record: 36 kB skipped", madeOf },
  ]);
  expect(series.map((part) => [part.tag, part.run])).toEqual([
    ["loss", "a"],
    ["loss", "b"],
    ["big", "a"],
    ["odd/steps", "a"],
  ]);
  const [loss, , big, odd] = series;
  expect(big?.rows.step).toEqual(BigInt64Array.of(1n, 9007199254740993n, 9223372036854775807n));
  expect(loss?.rows.step).toEqual(Float64Array.of(0, 10, 20, 30));
  expect(loss?.rows.value).toEqual(Float64Array.of(1, 0.5, Number.NaN, 0.25));
  expect(odd?.rows.step).toEqual(Float64Array.of(5, -2, 5, 7));
  expect(odd?.rows.value).toEqual(Float64Array.of(0.1, Number.NEGATIVE_INFINITY, 1e300, 0));
});

test("steps that series share are decoded once", () => {
  const [first, second] = decoded(0).series;
  expect(first?.rows.step).toBe(second?.rows.step);
});

test("news continue where the last message ended", () => {
  const { seq, begins, series } = decoded(1);
  expect([seq, begins, series.length]).toEqual([2, false, 1]);
  expect(series[0]).toMatchObject({ run: "a", tag: "loss", keep: 4, total: 6 });
  expect(series[0]?.rows.step).toEqual(Float64Array.of(40, 50));
});

test("buckets say what they hold, also those that continue", () => {
  const [first] = decoded(2).series;
  expect(first).toMatchObject({ tag: "long", revision: 7, keep: 0, width: 4, total: 10, startWall: 1.7e9 });
  expect(first?.rows).toEqual({
    first: Float64Array.of(0, 16, 64),
    step: Float64Array.of(9, 49, 81),
    wall: Float64Array.of(1.7e9 + 4, 1.7e9 + 9, 1.7e9 + 12),
    value: Float64Array.of(3, Number.NaN, 5),
    min: Float64Array.of(1, Number.NaN, 5),
    max: Float64Array.of(6, Number.NaN, 5),
    count: Uint32Array.of(4, 0, 1),
  });
  const [then] = decoded(3).series;
  expect(then).toMatchObject({ keep: 2, width: 4, total: 13 });
  expect(then?.rows.count).toEqual(Uint32Array.of(3, 1));
  expect(then?.rows.value).toEqual(Float64Array.of(Math.fround(8 / 3), 8.25));
});

test("points bring wall times, and the same columns where buckets have others", () => {
  const [loss] = decoded(0).series;
  expect(loss?.startWall).toBe(1700000001);
  expect(loss?.rows.wall).toEqual(Float64Array.from([1, 2, 3, 4], (second) => 1.7e9 + second));
  expect(loss?.rows.first).toBe(loss?.rows.step);
  expect(loss?.rows.max).toBe(loss?.rows.value);
  expect(loss?.rows.count).toEqual(Uint32Array.of(1, 1, 0, 1));
});

test("other senders' messages are ignored", () => {
  expect(decode({ type: "echo" }, [], BY_KIND)).toBeNull();
  expect(decode(null, [], BY_KIND)).toBeNull();
  expect(decode([1], [], BY_KIND)).toBeNull();
});

test("another version is an error", () => {
  expect(() => decode({ type: "data", protocol: 0 }, [], BY_KIND)).toThrow(ProtocolError);
});

test("an unreadable entry affects no other", () => {
  const [first] = recorded();
  const cut = first && new DataView(first.buffer.buffer, first.buffer.byteOffset, 32);
  const message = cut && decode(first.header, [cut], BY_KIND);
  expect(message?.series.map(({ run, tag }) => [run, tag])).toEqual([
    ["a", "loss"],
    ["b", "loss"],
  ]);
  expect(message?.failed.map(({ run, tag, reason }) => [run, tag, reason])).toEqual([
    ["a", "big", "This page cannot read it (ProtocolError: a column beyond the buffer)"],
    ["a", "odd/steps", "This page cannot read it (ProtocolError: a column beyond the buffer)"],
  ]);
  expect(message?.damaged).toBe(false);
});
