import { expect, test } from "vitest";
import { parseWav } from "../../../src/panels/audio/samples";
import { wavOf } from "./sounds";

function read(file: Uint8Array, channel = 0): number[] | null {
  const found = parseWav(file);
  if (found === null) {
    return null;
  }
  const into = new Float32Array(found.frames);
  found.read(channel, 0, into);
  return [...into];
}

const bytesOf = (numbers: ArrayBufferView) => new Uint8Array(numbers.buffer);

test("samples of each width are from -1 to 1", () => {
  const half = [-1, 0, 0.5];
  expect(read(wavOf(Uint8Array.of(0, 128, 192), { width: 1 }))).toEqual(half);
  expect(read(wavOf(bytesOf(Int16Array.of(-32768, 0, 16384))))).toEqual(half);
  expect(read(wavOf(Uint8Array.of(0, 0, 0x80, 0, 0, 0, 0, 0, 0x40), { width: 3 }))).toEqual(half);
  expect(read(wavOf(bytesOf(Int32Array.of(-(2 ** 31), 0, 2 ** 30)), { width: 4 }))).toEqual(half);
  const floats = bytesOf(Float32Array.of(-1, Number.NaN, 0.5));
  expect(read(wavOf(floats, { coding: 3, width: 4 }))).toEqual(half);
  expect(read(wavOf(Uint8Array.of(0xff, 0xff, 0x7f), { width: 3 }))?.[0]).toBeCloseTo(1, 6);
});

test("channels lie side by side, and reading may begin anywhere", () => {
  const file = wavOf(bytesOf(Int16Array.of(0, 8192, 16384, -8192)), { channels: 2, rate: 44_100 });
  expect([read(file, 0), read(file, 1)]).toEqual([
    [0, 0.5],
    [0.25, -0.25],
  ]);
  const second = new Float32Array(1);
  parseWav(file)?.read(1, 1, second);
  expect([second[0], parseWav(file)?.rate]).toEqual([-0.25, 44_100]);
});

test("missing samples are left out, and earlier chunks are skipped", () => {
  const data = bytesOf(Int16Array.of(0, 16384, 3));
  expect(read(wavOf(data, { size: 0xffffffff }))?.length).toBe(3);
  expect(read(wavOf(data).subarray(0, 49))).toEqual([0, 0.5]);
  const before = Uint8Array.of(0x4c, 0x49, 0x53, 0x54, 3, 0, 0, 0, 1, 2, 3, 0);
  expect(read(wavOf(data, { before }))?.[1]).toBe(0.5);
});

test("other files, and encodings that only browsers know, give null", () => {
  const data = Uint8Array.of(1, 2, 3, 4);
  expect(parseWav(data)).toBeNull();
  expect(parseWav(wavOf(data, { coding: 7, width: 1 }))).toBeNull();
  expect(parseWav(wavOf(data, { rate: 0 }))).toBeNull();
  expect(parseWav(wavOf(data, { channels: 0 }))).toBeNull();
  for (let length = 0; length < 44; length += 1) {
    expect(parseWav(wavOf(data).subarray(0, length))).toBeNull();
  }
  expect(parseWav(wavOf(data).subarray(0, 44))?.frames).toBe(0);
});
