import { afterEach, describe, expect, it, vi } from "vitest";
import { KernelModel, LateSender, restored } from "../../src/jupyterlab/dashboards";
import type { SessionContext } from "../../src/jupyterlab/host";
import { LastViewSaver } from "../../src/jupyterlab/lastviewsaver";
import {
  LastViewStorage,
  MAX_AGE_MS,
  MAX_CHARACTERS,
  MAX_VIEW_CHARACTERS,
  roomFor,
} from "../../src/jupyterlab/lastviewstorage";
import { PROTOCOL } from "../../src/wire/columns";
import { handOver, LAST_VIEW_REQUEST, onHandedOver } from "../../src/wire/handover";
import type { Answer, LastViewRequest } from "../../src/wire/lastview";
import { header, kernelOf, message } from "./notebook";

const LAST_VIEW = { at: 1, messages: [{ header: "{}", buffer: "" }], options: '{"smoothing":0.3}' };

afterEach(() => vi.unstubAllGlobals());

describe("the storage of last views", () => {
  it("is missing if the browser has none, or allows none", async () => {
    for (const indexedDB of [undefined, { open: () => failing() }]) {
      vi.stubGlobal("indexedDB", indexedDB);
      const store = new LastViewStorage();
      await store.put("key", LAST_VIEW);
      expect(await store.get("key")).toBeNull();
    }
  });

  it("has space for the newest, up to a number of characters and an age", () => {
    const views = Array.from({ length: 6 }, (_, i) => ({ at: MAX_AGE_MS - i, size: MAX_VIEW_CHARACTERS }));
    const hasRoom = roomFor(MAX_AGE_MS);
    const fits = views.map(({ at, size }) => hasRoom(at, size));
    expect(fits).toEqual([true, true, true, true, false, false]);
    expect(fits.filter(Boolean).length * MAX_VIEW_CHARACTERS).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect([roomFor(0)(3600_000, 1), roomFor(0)(1e300, 1)]).toEqual([true, false]);
    const later = roomFor(2 * MAX_AGE_MS + 1);
    expect([later(MAX_AGE_MS + 1, 10), later(MAX_AGE_MS, 10), later(0, 10)]).toEqual([true, false, false]);
  });
});

describe("a view read from the storage of last views", () => {
  const now = 1e12;
  const found = { key: "key", protocol: PROTOCOL, size: 1, ...LAST_VIEW, at: now };
  const long = { header: "{}", buffer: "x".repeat(MAX_VIEW_CHARACTERS) };

  it("equals the stored one", async () => {
    const [view, dropped] = await read(found, now);
    expect(view).toEqual({ ...LAST_VIEW, at: now });
    expect(dropped).toEqual([]);
    expect((await read({ ...found, protocol: -1 }, now))[1]).toEqual([]);
  });

  it.each([
    ["is older than all that is stored", { at: now - MAX_AGE_MS - 1 }],
    ["never grows old", { at: 1e300 }],
    ["has more messages than would have been stored", { messages: new Array(5).fill(long) }],
    ["has a longer text than would have been stored", { options: "x".repeat(MAX_CHARACTERS + 1) }],
    ["has messages that are none", { messages: [{ header: 1, buffer: "" }] }],
    ["has no messages", { messages: null }],
  ])("is nothing, and dropped, where it %s", async (_why, other) => {
    expect(await read({ ...found, ...other }, now)).toEqual([null, ["key"]]);
  });
});

/** Read a view from a row of the storage. Returns it with the keys that were dropped. */
async function read(row: object, now: number): Promise<[view: unknown, dropped: readonly string[]]> {
  const dropped: string[] = [];
  const views = { get: () => succeeding(row), delete: (key: string) => dropped.push(key) };
  const database = { transaction: () => ({ objectStore: () => views }) };
  vi.stubGlobal("indexedDB", { open: () => succeeding(database) });
  const view = await new LastViewStorage().get("key", now);
  await Promise.resolve();
  return [view, dropped];
}

function succeeding(result: unknown): unknown {
  const request: { onsuccess?: () => void; result: unknown } = { result };
  queueMicrotask(() => request.onsuccess?.());
  return request;
}

/** A request of a database that is refused. */
function failing(): unknown {
  const request: { onerror?: () => void; error: Error } = { error: new Error("not in a private window") };
  queueMicrotask(() => request.onerror?.());
  return request;
}

describe("a dashboard that is restored", () => {
  it("has its former options, if it has any, and those that only the output knows", () => {
    const shown = { id: "id", protocol: 1, state: { _board: "cell", smoothing: 0.6 } };
    const _last_view = { at: 1, messages: LAST_VIEW.messages };
    expect(restored(shown, LAST_VIEW).state).toEqual({ _board: "cell", smoothing: 0.3, _last_view });
    for (const options of ["", "[]", "3", "{"]) {
      expect(restored(shown, { ...LAST_VIEW, options }).state).toEqual({ ...shown.state, _last_view });
    }
  });
});

