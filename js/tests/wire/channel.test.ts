import { effect } from "@preact/signals";
import { expect, test, vi } from "vitest";
import { Channel } from "../../src/wire/channel";
import { HERE, SILENCE, startHeartbeat } from "../../src/wire/connection";
import { anywidgetTransport } from "../../src/wire/transport";
import { addView, bucketed, channel, end, model, useFakeChannel } from "./fakechannel";
import { CODECS } from "./made";
import { recorded } from "./messages";
import { tracked } from "./tracked";

useFakeChannel();

function bytesOf(index: number): string {
  const buffer = recorded()[index]?.buffer;
  return String.fromCharCode(
    ...new Uint8Array(buffer?.buffer ?? new ArrayBuffer(0), buffer?.byteOffset, buffer?.byteLength),
  );
}

test("greets once, and says whether all was seen; further views are here", () => {
  model.receive(0);
  const { id } = channel.addView(end.signal);
  const other = channel.addView(end.signal);
  expect(model.sent).toEqual([
    { type: "hello", complete: true, views: [id] },
    { type: "here", complete: true, views: [id, other.id] },
  ]);
  expect(channel.askedAt.value).toBeNull();
});

test("a greeting before any message is a question", () => {
  const { id } = channel.addView(end.signal);
  expect(model.sent).toEqual([{ type: "hello", complete: false, views: [id] }]);
  expect(channel.askedAt.value).not.toBeNull();
  model.receive(0);
  expect(channel.askedAt.value).toBeNull();
});

test("a gap requests everything again, but not with every message", () => {
  model.receive(1);
  model.receive(1);
  expect(model.sent).toEqual([{ type: "resync", complete: false }]);
  vi.setSystemTime(1_010_000);
  model.receive(1);
  expect(model.sent).toHaveLength(2);
});

test("a kernel that is gone does no harm", () => {
  model.dead = true;
  channel.addView(end.signal);
  expect(channel.askedAt.value).not.toBeNull();
});

test("another version of the protocol is said", () => {
  model.emit("msg:custom", { type: "data", protocol: 99 }, []);
  expect(channel.store.failed.value).toBe(true);
});

test("a good message ends the trouble with another version", () => {
  model.emit("msg:custom", { type: "data", protocol: 99 }, []);
  model.receive(0);
  expect(channel.store.failed.value).toBe(false);
});

test("a damaged message counts as lost: everything is requested again, until a valid one arrives", () => {
  model.emit("msg:custom", { ...(recorded()[0]?.header as object), columns: 5 }, []);
  expect(channel.store.failed.value).toBe(false);
  expect(model.sent).toEqual([{ type: "resync", complete: false }]);
  expect(channel.askedAt.value).not.toBeNull();
  model.receive(0);
  expect(channel.askedAt.value).toBeNull();
});

test("an exception of a view does not affect the message", () => {
  channel.addView(end.signal);
  const stop = effect(() => {
    if (channel.store.receivedAt.value !== null) {
      throw new Error("a view's");
    }
  });
  model.receive(0);
  stop();
  // The browser logs it in its console.
  expect(() => vi.runOnlyPendingTimers()).toThrow("a view's");
  expect([channel.store.failed.value, channel.askedAt.value]).toEqual([false, null]);
  expect(channel.store.complete).toBe(true);
});

test("nothing listens after the end", () => {
  end.abort();
  expect([...model.listeners.values()].every((callbacks) => callbacks.size === 0)).toBe(true);
});

test("signs of life are sent while a view exists", () => {
  const { id } = addView();
  model.receive(0);
  vi.advanceTimersByTime(HERE * 2500);
  const here = { type: "here", complete: true, views: [id] };
  expect(model.sent).toEqual([here, here]);
  end.abort();
  expect(model.sent).toHaveLength(3);
  expect(model.sent.at(-1)).toEqual({ type: "bye", view: id });
  vi.advanceTimersByTime(HERE * 5000);
  expect(model.sent).toHaveLength(3);
});

test("a hidden page gives no sign of life, and gives one at once when it is shown", () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  let said = 0;
  const say = () => {
    said += 1;
  };
  startHeartbeat(page as unknown as Document, say, end.signal);
  vi.advanceTimersByTime(HERE * 3000);
  expect(said).toBe(0);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  expect(said).toBe(1);
});

test("a kernel that comes back is told the viewport and the open requests", () => {
  model.receive(0);
  const viewport = addView();
  viewport.report({ kinds: null, tags: ["loss"], range: null, near: null, linked: null });
  vi.advanceTimersByTime(400);
  const pending = tracked(channel.requests.ask("images.blob", { id: 1 }, end.signal));
  expect(channel.loss.value).toBeNull();
  vi.advanceTimersByTime(40_000);
  expect(channel.loss.value?.why).toBe("silent");
  model.sent.length = 0;
  model.receive(1);
  vi.advanceTimersByTime(1000);
  expect(channel.loss.value).toBeNull();
  expect(model.sent).toMatchObject([
    { type: "request", name: "images.blob" },
    { type: "view", view: viewport.id, tags: ["loss"] },
  ]);
  expect(pending.state).toBe("waits");
});

