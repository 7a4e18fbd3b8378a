import { beforeEach, expect, test, vi } from "vitest";
import type { Model } from "../../src/wire/model";
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

let model: FakeModel;
let end: AbortController;
let session: Session;

beforeEach(() => {
  model = new FakeModel();
  end = new AbortController();
  session = new Session(model, end.signal);
});

test("greets once, and says whether all was seen", () => {
  model.hear(0);
  session.greet();
  session.greet();
  expect(model.said).toEqual([{ type: "hello", complete: true }]);
  expect(session.askedAt.value).toBeNull();
});

test("a greeting before any message is a question", () => {
  session.greet();
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
  session.greet();
  session.choices.filterTags("loss");
  expect(session.choices.tagFilter.value).toBe("loss");
});

test("another version of the protocol is said", () => {
  model.emit("msg:custom", { type: "data", protocol: 99 }, []);
  expect(session.store.failed.value).toBe(true);
});

test("nothing listens after the end", () => {
  end.abort();
  expect([...model.listeners.values()].every((callbacks) => callbacks.size === 0)).toBe(true);
});

test("choices made here become traits", () => {
  session.choices.select(new Set(["a"]), ["a", "b"]);
  expect(model.get("selected_runs")).toEqual(["a"]);
  expect([session.choices.shows("a"), session.choices.shows("b")]).toEqual([true, false]);
  session.choices.select(new Set(["a", "b"]), ["a", "b"]);
  expect(model.get("selected_runs")).toBeNull();
  expect(model.saved).toBe(2);
});

test("choices made in Python arrive, and hold for runs to come", () => {
  model.set("selected_runs", ["a"]);
  model.set("height", 300);
  model.set("tag_filter", "acc");
  model.hear(0);
  expect([session.choices.shows("a"), session.choices.shows("b")]).toEqual([true, false]);
  expect([session.choices.height.value, session.choices.tagFilter.value]).toEqual([300, "acc"]);
});

test("a run that appears after a choice by hand is shown", () => {
  session.choices.select(new Set(), ["a"]);
  model.hear(0);
  expect(["a", "b"].map((run) => session.choices.shows(run))).toEqual([false, true]);
  expect(model.get("selected_runs")).toEqual(["b"]);
});
