import { expect, test } from "vitest";
import { scalars } from "../../src/lines/codec";
import { decode, type Status } from "../../src/wire/protocol";
import type { SavedAnswer } from "../../src/wire/requests";
import { exposeSnapshot, readSnapshot, snapshotOf } from "../../src/wire/snapshot";
import { Store } from "../../src/wire/store";
import { BY_KIND, CODECS, part, pointRows } from "./made";
import { recorded } from "./messages";

/** A store with all recorded data: points, buckets, steps beyond 2^53, missing values. */
function filled(): Store {
  const store = new Store(CODECS);
  for (const { header, buffer } of recorded()) {
    const message = decode(header, [buffer], BY_KIND);
    if (message !== null) {
      store.apply({ ...message, details: [] }, 5000);
    }
  }
  return store;
}

function contents(store: Store): unknown {
  return store.tags.value.map((tag) => [
    tag,
    [...(store.series(scalars).tag(tag)?.byRun ?? [])].map(([run, { base }]) => [run, { ...base, version: 0 }]),
  ]);
}

test("saved data equal the store's", () => {
  const before = filled();
  const text = JSON.stringify({ at: 5000, messages: snapshotOf(before) });
  const saved = readSnapshot(JSON.parse(text), BY_KIND);
  const after = new Store(CODECS);
  after.restore(saved?.messages ?? [], saved?.at ?? 0);
  expect(contents(after)).toEqual(contents(before));
  expect([after.savedAt.value, after.receivedAt.value]).toEqual([5000, 5000]);
  const { places: _, directories: __, ...status } = before.status.value as Status;
  expect(after.status.value).toEqual({
    ...status,
    age: null,
    problemList: before.problems.value,
    directories: [["", "runs"]],
  });
  expect(after.problems.value).toEqual(before.problems.value);
  // An existing kernel has to send all of its data.
  expect([after.complete, after.seq]).toEqual([false, 0]);
});

test("to a saved page no more comes, even if its logs were still being read; a last view waits for the kernel", () => {
  const before = new Store(CODECS);
  const [first] = recorded();
  const message = first && decode(first.header, [first.buffer], BY_KIND);
  if (message) {
    before.apply({ ...message, status: { ...message.status, ready: false }, ends: false }, 5000);
  }
  expect([before.status.value?.ready, before.settled.value]).toEqual([false, false]);
  const saved = readSnapshot({ at: 5000, messages: snapshotOf(before) }, BY_KIND);
  const settled = [false, true].map((isLastView) => {
    const after = new Store(CODECS);
    after.restore(saved?.messages ?? [], 5000, isLastView);
    return after.settled.value;
  });
  expect(settled).toEqual([true, false]);
});

test("a series in buckets is saved with the verdict on smoothing", () => {
  const [message] = recorded();
  const decoded = message && decode(message.header, [message.buffer], BY_KIND);
  const store = new Store(CODECS);
  const rows = pointRows([3, 7], [1, 2]);
  if (decoded) {
    const held = [true, false, undefined].map((smoothable, i) =>
      part(`tag${i}`, "a", [3, 7], { rows, width: 4, total: 8, smoothable }),
    );
    store.apply({ ...decoded, series: held }, 6000);
  }
  const after = new Store(CODECS);
  after.restore(readSnapshot({ at: 1, messages: snapshotOf(store) }, BY_KIND)?.messages ?? [], 1);
  const said = [0, 1, 2].map((i) => after.series(scalars).tag(`tag${i}`)?.byRun.get("a")?.base.smoothable);
  expect(said).toEqual([true, false, undefined]);
});

test("saved data contain neither the path of the logs nor the redacted texts", () => {
  const store = filled();
  const [message] = recorded();
  const decoded = message && decode(message.header, [message.buffer], BY_KIND);
  if (decoded === undefined || decoded === null) {
    throw new Error("nothing was recorded");
  }
  const places = [
    ["/home/me/{new, old: x/y}", "{new, old}"],
    ["/home/me/x/y", "old"],
    ["/home/me", "~"],
  ] as const;
  const { places: _, directories: __, problemList: ___, ...before } = decoded.status;
  const status = { ...before, path: "/home/me/{new, old: x/y}" };
  const directories = [
    ["new", "/home/me/new"],
    ["old", "/home/me/x/y"],
  ] as const;
  const madeOf = { code: "error", args: { type: "OSError", detail: "'/home/me/x/y/a/events'", more: ["/home/me"] } };
  const problemList = [{ path: "old/a", offset: null, message: "no such file: '/home/me/x/y/a'", madeOf }];
  const failed = [{ kind: "scalars", run: "old/a", tag: "loss", reason: "OSError: '/home/me/x/y/a/events'", madeOf }];
  const first = { from: 0, left: 2, list: places.slice(0, 1) };
  store.apply({ ...decoded, seq: 8, status: { ...status, places: first, directories, problemList }, failed }, 6000);
  // Before the rest has arrived, something could be sent.
  expect(snapshotOf(store)).toEqual([]);
  const rest = { from: 1, left: 0, list: places.slice(1) };
  store.apply({ ...decoded, seq: 9, status: { ...status, places: rest } }, 6500);
  store.apply({ ...decoded, seq: 10, status }, 7000);
  const headers = snapshotOf(store).map(({ header }) => JSON.parse(header));
  expect(JSON.stringify(headers)).not.toContain("/home/me");
  expect(headers.map((header) => header.status.path)).toEqual(["{new, old}", "{new, old}"]);
  expect(headers[0].status).not.toHaveProperty("places");
  expect(headers[0].status.directories).toEqual([
    ["new", "new"],
    ["old", "old"],
  ]);
  expect(headers[1].failed.map((entry: { reason: string }) => entry.reason)).toEqual(["OSError: 'old/a/events'"]);
  const args = { type: "OSError", detail: "'old/a/events'", more: ["~"] };
  expect(headers[1].failed[0]).toMatchObject({ code: "error", arguments: args });
  expect(headers[1].status.problem_list).toEqual([["old/a", null, "no such file: 'old/a'", "error", args]]);
});

