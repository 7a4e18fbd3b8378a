import { effect } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Model } from "../../src/wire/model";
import { HERE, tellPresence } from "../../src/wire/presence";
import { Session } from "../../src/wire/session";
import { recorded } from "./messages";

/** A model as a host hands it over; `hear` is the kernel speaking. */
class FakeModel implements Model {
  readonly traits = new Map<string, unknown>([["height", 500]]);
  readonly said: unknown[] = [];
  readonly listeners = new Map<string, Set<(...given: never[]) => void>>();
  saved = 0;
  dead = false;

  get(name: string): unknown {
    return this.traits.get(name);
  }
  set(name: string, value: unknown): void {
    this.traits.set(name, value);
    this.emit(`change:${name}`);
  }
  save_changes(): void {
    this.saved += 1;
  }
  send(content: unknown): void {
    if (this.dead) {
      throw new Error("comm is closed");
    }
    this.said.push(content);
  }
  on(event: string, callback: (...given: never[]) => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(callback));
  }
  off(event: string, callback?: unknown): void {
    this.listeners.get(event)?.delete(callback as () => void);
  }
  emit(event: string, ...given: unknown[]): void {
    for (const callback of this.listeners.get(event) ?? []) {
      callback(...(given as never[]));
    }
  }
  hear(index: number): void {
    const message = recorded()[index];
    this.emit("msg:custom", message?.header, [message?.buffer]);
  }
}

function bucketed(): [unknown, DataView[]] {
  const message = recorded()[2];
  return [message?.header, message ? [message.buffer] : []];
}

let model: FakeModel;
let end: AbortController;
let session: Session;

afterEach(() => end.abort());

beforeEach(() => {
  model = new FakeModel();
  end = new AbortController();
  session = new Session(model, end.signal);
});

test("greets once, and says whether all was seen; further views are here", () => {
  model.hear(0);
  session.greet(end.signal);
  session.greet(end.signal);
  expect(model.said).toEqual([
    { type: "hello", complete: true },
    { type: "here", complete: true },
  ]);
  expect(session.askedAt.value).toBeNull();
});

test("a greeting before any message is a question", () => {
  session.greet(end.signal);
  expect(model.said).toEqual([{ type: "hello", complete: false }]);
  expect(session.askedAt.value).not.toBeNull();
  model.hear(0);
  expect(session.askedAt.value).toBeNull();
});

test("a gap asks for all anew, but not with every message", () => {
  vi.useFakeTimers({ now: 1_000_000 });
  model.hear(1);
  model.hear(1);
  expect(model.said).toEqual([{ type: "resync", complete: false }]);
  vi.setSystemTime(1_010_000);
  model.hear(1);
  expect(model.said).toHaveLength(2);
  vi.useRealTimers();
});

test("a kernel that is gone does no harm", () => {
  model.dead = true;
  session.greet(end.signal);
  expect(session.askedAt.value).not.toBeNull();
});

test("another version of the protocol is said", () => {
  model.emit("msg:custom", { type: "data", protocol: 99 }, []);
  expect(session.store.failed.value).toBe(true);
});

test("a good message ends the trouble with another version", () => {
  model.emit("msg:custom", { type: "data", protocol: 99 }, []);
  model.hear(0);
  expect(session.store.failed.value).toBe(false);
});

test("a damaged message is as good as lost: all is asked for anew, until a good one comes", () => {
  model.emit("msg:custom", { ...(recorded()[0]?.header as object), columns: 5 }, []);
  expect(session.store.failed.value).toBe(false);
  expect(model.said).toEqual([{ type: "resync", complete: false }]);
  expect(session.askedAt.value).not.toBeNull();
  model.hear(0);
  expect(session.askedAt.value).toBeNull();
});

