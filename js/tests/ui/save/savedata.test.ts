import { signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SeriesRows } from "../../../src/lib/seriestext";
import { scalarsTable } from "../../../src/lines/codec";
import { DataSaver, type DataTarget } from "../../../src/ui/save/savedata";
import type { TableKind } from "../../../src/ui/save/tablekind";
import type { View } from "../../../src/ui/view";
import { CacheBudget } from "../../../src/wire/cache";
import { Assembler } from "../../../src/wire/pieces";
import type { ClientMessage } from "../../../src/wire/protocol";
import { Requests } from "../../../src/wire/requests";
import { eventually } from "../../lib/eventually";

const ROWS: SeriesRows = {
  step: Float64Array.of(1),
  wall: Float64Array.of(5),
  lengths: null,
  columns: [Float64Array.of(0.25)],
};

let sent: ClientMessage[];
let requests: Requests;
/** Names of files, in the order in which the browser got them. */
let files: string[];
let saver: DataSaver;

beforeEach(() => {
  sent = [];
  files = [];
  requests = new Requests("page", (message) => sent.push(message), new Assembler(new CacheBudget(1e9)));
  const appended = new Set<unknown>();
  vi.stubGlobal("document", {
    body: { append: (link: unknown) => appended.add(link) },
    createElement: () => ({
      click() {
        expect(appended).toContain(this);
        files.push((this as unknown as HTMLAnchorElement).download);
      },
      remove() {
        appended.delete(this);
      },
    }),
  });
  // Each part of a long table takes its time, and the page continues in between.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1000;
    return now;
  });
  saver = saverOf(() => ROWS);
});

afterEach(() => {
  saver.end();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A saver of a single series with one point. */
function saverOf(rows: () => SeriesRows): DataSaver {
  const kind: TableKind = {
    ...scalarsTable("scalars"),
    held: (tag) => [{ run: "r", tag, total: 1, count: 1, rows }],
  };
  return new DataSaver(kind, { channel: { requests, store: { savedAt: signal(null) } } } as unknown as View);
}

const begin = (target: DataTarget, name = "loss") => saver.begin(target, ["loss"], name, {} as Element);
const state = () => saver.job.value?.state;
const doneText = () => (saver.job.value?.state === "done" ? saver.job.value.text : null);

/** Answers the last request. */
async function answer(): Promise<void> {
  const last = sent.findLast(({ type }) => type === "request");
  const request = last?.type === "request" ? last.id : "";
  const bytes = new Uint8Array([BigInt64Array.of(1n), Float64Array.of(5, 0.25)].flatMap(bytesOf));
  const value = [{ first: 0, rows: 1, cells: 1, total: 1, revision: 1 }];
  requests.apply(
    [{ request, ok: true, reason: "", value, size: bytes.length }],
    [{ request, from: 0, bytes, size: bytes.length }],
  );
  await Promise.resolve();
}

function bytesOf({ buffer }: BigInt64Array | Float64Array): number[] {
  return [...new Uint8Array(buffer)];
}

test("a table is waited for, written and saved, and all of that is told", async () => {
  begin("csv");
  expect(state()).toBe("waits");
  await answer();
  expect([state(), files]).toEqual(["writing", []]);
  await eventually(() => expect(doneText()).toBe("1 point saved"));
  expect(files).toEqual(["loss.csv"]);
});

test("a request during the writing of a table is saved, too", async () => {
  begin("csv");
  await answer();
  begin("json", "other");
  await eventually(() => expect(files).toEqual(["loss.csv"]));
  expect(state()).toBe("waits");
  await answer();
  expect(state()).toBe("writing");
  await eventually(() => expect(doneText()).toBe("1 point saved"));
  expect(files).toEqual(["loss.csv", "other.json"]);
});

test("a table whose menu is gone is written to its end, and says nothing", async () => {
  begin("csv");
  await answer();
  saver.end();
  await eventually(() => expect(files).toEqual(["loss.csv"]));
  expect(saver.job.value).toBeNull();
});

test("where there is no room for a table, that is said", async () => {
  saver = saverOf(() => {
    throw new RangeError("Array buffer allocation failed");
  });
  begin("csv");
  saver.finish();
  await eventually(() => expect(doneText()).toContain("Array buffer allocation failed"));
  expect(files).toEqual([]);
  begin("copy");
  saver.finish();
  // Nothing was to be saved.
  await eventually(() => expect(doneText()).toBe("Failed: RangeError: Array buffer allocation failed"));
});
