import { expect, test } from "vitest";
import { type DataMessage, decode, ProtocolError } from "../../src/wire/protocol";
import { recorded } from "./messages";

function decoded(index: number): DataMessage {
  const message = recorded()[index];
  const data = message && decode(message.header, [message.buffer]);
  if (!data) {
    throw new Error(`no message ${index}`);
  }
  return data;
}

test("a keyframe of the kernel's decodes", () => {
  const { seq, keyframe, begins, ends, status, series } = decoded(0);
  expect([seq, keyframe, begins, ends]).toEqual([1, 1, true, true]);
  expect(status).toMatchObject({ ready: true, exists: false, problems: 1, leftOut: 0, newest: 1700000004, age: null });
  expect(status.problemList).toEqual([{ path: "a/events", offset: "12", message: "bad checksum" }]);
  expect(series.map((part) => [part.tag, part.run])).toEqual([
    ["big", "a"],
    ["loss", "a"],
    ["loss", "b"],
    ["odd/steps", "a"],
  ]);
  const [big, loss, , odd] = series;
  expect(big?.steps.exact).toEqual(BigInt64Array.of(1n, 9007199254740993n, 9223372036854775807n));
  expect(loss?.steps).toEqual({ drawn: Float64Array.of(0, 10, 20, 30), exact: null });
  expect(loss?.values).toEqual(Float32Array.of(1, 0.5, Number.NaN, 0.25));
  expect(odd?.steps.drawn).toEqual(Float64Array.of(5, -2, 5, 7));
  expect(odd?.values).toEqual(Float64Array.of(0.1, Number.NEGATIVE_INFINITY, 1e300, 0));
});

test("steps that series share are decoded once", () => {
  const [, first, second] = decoded(0).series;
  expect(first?.steps).toBe(second?.steps);
});

test("news continue where the last message ended", () => {
  const { seq, begins, series } = decoded(1);
  expect([seq, begins, series.length]).toEqual([2, false, 1]);
  expect(series[0]).toMatchObject({ run: "a", tag: "loss", base: 1, keep: 4, total: 6 });
  expect(series[0]?.steps.drawn).toEqual(Float64Array.of(40, 50));
});

test("messages of others are none of ours", () => {
  expect(decode({ type: "echo" }, [])).toBeNull();
  expect(decode(null, [])).toBeNull();
  expect(decode([1], [])).toBeNull();
});

test("another version is an error", () => {
  expect(() => decode({ type: "data", protocol: 0 }, [])).toThrow(ProtocolError);
});

test("a column beyond the buffer is an error", () => {
  const [first] = recorded();
  expect(() => decode(first?.header, [new DataView(new ArrayBuffer(8))])).toThrow(ProtocolError);
});
