import { expect, test } from "vitest";
import { formatCount } from "../../../src/lib/format";
import { type ClipRow, clipItems, clips, readClip } from "../../../src/panels/audio/codec";
import { clock, factsOf, hertz, playTime } from "../../../src/panels/audio/facts";
import { ColumnReader } from "../../../src/wire/columns";
import { reasonTemplates } from "../../../src/wire/reasons";
import { ColumnWriter } from "../../../src/wire/writer";
import { blobOf } from "./sounds";

const SAID = {
  ...{ type: "audio/wav", rate: 16_000, channels: 1, frames: 32_000, label: "**a**", size: 64_044 },
  ...{ whole: true, written: true, notes: [], problem: null },
};

const ROW: ClipRow = { id: 3, step: 2n ** 62n + 1n, wall: 1.7e9, sample: 1 };

test("rows come back as they were saved", () => {
  const writer = new ColumnWriter();
  const rows = [ROW, { ...ROW, id: 4, sample: 0 }];
  const entry = clips.encodeRows(rows, writer);
  const bytes = Uint8Array.from(atob(writer.base64()), (letter) => letter.charCodeAt(0));
  const columns = new ColumnReader(writer.table, new DataView(bytes.buffer));
  const common = rows.map(({ id, step, wall }) => ({ id, step, wall }));
  expect(clips.decodeRows(entry, columns, common)).toEqual(rows);
});

test("a blob describes the clip, and contains its bytes", () => {
  const clip = readClip(blobOf(SAID, Uint8Array.of(1, 2, 3)));
  expect(clip).toEqual({ ...SAID, data: Uint8Array.of(1, 2, 3) });
});

test("notes and problems are worded in the page", () => {
  const reason = { reason: "8 Hz, played at 8,000 Hz", code: "audio-resampled", arguments: { rate: 8, played: 8000 } };
  const clip = readClip(blobOf({ ...SAID, notes: [reason], problem: { ...reason, reason: "empty" } }));
  expect([clip.notes, clip.problem]).toEqual([["8 Hz, played at 8,000 Hz"], "empty"]);
  reasonTemplates.set("en", { "audio-resampled": "{played:,} statt {rate}" });
  try {
    expect([clip.notes, clip.problem, clipItems.read(blobOf({ ...SAID, problem: reason })).problem]).toEqual([
      [`${formatCount(8000)} statt 8`],
      `${formatCount(8000)} statt 8`,
      `${formatCount(8000)} statt 8`,
    ]);
  } finally {
    reasonTemplates.delete("en");
  }
});

test("any description in a blob gives a clip", () => {
  for (const blob of [new Uint8Array(0), Uint8Array.of(255, 255, 255, 255), blobOf("{"), blobOf("null")]) {
    expect(readClip(blob).problem).toBeTypeOf("string");
  }
  const strange = readClip(blobOf({ type: "text/html", rate: -1, channels: "2", frames: null, label: 7, notes: 7 }));
  const nothing = { type: "", rate: null, channels: null, frames: null, label: "", size: 0, notes: [] };
  expect(strange).toEqual({ ...nothing, whole: false, written: false, problem: null, data: new Uint8Array(0) });
});

test("times and rates as people read them", () => {
  expect([playTime(0, 2), playTime(1.234, 12), playTime(65.04, 200)]).toEqual([
    "0.00 / 2.00\u202fs",
    "1.2 / 12.0\u202fs",
    "1:05.0 / 3:20.0",
  ]);
  expect([clock(59.99, 61), clock(0.5)]).toEqual(["1:00.0", "0.50\u202fs"]);
  expect([hertz(44_100), hertz(11_025), hertz(440)]).toEqual(["44.1 kHz", "11.025 kHz", "440 Hz"]);
  expect(factsOf(readClip(blobOf(SAID)))).toBe("16 kHz, mono, 64.0 kB");
});

test("the extension of a saved clip follows from its type, otherwise from its bytes", () => {
  const { answered, written } = clipItems.files;
  const extension = (clip: object, bytes: Uint8Array) =>
    written(readClip(blobOf({ ...SAID, ...clip }, bytes)))?.extension;
  const flac = new Uint8Array([0x66, 0x4c, 0x61, 0x43, 0]);
  expect([extension({}, flac), extension({ type: "audio/strange" }, flac)]).toEqual(["wav", "flac"]);
  expect([answered(flac).extension, answered(flac.slice(1)).extension]).toEqual(["flac", "bin"]);
  expect([extension({ written: false }, flac), extension({ whole: false }, flac)]).toEqual([undefined, undefined]);
});