describe("options set on a dashboard that could not send them", () => {
  it("are pending and unsent ones, the newest value of each", () => {
    const until = new AbortController();
    const { kernel } = kernelOf();
    const session = { session: null } as unknown as { session: unknown };
    const sender = new LateSender(session as SessionContext, "id", until.signal);
    const model = new KernelModel({ smoothing: 0.1, panel: "scalars" }, sender);
    for (const smoothing of [0.2, 0.3]) {
      model.set("smoothing", smoothing);
      model.save_changes();
      model.send({ type: "here" });
    }
    model.set("panel", "images");
    expect([sender.unsent, model.unsaved]).toEqual([{ smoothing: 0.3 }, { panel: "images" }]);
    session.session = { kernel };
    sender.heard(message("comm_msg", "id", { method: "custom", content: { status: { cell: true } } }));
    expect(sender.unsent).toEqual({});
    until.abort();
  });

  it("is taken over by the dashboard that is handed it", () => {
    const root = new EventTarget();
    const until = new AbortController();
    const taken: unknown[] = [];
    onHandedOver(root, (options) => taken.push(options), until.signal);
    handOver(root as Element, { smoothing: 0.3 });
    handOver(null, { smoothing: 0.4 });
    until.abort();
    handOver(root as Element, { smoothing: 0.5 });
    expect(taken).toEqual([{ smoothing: 0.3 }]);
  });
});

describe("the storage of a page's last views", () => {
  it("listens while a dashboard exists", () => {
    vi.useFakeTimers();
    const page = new EventTarget();
    const [added, removed] = [vi.spyOn(page, "addEventListener"), vi.spyOn(page, "removeEventListener")];
    vi.stubGlobal("document", page);
    vi.stubGlobal("window", page);
    const lastViews = new LastViewSaver(new LastViewStorage());
    const ends = [new AbortController(), new AbortController()];
    for (const { signal } of ends) {
      lastViews.watch(() => "key", { querySelector: () => null } as unknown as HTMLElement, signal);
    }
    expect(added).toHaveBeenCalledTimes(2);
    ends[0]?.abort();
    expect(removed).not.toHaveBeenCalled();
    ends[1]?.abort();
    expect(removed).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it("keeps the others where one of them cannot be read, and nothing of one that has been closed", async () => {
    vi.useFakeTimers();
    const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
    vi.stubGlobal("document", page);
    vi.stubGlobal("window", page);
    const store = new LastViewStorage();
    const [put, forget] = [vi.spyOn(store, "put").mockResolvedValue(), vi.spyOn(store, "forget").mockResolvedValue()];
    const lastViews = new LastViewSaver(store);
    const [until, closed] = [new AbortController(), new AbortController()];
    lastViews.watch(() => "bad", rootThatAnswers(damaged), until.signal);
    lastViews.watch(() => "good", rootThatAnswers(answering), until.signal);
    lastViews.watch(() => "closed", rootThatAnswers(answering), closed.signal);
    closed.abort();
    lastViews.forget("closed");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(put.mock.calls.map(([key]) => key)).toEqual(["good"]);
    page.dispatchEvent(new Event("pagehide"));
    expect(put.mock.calls.map(([key]) => key)).toEqual(["good", "good"]);
    expect(forget.mock.calls).toEqual([["closed"]]);
    until.abort();
    vi.useRealTimers();
  });
});

function rootThatAnswers(reading: () => Generator<void, Answer>): HTMLElement {
  const root = new EventTarget();
  root.addEventListener(LAST_VIEW_REQUEST, (event) => {
    (event as CustomEvent<LastViewRequest>).detail.answer = reading();
  });
  return { querySelector: () => root } as unknown as HTMLElement;
}

// biome-ignore lint/correctness/useYield: it ends before its first step
function* damaged(): Generator<void, Answer> {
  throw new Error("cannot be read");
}

function* answering(): Generator<void, Answer> {
  yield;
  return { at: 1, changes: 1, options: "{}", messages: [{ header: "{}", buffer: "" }] };
}

describe("the connection to a kernel that does not exist yet", () => {
  const busy = { method: "custom", content: { status: { cell: true } } };
  const idle = { method: "custom", content: { status: { cell: false } } };

  it("opens when a cell runs, and brings earlier messages", async () => {
    const { kernel, shell, control, made } = kernelOf();
    const until = new AbortController();
    const session = { session: null } as unknown as { session: unknown };
    const sender = new LateSender(session as SessionContext, "id", until.signal);
    expect(sender.send(1)).not.toBe(sender.send(2));
    sender.heard(message("comm_msg", "id", busy));
    session.session = { kernel };
    sender.heard(message("comm_msg", "id", idle));
    expect(control).toEqual([]);
    sender.heard(message("comm_msg", "id", busy));
    sender.heard(message("comm_msg", "id", busy));
    made.resolve({ content: { subshell_id: "sub" } });
    await vi.waitFor(() => expect(shell).toHaveLength(2));
    expect(sender.send(3)).toBe(header(shell[2], "msg_id"));
    expect(shell.map(({ content }) => (content as { data: unknown }).data)).toEqual([1, 2, 3]);
    until.abort();
    expect(control).toHaveLength(2);
  });

  it("keeps options where many messages wait", async () => {
    const { kernel, shell, info } = kernelOf();
    const until = new AbortController();
    const sender = new LateSender({ session: { kernel } } as unknown as SessionContext, "id", until.signal);
    const [here, option] = [
      { method: "custom", content: { type: "here" } },
      { method: "update", state: { smoothing: 0.5 } },
    ];
    sender.send(option);
    for (let i = 0; i < 150; i++) {
      sender.send(here);
    }
    sender.send(option);
    sender.heard(message("comm_msg", "id", busy));
    info.resolve(null);
    await vi.waitFor(() => expect(shell).toHaveLength(100));
    const sent = shell.map(({ content }) => (content as { data: { method: string } }).data.method);
    expect(sent.filter((method) => method === "update")).toHaveLength(2);
    until.abort();
  });
});
