import { expect, test } from "vitest";
import type { Model } from "../../src/wire/model";
import { anywidgetTransport } from "../../src/wire/transport";

/** A widget model of ipywidgets, as far as its comm goes. */
class Host {
  comm_live = true;
  readonly listeners = new Map<string, Set<() => void>>();
  on(event: string, callback: () => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(callback));
  }
  off(event: string, callback: () => void): void {
    this.listeners.get(event)?.delete(callback);
  }
  emit(event: string): void {
    for (const callback of this.listeners.get(event) ?? []) {
      callback();
    }
  }
}

async function watch(host: unknown): Promise<{ times: () => number; end: AbortController }> {
  const end = new AbortController();
  let times = 0;
  const asked = { get_model: async (id: string) => (id === "own" ? host : undefined) };
  const transport = anywidgetTransport({ widget_manager: asked } as unknown as Model, "own");
  transport.onClosed?.(() => {
    times += 1;
  }, end.signal);
  await new Promise((resolve) => setTimeout(resolve));
  return { times: () => times, end };
}

test("a comm that goes is told, one that comes back is not", async () => {
  const host = new Host();
  const { times, end } = await watch(host);
  host.emit("comm_live_update");
  expect(times()).toBe(0);
  host.comm_live = false;
  host.emit("comm_live_update");
  expect(times()).toBe(1);
  host.emit("comm:close");
  host.emit("destroy");
  expect(times()).toBe(3);
  end.abort();
  expect([...host.listeners.values()].every((callbacks) => callbacks.size === 0)).toBe(true);
});

test("one that was gone before is told, too", async () => {
  const host = new Host();
  host.comm_live = false;
  expect((await watch(host)).times()).toBe(1);
});

test("hosts without any of this are left alone", async () => {
  const failing = {
    get comm_live() {
      throw new Error("not here");
    },
    on: () => {},
  };
  for (const host of [undefined, null, {}, { comm_live: false }, failing]) {
    expect((await watch(host)).times()).toBe(0);
  }
  const bare = anywidgetTransport({} as Model, "own");
  bare.onClosed?.(() => expect.unreachable(), new AbortController().signal);
});