test("a copy of the state has the present data, and the state itself never changes", () => {
  const store = filled();
  const state = {};
  exposeSnapshot(state, store);
  const copy = structuredClone(state) as { messages: unknown[] };
  expect(readSnapshot(copy, BY_KIND)?.messages).toHaveLength(2);
  expect(Object.getOwnPropertyDescriptor(state, "messages")?.value).toBeUndefined();
  for (const strange of [undefined, null, 5, "x", Object.freeze({})]) {
    exposeSnapshot(strange, store);
  }
});

test("answers that are kept are saved, unless they are large, and damaged ones cost nothing else", () => {
  const state = {};
  const answer = (name: string, length: number): SavedAnswer => {
    return { name, args: { best: "max" }, answer: { value: { n: 1 }, data: new Uint8Array(length).fill(7) } };
  };
  exposeSnapshot(state, filled(), () => [answer("panel.large", 1e6), answer("panel.small", 10)]);
  const text = JSON.stringify(state);
  const saved = readSnapshot(JSON.parse(text), BY_KIND);
  expect(saved?.answers).toEqual([answer("panel.small", 10)]);
  expect(saved?.messages).toHaveLength(2);
  for (const answers of [7, [null], [{ name: "a", args: 3, data: "" }], [{ name: "a", args: {}, data: "%" }]]) {
    const damaged = readSnapshot({ ...JSON.parse(text), answers }, BY_KIND);
    expect([damaged?.messages.length, damaged?.answers]).toEqual([2, []]);
  }
});

test("nothing is restored from nothing, from damage, or from another version", () => {
  const messages = snapshotOf(filled());
  const nothings = [undefined, {}, { at: 5 }, { at: 5, messages: [] }, { at: 5, messages: [{ header: 3 }] }];
  const other = JSON.stringify({ ...JSON.parse(messages[0]?.header ?? ""), protocol: 99 });
  for (const value of [...nothings, { at: 5, messages: [{ header: other, buffer: "" }] }, { at: "x", messages }]) {
    expect(readSnapshot(value, BY_KIND)?.messages ?? []).toEqual([]);
  }
  const empty = {};
  exposeSnapshot(empty, new Store(CODECS));
  expect(readSnapshot(structuredClone(empty), BY_KIND)).toBeNull();
});

test("data that do not fit are saved in few rows, recently viewed ones in full, and the size is bounded", () => {
  const store = filled();
  const [message] = recorded();
  const decoded = message && decode(message.header, [message.buffer], BY_KIND);
  const steps = Float64Array.from({ length: 4000 }, (_, i) => Math.floor((1e9 * i * 0.618033988749) % 1e9));
  const tags = Array.from({ length: 20 }, (_, i) => `tag${i}`);
  const series = tags.map((tag) => part(tag, "a", [...steps]));
  if (decoded) {
    store.apply({ ...decoded, seq: 9, series }, 6000);
  }
  store.see({}, null, ["tag7", "tag3"]);
  const [one] = snapshotOf(store, 400_000);
  expect(JSON.stringify(one).length).toBeLessThan(400_000);
  const kept = new Store(CODECS);
  kept.restore(readSnapshot({ at: 1, messages: [one] }, BY_KIND)?.messages ?? [], 1);
  const widths = (tag: string) => kept.series(scalars).tag(tag)?.byRun.get("a")?.base.width;
  expect([widths("tag7"), widths("tag3")]).toEqual([1, 1]);
  expect(tags.filter((tag) => widths(tag) === 1).length).toBeLessThan(8);
  expect(tags.filter((tag) => widths(tag) === undefined)).toEqual([]);
});

test("the first message of a kernel replaces saved data", () => {
  const saved = readSnapshot({ at: 5000, messages: snapshotOf(filled()) }, BY_KIND);
  const store = new Store(CODECS);
  store.restore(saved?.messages ?? [], saved?.at ?? 0);
  const [message] = recorded();
  const decoded = message && decode(message.header, [message.buffer], BY_KIND);
  if (decoded) {
    store.apply({ ...decoded, series: [part("other", "b", [1, 2])] }, 7000);
  }
  expect([store.savedAt.value, store.tags.value, store.runs.value]).toEqual([null, ["other"], ["b"]]);
});
