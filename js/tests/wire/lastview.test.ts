import { beforeEach, describe, expect, test } from "vitest";
import { scalars } from "../../src/lines/codec";
import { Channel } from "../../src/wire/channel";
import { LAST_VIEW_REQUEST } from "../../src/wire/handover";
import { type Answer, answerLastView, type LastViewRequest } from "../../src/wire/lastview";
import { readSnapshot, snapshotOf } from "../../src/wire/snapshot";
import { Store } from "../../src/wire/store";
import { anywidgetTransport } from "../../src/wire/transport";
import { FakeModel } from "./fakemodel";
import { CODECS, message, part } from "./made";

/** A store that has received a keyframe. */
function filled(): Store {
  const store = new Store(CODECS);
  const content = [part("loss", "a", [0, 1, 2]), part("lr", "a", [0, 1])];
  store.apply(message(1, content, { begins: true, ends: true, numbers: new Map([["a", 3]]) }), 5000);
  return store;
}

function steps(store: Store, tag: string): (number | bigint)[] {
  return [...(store.series(scalars).tag(tag)?.byRun.get("a")?.series.step ?? [])];
}

describe("the last view of a page that was left", () => {
  let store: Store;
  let until: AbortController;
  let channel: Channel;

  beforeEach(() => {
    const model = new FakeModel();
    model.traits.set("_last_view", { at: 5000, messages: snapshotOf(filled()) });
    until = new AbortController();
    channel = new Channel(anywidgetTransport(model, "own"), CODECS, until.signal);
    store = channel.store;
    return () => until.abort();
  });

  test("is shown, and dated", () => {
    expect([store.isLastView.value, store.savedAt.value, store.complete]).toEqual([true, 5000, false]);
    expect([steps(store, "loss"), store.runNumbers.value.get("a")]).toEqual([[0, 1, 2], 3]);
  });

  test("continues from there: a keyframe replaces each key that it names, and drops the rest at its end", () => {
    store.apply(message(40, [part("loss", "a", [0, 1, 2, 3])], { keyframe: 7, begins: true }), 9000);
    expect([store.isLastView.value, store.savedAt.value]).toEqual([false, null]);
    expect([steps(store, "loss"), steps(store, "lr")]).toEqual([
      [0, 1, 2, 3],
      [0, 1],
    ]);
    expect(store.runNumbers.value.get("a")).toBe(3);
    store.apply(message(41, [], { keyframe: 7, ends: true }), 9000);
    expect(store.tags.value).toEqual(["loss"]);
  });

  test("stays old while the kernel only reports its presence; then updates join it, for any keyframe", () => {
    store.apply(message(40, [], { keyframe: 1 }), 9000);
    expect([store.isLastView.value, store.savedAt.value]).toEqual([true, 5000]);
    store.apply(message(41, [part("loss", "a", [3], { keep: 3 })], { keyframe: 1 }), 9000);
    expect([store.isLastView.value, store.savedAt.value]).toEqual([false, null]);
    expect(steps(store, "loss")).toEqual([0, 1, 2, 3]);
    store.apply(message(42, [part("loss", "a", [9], { keep: 7 })], { keyframe: 1, ends: true }), 9000);
    expect([steps(store, "lr"), store.complete]).toEqual([[0, 1], false]);
    expect(store.isCoarse(null, "loss")).toBe(true);
  });

  test("says when no kernel is there, unlike a saved page", () => {
    expect(channel.loss.value).toBeNull();
    const model = new FakeModel();
    const host = { comm_live: false, on: () => undefined };
    const dead = Object.assign(model, { widget_manager: { get_model: async () => host } });
    model.traits.set("_last_view", { at: 5000, messages: snapshotOf(filled()) });
    const other = new Channel(anywidgetTransport(dead, "own"), CODECS, until.signal);
    return expect.poll(() => other.loss.value?.why).toBe("ended");
  });

  test("may be anything", () => {
    for (const stored of [
      null,
      5,
      "x",
      {},
      { at: 1, messages: "x" },
      { at: 1, messages: [{ header: "{", buffer: "" }] },
    ]) {
      const model = new FakeModel();
      model.traits.set("_last_view", stored);
      const end = new AbortController();
      const { store: empty } = new Channel(anywidgetTransport(model, "own"), CODECS, end.signal);
      expect([empty.isLastView.value, empty.tags.value]).toEqual([false, []]);
      end.abort();
    }
  });
});

