import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { images } from "../../../src/panels/images/kind/codec";
import { PictureSource } from "../../../src/panels/images/source";
import type { Channel } from "../../../src/wire/channel";
import type { DataMessage } from "../../../src/wire/protocol";
import { Requests } from "../../../src/wire/requests";
import { Store } from "../../../src/wire/store";
import { EMPTY } from "../../wire/made";
import { blobOf, placeOf } from "./made";

interface Request {
  readonly type: string;
  readonly id: string;
  readonly args: { readonly images: readonly (readonly unknown[])[]; readonly pixels: number | null };
}

let store: Store;
let requests: Requests;
let sent: Request[];
let source: PictureSource;
let seq: number;

beforeEach(() => {
  vi.useFakeTimers();
  store = new Store([images], 10_000);
  sent = [];
  seq = 0;
  requests = new Requests("page", (message) => sent.push(message as Request), store.assembler);
  source = new PictureSource({ store, requests } as Channel);
  const rows = [1, 2, 3].map((id) => placeOf(id).row);
  const named = { kind: "images", run: "r", tag: "t" };
  apply({ items: [{ ...named, revision: 1, keep: 0, total: 3, superseded: 0, rows }] });
});

afterEach(() => {
  vi.useRealTimers();
});

function apply(more: Partial<DataMessage>): void {
  seq += 1;
  store.apply({ ...EMPTY, seq, begins: seq === 1, ...more }, 0);
}

/** The kernel sends the picture of a row by itself. */
function push(id: number, blob: Uint8Array, reason: string | null = null): void {
  const named = { kind: "images", run: "r", tag: "t", id };
  apply({ itemPieces: [{ ...named, from: 0, size: blob.length, bytes: blob, reason }] });
}

function answer(request: Request | undefined, blob: Uint8Array): void {
  const id = request?.id ?? "";
  requests.apply(
    [{ request: id, ok: true, reason: "", value: [{ size: blob.length }], size: blob.length }],
    [{ request: id, from: 0, size: blob.length, bytes: blob }],
  );
}

const stateOf = (id: number) => source.picture(placeOf(id)).state;

test("what is held is shown at once, and nothing is asked for", () => {
  push(1, blobOf({ width: 100, height: 50 }));
  const end = source.want(placeOf(1), 500);
  vi.advanceTimersByTime(1000);
  expect([stateOf(1), sent]).toEqual(["held", []]);
  end();
});

test("what is missing is asked for, held by the store, and then asked for with more pixels where the tile has them", () => {
  const end = source.want(placeOf(2), 500);
  expect(stateOf(2)).toBe("absent");
  vi.advanceTimersByTime(100);
  expect(sent.map(({ args }) => [args.pixels, args.images])).toEqual([[320, [["r", "t", "2", 0, 1002]]]]);
  answer(sent[0], blobOf({ width: 2000, height: 1000, scaled: [320, 160] }));
  expect([stateOf(2), store.items(images).blob("r", "t", 2).value.state]).toEqual(["held", "held"]);
  vi.advanceTimersByTime(100);
  expect(sent[1]?.args.pixels).toBe(640);
  answer(sent[1], blobOf({ width: 2000, height: 1000, scaled: [640, 320] }));
  const found = source.picture(placeOf(2));
  expect(found.state === "held" && [found.picture.scaled, found.coarse]).toEqual([{ width: 640, height: 320 }, false]);
  vi.advanceTimersByTime(1000);
  expect(sent.length).toBe(2);
  end();
});

test("a tile that is gone before it was asked for is not asked for; one that comes meanwhile neither", () => {
  source.want(placeOf(1), 100)();
  const end = source.want(placeOf(2), 100, true);
  vi.advanceTimersByTime(200);
  push(2, blobOf({}));
  vi.advanceTimersByTime(2000);
  expect([sent, stateOf(2)]).toEqual([[], "held"]);
  end();
});

test("what the kernel cannot send, and what is damaged, says why", () => {
  push(1, new Uint8Array(0), "16384 x 16384 pixels: more than 64 million");
  push(2, Uint8Array.from([9, 9, 9, 9, 9]));
  expect([source.picture(placeOf(1)), stateOf(2)]).toEqual([
    { state: "broken", reason: "16384 x 16384 pixels: more than 64 million" },
    "broken",
  ]);
  const end = source.want(placeOf(3), 100);
  vi.advanceTimersByTime(100);
  requests.apply([{ request: sent[0]?.id ?? "", ok: true, reason: "", value: [{ reason: "empty" }], size: 0 }], []);
  expect(source.picture(placeOf(3))).toEqual({ state: "broken", reason: "empty" });
  end();
  vi.advanceTimersByTime(1);
  // Whoever looks again asks again.
  expect(stateOf(3)).toBe("absent");
});

test("pictures count among what the store holds, and those not on the screen go first", () => {
  const end = source.want(placeOf(1), 100);
  push(1, blobOf({}, new Array(6000).fill(0)));
  push(2, blobOf({}, new Array(6000).fill(0)));
  expect([store.bytes < 10_000, stateOf(1), stateOf(2)]).toEqual([true, "held", "absent"]);
  end();
});
