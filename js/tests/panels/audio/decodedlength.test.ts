import { expect, test } from "vitest";
import { mostSamples } from "../../../src/panels/audio/samples";

const clips = import.meta.glob("../../../../tests/data/clips/*", {
  eager: true,
  query: "?inline",
  import: "default",
});

/** Half a second of 48,000 Hz, one channel. */
function clip(name: string): Uint8Array<ArrayBuffer> {
  const address = clips[`../../../../tests/data/clips/${name}`] as string;
  return Uint8Array.from(atob(address.slice(address.indexOf(",") + 1)), (character) => character.charCodeAt(0));
}

test("the decoded length follows from the frames, not from the header", () => {
  const flac = clip("square.flac");
  expect(mostSamples("audio/flac", flac)).toBe(24_000);
  const lying = flac.slice().fill(0, 18, 26);
  expect(mostSamples("audio/flac", lying)).toBe(24_000);
  // A packet of Opus has 20 ms here, and could have 120.
  const opus = mostSamples("audio/ogg", clip("opus.ogg")) ?? 0;
  expect(opus).toBeGreaterThan(6 * 24_000);
  expect(opus).toBeLessThan(7 * 24_000);
  expect(mostSamples("audio/ogg", clip("vorbis.ogg"))).toBeGreaterThan(24_000);
  expect(mostSamples("audio/mpeg", new Uint8Array(10))).toBe(240);
});

test("a clip of AAC is as long as its frames", () => {
  // One channel of silence at 44,100 Hz: 1,024 samples a frame, which a decoder may expand to four times as many.
  const silence = [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80];
  const frame = [0xff, 0xf1, 0x50, 0x40, 0x01, 0xbf, 0xfc, ...silence];
  const clip = Uint8Array.from(Array(5).fill(frame).flat());
  expect(mostSamples("audio/aac", clip)).toBe(5 * 4096);
  // A missing header at the next frame; a different layout of channels; a container.
  expect(mostSamples("audio/aac", clip.subarray(1))).toBeNull();
  expect(mostSamples("audio/aac", clip.slice().fill(0, 13, 20))).toBeNull();
  expect(mostSamples("audio/aac", Uint8Array.from([...frame.slice(0, 3), 0, ...frame.slice(4)]))).toBeNull();
  expect(mostSamples("audio/mp4", clip)).toBeNull();
});

test("the length of an unknown format is unknown", () => {
  const [flac, opus] = [clip("square.flac"), clip("opus.ogg")];
  expect(mostSamples("audio/flac", flac.subarray(0, 60))).toBeNull();
  const other = opus.slice();
  other.set([0x7f, 0x46, 0x4c, 0x41, 0x43], 28);
  expect(mostSamples("audio/ogg", other)).toBeNull();
  expect(mostSamples("audio/ogg", new Uint8Array(500))).toBeNull();
  expect(mostSamples("audio/aac", flac)).toBeNull();
  // A full search would take long.
  expect(mostSamples("audio/flac", new Uint8Array(6e6).fill(0xff))).toBeNull();
});

test("the packets in the tables of an MP4 file count, not its stated duration", () => {
  const aac = clip("aac.m4a");
  const most = mostSamples("audio/mp4", aac) ?? 0;
  // Half a second at 44,100 Hz: 22 packets and one or two more, each of 1,024 samples that could become sixteen
  // times as many.
  expect(most / (2048 * 8)).toBeGreaterThanOrEqual(22);
  expect(most / (2048 * 8)).toBeLessThanOrEqual(25);
  const at = (name: string) => new TextDecoder("latin1").decode(aac).indexOf(name);
  const changed = (name: string, from: number, bytes: readonly number[]) => {
    const other = aac.slice();
    other.set(bytes, at(name) + from);
    return mostSamples("audio/mp4", other);
  };
  expect(changed("stsz", 12, [0xff, 0xff, 0xff, 0xff])).toBe(2048 * 8 * 0xffffffff);
  // Another encoding, a box that ends beyond the file or before its beginning, later fragments.
  expect(changed("mp4a", 0, [0x61, 0x6c, 0x61, 0x63])).toBeNull();
  expect(changed("moov", -4, [0x7f, 0, 0, 0])).toBeNull();
  expect(changed("mdat", -4, [0, 0, 0, 4])).toBeNull();
  expect(changed("stsz", 0, [0x6d, 0x6f, 0x6f, 0x66])).toBeNull();
  expect(mostSamples("audio/mp4", aac.subarray(0, 20))).toBeNull();
});