test("what a view throws is no fault of the message", () => {
  session.greet(end.signal);
  const stop = effect(() => {
    if (session.store.heardAt.value !== null) {
      throw new Error("a view's");
    }
  });
  expect(() => model.hear(0)).toThrow("a view's");
  stop();
  expect([session.store.failed.value, session.askedAt.value]).toEqual([false, null]);
  expect(session.store.complete).toBe(true);
});

test("nothing listens after the end", () => {
  end.abort();
  expect([...model.listeners.values()].every((callbacks) => callbacks.size === 0)).toBe(true);
});

test("what is in sight is told after a pause, once", () => {
  vi.useFakeTimers();
  model.hear(0);
  session.report({ visible: ["lr"], range: null, near: null, linked: null });
  session.report({ visible: ["loss", "big"], range: [0, 9], near: ["big"], linked: null });
  vi.advanceTimersByTime(299);
  expect(model.said).toEqual([]);
  vi.advanceTimersByTime(2);
  const view = { type: "view", tags: ["loss", "big"], want: [], range: [0, 9], near: ["big"], linked: null, seq: 1 };
  expect(model.said).toEqual([view]);
  session.report({ visible: ["loss", "big"], range: [0, 9], near: ["big"], linked: null });
  vi.advanceTimersByTime(1000);
  expect(model.said).toHaveLength(1);
  session.report({ visible: ["loss", "big"], range: [0, 9], near: ["big"], linked: 7 });
  vi.advanceTimersByTime(1000);
  expect(model.said).toEqual([view, { ...view, linked: 7 }]);
  expect(session.askedAt.value).toBeNull();
  vi.useRealTimers();
});

test("what is in sight is told though it moves on and on, as steps of the newest times do", () => {
  vi.useFakeTimers();
  model.hear(0);
  for (let last = 0; last < 25; last += 1) {
    session.report({ visible: ["loss"], range: [0, last], near: ["loss"], linked: null });
    vi.advanceTimersByTime(100);
  }
  expect(model.said).toHaveLength(2);
  vi.useRealTimers();
});

test("tags that are held coarsely are asked for", () => {
  vi.useFakeTimers();
  model.hear(0);
  model.hear(1);
  model.emit("msg:custom", ...bucketed());
  session.report({ visible: ["loss", "long"], range: null, near: null, linked: null });
  vi.advanceTimersByTime(400);
  const view = { type: "view", tags: ["loss", "long"], range: null, near: null, linked: null };
  expect(model.said).toEqual([{ ...view, want: ["long"], seq: 3 }]);
  vi.useRealTimers();
});

test("what comes to be held coarsely while it is in sight is asked for, though the view stays", () => {
  vi.useFakeTimers();
  model.hear(0);
  session.report({ visible: ["long"], range: null, near: null, linked: null });
  vi.advanceTimersByTime(400);
  model.hear(1);
  model.emit("msg:custom", ...bucketed());
  vi.advanceTimersByTime(1100);
  expect(model.said).toHaveLength(2);
  expect(model.said[1]).toMatchObject({ type: "view", tags: ["long"], want: ["long"], seq: 3 });
  vi.useRealTimers();
});

test("signs of life come while somebody looks, until the end", () => {
  vi.useFakeTimers();
  session.greet(end.signal);
  model.hear(0);
  vi.advanceTimersByTime(HERE * 2500);
  expect(model.said.slice(1)).toEqual([
    { type: "here", complete: true },
    { type: "here", complete: true },
  ]);
  end.abort();
  vi.advanceTimersByTime(HERE * 5000);
  expect(model.said).toHaveLength(3);
  vi.useRealTimers();
});

test("a hidden page gives no sign of life, and gives one at once when it is shown", () => {
  vi.useFakeTimers();
  const page = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  let said = 0;
  const say = () => {
    said += 1;
  };
  tellPresence(page as unknown as Document, say, end.signal);
  vi.advanceTimersByTime(HERE * 3000);
  expect(said).toBe(0);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  expect(said).toBe(1);
  vi.useRealTimers();
});
