import { expect, test } from "vitest";
import { decode } from "../../src/wire/protocol";
import { lendSaved, messagesOf, readSaved } from "../../src/wire/saved";
import { Store } from "../../src/wire/store";
import { part } from "./made";
import { recorded } from "./messages";

/** All that was recorded: points, buckets, steps beyond 2^53, values that are none. */
function filled(): Store {
  const store = new Store();
  for (const { header, buffer } of recorded()) {
    const message = decode(header, [buffer]);
    if (message !== null) {
      store.apply({ ...message, details: [] }, 5000);
    }
  }
  return store;
}

function contents(store: Store): unknown {
  return store.tags.value.map((tag) => [
    tag,
    [...(store.tag(tag)?.byRun ?? [])].map(([run, { base }]) => [run, { ...base, version: 0 }]),
  ]);
}

test("what is saved is what was held", () => {
  const before = filled();
  const text = JSON.stringify({ at: 5000, messages: messagesOf(before) });
  const saved = readSaved(JSON.parse(text));
  const after = new Store();
  after.restore(saved ?? { at: 0, messages: [] });
  expect(contents(after)).toEqual(contents(before));
  expect([after.savedAt.value, after.heardAt.value]).toEqual([5000, 5000]);
  expect(after.status.value).toEqual({ ...before.status.value, age: null, problemList: before.problems.value });
  expect(after.problems.value).toEqual(before.problems.value);
  // A kernel that is still there has to send all that it has.
  expect([after.complete, after.seq]).toEqual([false, 0]);
});

test("whoever copies the state finds what is held then, and the state itself never changes", () => {
  const store = filled();
  const state = {};
  lendSaved(state, store);
  const copy = structuredClone(state) as { messages: unknown[] };
  expect(readSaved(copy)?.messages).toHaveLength(1);
  expect(Object.getOwnPropertyDescriptor(state, "messages")?.value).toBeUndefined();
  for (const strange of [undefined, null, 5, "x", Object.freeze({})]) {
    lendSaved(strange, store);
  }
});

test("nothing is restored from nothing, from damage, or from another version", () => {
  const messages = messagesOf(filled());
  const nothings = [undefined, {}, { at: 5 }, { at: 5, messages: [] }, { at: 5, messages: [{ header: 3 }] }];
  const other = { ...(messages[0]?.header as object), protocol: 99 };
  for (const value of [...nothings, { at: 5, messages: [{ header: other, buffer: "" }] }, { at: "x", messages }]) {
    expect(readSaved(value)?.messages ?? []).toEqual([]);
  }
  const empty = {};
  lendSaved(empty, new Store());
  expect(readSaved(structuredClone(empty))).toBeNull();
});

test("what does not fit is saved in few rows, what was seen last in full, and the size is bounded", () => {
  const store = filled();
  const [message] = recorded();
  const decoded = message && decode(message.header, [message.buffer]);
  const steps = Float64Array.from({ length: 4000 }, () => Math.floor(Math.random() * 1e9));
  const tags = Array.from({ length: 20 }, (_, i) => `tag${i}`);
  const series = tags.map((tag) => part(tag, "a", [...steps]));
  if (decoded) {
    store.apply({ ...decoded, seq: 9, series }, 6000);
  }
  store.see(["tag7", "tag3"]);
  const [one] = messagesOf(store, 400_000);
  expect(JSON.stringify(one).length).toBeLessThan(400_000);
  const kept = new Store();
  kept.restore(readSaved({ at: 1, messages: [one] }) ?? { at: 0, messages: [] });
  const widths = (tag: string) => kept.tag(tag)?.byRun.get("a")?.base.width;
  expect([widths("tag7"), widths("tag3")]).toEqual([1, 1]);
  expect(tags.filter((tag) => widths(tag) === 1).length).toBeLessThan(8);
  expect(tags.filter((tag) => widths(tag) === undefined)).toEqual([]);
});

test("the first message of a kernel takes the place of what was saved", () => {
  const saved = readSaved({ at: 5000, messages: messagesOf(filled()) });
  const store = new Store();
  store.restore(saved ?? { at: 0, messages: [] });
  const [message] = recorded();
  const decoded = message && decode(message.header, [message.buffer]);
  if (decoded) {
    store.apply({ ...decoded, series: [part("other", "b", [1, 2])] }, 7000);
  }
  expect([store.savedAt.value, store.tags.value, store.runs.value]).toEqual([null, ["other"], ["b"]]);
});