describe("a dashboard that is asked for its last view", () => {
  const el = new EventTarget() as HTMLElement;

  function ask(before: LastViewRequest["before"] = null, most = 100_000): Answer | undefined {
    const detail: LastViewRequest = { most, before };
    el.dispatchEvent(new CustomEvent(LAST_VIEW_REQUEST, { detail }));
    for (let steps = 0; detail.answer !== undefined; steps += 1) {
      const { done, value } = detail.answer.next();
      if (done) {
        return value;
      }
      expect(steps).toBeLessThan(1000);
    }
    return undefined;
  }

  test("answers with its contents, unless they are unchanged", () => {
    const store = filled();
    const until = new AbortController();
    let smoothing = 0.5;
    answerLastView(el, store, () => ({ smoothing }), until.signal);
    const answer = ask();
    expect(answer).toMatchObject({ at: 5000, options: '{"smoothing":0.5}', messages: [{}, {}] });
    expect(ask(answer)).toBeUndefined();
    // A bare status has no new data.
    store.apply(message(2, []), 6000);
    expect(ask(answer)).toBeUndefined();
    smoothing = 0.6;
    expect(ask(answer)).toMatchObject({ options: '{"smoothing":0.6}' });
    store.apply(message(3, [part("loss", "a", [3], { keep: 3 })]), 7000);
    expect(ask(ask(answer))).toBeUndefined();
    until.abort();
    expect(ask()).toBeUndefined();
  });

  test("keeps within its budget: all rows of recently viewed series and few of others", () => {
    const store = new Store(CODECS);
    const rows = Array.from({ length: 1000 }, () => Math.floor(Math.random() * 1e9));
    const tags = Array.from({ length: 100 }, (_, i) => `tag${i}`);
    const content = tags.map((tag) => part(tag, "a", rows));
    store.apply(message(1, content, { begins: true, ends: true }), 5000);
    store.see({}, null, ["tag70", "tag71"]);
    const until = new AbortController();
    answerLastView(el, store, () => ({}), until.signal);
    const { at = 0, messages = [] } = ask(null, 200_000) ?? {};
    expect(JSON.stringify(messages).length).toBeLessThan(200_000);
    const after = new Store(CODECS);
    after.restore(readSnapshot({ at, messages }, after.codecs)?.messages ?? [], at, true);
    const widths = after.tags.value.map((tag) => after.series(scalars).tag(tag)?.byRun.get("a")?.base.width ?? 0);
    const widthOf = (tag: string) => widths[after.tags.value.indexOf(tag)];
    expect([widthOf("tag70"), widthOf("tag0")]).toEqual([1, 1]);
    expect(widths.filter((width) => width > 1).length).toBeGreaterThan(3);
    expect(after.tags.value.length).toBeLessThan(100);
    expect(after.status.value?.leftOut).toBe(0);
    until.abort();
  });

  test("leaves out data that are too large, but not later ones; is empty if all are", () => {
    const store = new Store(CODECS);
    const rows = Array.from({ length: 1000 }, (_, i) => i * i);
    const content = [part("large", "a", rows), part("loss", "a", [0, 1, 2])];
    store.apply(message(1, content, { begins: true, ends: true }), 5000);
    const until = new AbortController();
    answerLastView(el, store, () => ({}), until.signal);
    const { at = 0, messages = [] } = ask(null, 1000) ?? {};
    const after = new Store(CODECS);
    after.restore(readSnapshot({ at, messages }, after.codecs)?.messages ?? [], at, true);
    expect(after.tags.value).toEqual(["loss"]);
    expect(ask(null, 10)?.messages).toEqual([]);
    until.abort();
  });

  test("answers neither with a last view or saved data themselves, nor with nothing", () => {
    const until = new AbortController();
    const store = new Store(CODECS);
    answerLastView(el, store, () => ({}), until.signal);
    expect(ask()).toBeUndefined();
    store.apply(message(1, [], { begins: true, ends: true }), 5000);
    expect(ask()).toBeUndefined();
    until.abort();
  });
});