test("everything is requested again when the host has reconnected the page, unless the kernel has ended", async () => {
  const heard = new Map<string, () => void>();
  let status: (sender: unknown, value: unknown) => void = () => {};
  const kernel = {
    connectionStatusChanged: {
      connect: (slot: typeof status) => {
        status = slot;
      },
    },
  };
  const host = { on: (event: string, callback: () => void) => heard.set(event, callback), widget_manager: { kernel } };
  Object.assign(model, { widget_manager: { get_model: async () => host } });
  const watching = new Channel(anywidgetTransport(model, "own"), CODECS, end.signal);
  await vi.advanceTimersByTimeAsync(0);
  const types = () => model.sent.splice(0).map((one) => (one as { type: string }).type);
  const again = () => {
    status(null, "connecting");
    status(null, "connected");
  };
  model.receive(0);
  again();
  expect(types()).toEqual([]);
  const viewport = watching.addView(end.signal);
  viewport.report({ kinds: null, tags: ["loss"], range: null, near: null, linked: null });
  tracked(watching.requests.ask("images.blob", {}, end.signal));
  vi.advanceTimersByTime(400);
  expect(types()).toEqual(["hello", "request", "view"]);
  again();
  vi.advanceTimersByTime(1500);
  expect(model.sent[0]).toEqual({ type: "here", complete: false, views: [viewport.id] });
  expect(types()).toEqual(["here", "request", "view"]);
  status(null, "connecting");
  vi.advanceTimersByTime(600_000);
  expect(types()).toEqual([]);
  status(null, "connected");
  vi.advanceTimersByTime(1500);
  expect(types()).toEqual(["here", "request", "view"]);
  heard.get("destroy")?.();
  again();
  vi.advanceTimersByTime(1500);
  expect(types()).toEqual([]);
});

test("open requests are repeated after a gap", () => {
  model.receive(0);
  addView();
  tracked(channel.requests.ask("images.blob", {}, end.signal));
  model.emit("msg:custom", ...bucketed());
  const types = () => model.sent.splice(0).map((one) => (one as { type: string }).type);
  expect(types()).toEqual(["request", "resync", "request"]);
  // Blobs and answers are lost even if the next message begins a keyframe.
  vi.advanceTimersByTime(5000);
  model.receive(0);
  expect(types()).toEqual(["resync", "request"]);
  vi.advanceTimersByTime(5000);
  model.receive(1);
  expect(types()).toEqual([]);
  expect(channel.askedAt.value).toBeNull();
});

test("answers reach their callers", async () => {
  model.receive(0);
  const pending = channel.requests.ask("images.blob", {}, end.signal);
  const { id } = model.sent.at(-1) as { id: string };
  const header = { ...(recorded()[1]?.header as object), series: [], columns: [["u1", 2, 0]] };
  const answers = [{ request: id, ok: true, value: { width: 4 }, size: 2 }];
  const pieces = [{ of: "answer", id, from: 0, size: 2, bytes: 0 }];
  model.emit("msg:custom", { ...header, answers, pieces }, [new DataView(Uint8Array.of(7, 8).buffer)]);
  expect(await pending).toEqual({ value: { width: 4 }, data: Uint8Array.of(7, 8) });
});

test("a page that was saved is not disconnected, whatever its comm says", async () => {
  const messages = [{ header: JSON.stringify(recorded()[0]?.header), buffer: btoa(bytesOf(0)) }];
  model.traits.set("_saved", { at: 5000, messages, answers: [{ name: "a", args: {}, value: 7, data: "" }] });
  const closed = Object.assign(model, {
    widget_manager: { get_model: async () => ({ comm_live: false, on: () => {} }) },
  });
  const saved = new Channel(anywidgetTransport(closed, "own"), CODECS, end.signal);
  saved.addView(end.signal);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([saved.store.savedAt.value, saved.loss.value]).toEqual([5000, null]);
  expect(saved.requests.saved.value?.map(({ answer }) => answer.value)).toEqual([7]);
  model.receive(0);
  // The kernel sends a message: it can be asked again.
  expect(saved.requests.saved.value).toBeNull();
  vi.advanceTimersByTime(100_000);
  expect([saved.store.savedAt.value, saved.loss.value?.why]).toEqual([null, "silent"]);
});

test("no message throws into the host, whatever its contents", () => {
  const header = recorded()[0]?.header as Record<string, unknown>;
  const nonsense = [
    undefined,
    null,
    5,
    "x",
    [],
    [null],
    [5],
    [[]],
    [{}],
    [{ run: 9 }],
    { a: 1 },
    -1,
    2 ** 60,
    Number.NaN,
  ];
  for (const field of [...Object.keys(header), "items", "documents", "pieces", "answers", "failed", "numbers"]) {
    for (const value of nonsense) {
      for (const buffers of [[], [new DataView(new ArrayBuffer(3))], recorded()[0]?.buffer]) {
        model.emit("msg:custom", { ...header, [field]: value }, buffers);
      }
    }
  }
  model.emit("msg:custom", header, null);
  model.receive(0);
  expect(channel.store.complete).toBe(true);
  expect(channel.store.tags.value).toEqual(["big", "loss", "odd/steps"]);
});

test("a page that is left says that its views have ended", () => {
  const window = new EventTarget();
  vi.stubGlobal("window", window);
  const left = new AbortController();
  const leaving = new Channel(anywidgetTransport(model, "own"), CODECS, left.signal);
  const views = [leaving.addView(left.signal), leaving.addView(left.signal)];
  model.sent.length = 0;
  window.dispatchEvent(new Event("pagehide"));
  expect(model.sent).toEqual(views.map(({ id }) => ({ type: "bye", view: id })));
  left.abort();
  model.sent.length = 0;
  window.dispatchEvent(new Event("pagehide"));
  expect(model.sent).toEqual([]);
  vi.unstubAllGlobals();
});

test("a silent kernel makes the host reconnect", () => {
  const reconnect = vi.fn();
  const silent = new Channel({ ...anywidgetTransport(model, "own"), reconnect }, CODECS, end.signal);
  silent.addView(end.signal);
  vi.advanceTimersByTime(SILENCE - 1000);
  expect(reconnect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 * SILENCE);
  expect(reconnect).toHaveBeenCalledOnce();
  expect(silent.loss.value?.why).toBe("silent");
});
