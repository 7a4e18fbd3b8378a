import { expect, test, vi } from "vitest";
import type { Model } from "../../src/wire/model";
import { anywidgetTransport, type Transport } from "../../src/wire/transport";
import { Emitter } from "../jupyterlab/notebook";

/** The comm part of an ipywidgets model. */
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

/** A kernel connection of JupyterLab. */
class HostKernel {
  connectionStatus = "connected";
  isDisposed = false;
  reconnections = 0;
  readonly connectionStatusChanged = new Emitter<unknown>();
  readonly statusChanged = new Emitter<unknown>();
  async reconnect(): Promise<void> {
    this.reconnections += 1;
    throw new Error("it is not there yet");
  }
  become(status: string): void {
    this.connectionStatus = status;
    this.connectionStatusChanged.emit(status);
  }
}

type Event = "ended" | "interrupted" | "restored";

async function watch(host: unknown): Promise<{ told: Event[]; transport: Transport; end: AbortController }> {
  const end = new AbortController();
  const told: Event[] = [];
  const asked = { get_model: async (id: string) => (id === "own" ? host : undefined) };
  const transport = anywidgetTransport({ widget_manager: asked } as unknown as Model, "own");
  const tell = (event: Event) => () => void told.push(event);
  transport.watch?.({ ended: tell("ended"), interrupted: tell("interrupted"), restored: tell("restored") }, end.signal);
  await new Promise((resolve) => setTimeout(resolve));
  return { told, transport, end };
}

test("a comm that goes is told, one that comes back is not", async () => {
  const host = new Host();
  const { told, end } = await watch(host);
  host.emit("comm_live_update");
  expect(told).toEqual([]);
  host.comm_live = false;
  host.emit("comm_live_update");
  expect(told).toEqual(["ended"]);
  host.emit("comm:close");
  host.emit("destroy");
  expect(told).toEqual(["ended", "ended", "ended"]);
  end.abort();
  expect([...host.listeners.values()].every((callbacks) => callbacks.size === 0)).toBe(true);
});

test("one that was gone before is told, too", async () => {
  const host = new Host();
  host.comm_live = false;
  expect((await watch(host)).told).toEqual(["ended"]);
});

test("hosts without any of this are left alone", async () => {
  const failing = {
    get comm_live() {
      throw new Error("not here");
    },
    on: () => {},
  };
  const strange = Object.assign(new Host(), { widget_manager: { kernel: { connectionStatusChanged: {} } } });
  for (const host of [undefined, null, {}, { comm_live: false }, failing, strange]) {
    expect((await watch(host)).told).toEqual([]);
  }
  const bare = anywidgetTransport({} as Model, "own");
  const never = () => expect.unreachable();
  bare.watch?.({ ended: never, interrupted: never, restored: never }, new AbortController().signal);
});

test("a connection that is lost and comes back is told, and so is a kernel that ends", async () => {
  const kernel = new HostKernel();
  const { told, end } = await watch(Object.assign(new Host(), { widget_manager: { kernel } }));
  kernel.become("connected");
  kernel.statusChanged.emit("busy");
  expect(told).toEqual([]);
  kernel.become("connecting");
  kernel.become("connected");
  kernel.become("disconnected");
  kernel.become("connected");
  expect(told.splice(0)).toEqual(["interrupted", "restored", "interrupted", "restored"]);
  for (const status of ["restarting", "autorestarting", "dead", "terminating"]) {
    kernel.statusChanged.emit(status);
  }
  expect(told.splice(0)).toEqual(Array(4).fill("ended"));
  kernel.isDisposed = true;
  kernel.become("disconnected");
  expect(told).toEqual(["ended"]);
  end.abort();
  expect(kernel.statusChanged.slots.size + kernel.connectionStatusChanged.slots.size).toBe(0);
});

test("with the network comes the connection, where the host waits or has given up", async () => {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", document);
  const kernel = new HostKernel();
  const { end } = await watch(Object.assign(new Host(), { widget_manager: { kernel } }));
  const times = (event: EventTarget, type: string) => {
    const before = kernel.reconnections;
    event.dispatchEvent(new Event(type));
    return kernel.reconnections - before;
  };
  expect([times(window, "online"), times(document, "visibilitychange")]).toEqual([0, 0]);
  kernel.become("connecting");
  expect([times(window, "online"), times(document, "visibilitychange")]).toEqual([1, 0]);
  kernel.become("disconnected");
  expect([times(window, "online"), times(document, "visibilitychange")]).toEqual([1, 1]);
  document.visibilityState = "hidden";
  expect(times(document, "visibilitychange")).toBe(0);
  kernel.isDisposed = true;
  expect(times(window, "online")).toBe(0);
  kernel.isDisposed = false;
  end.abort();
  expect(times(window, "online")).toBe(0);
  vi.unstubAllGlobals();
});

test("a silent kernel is reconnected, once for all its dashboards, unless the host is doing so", async () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ["Date"] });
  const kernel = new HostKernel();
  const open = async () => {
    const host = Object.assign(new Host(), { widget_manager: { kernel } });
    const { transport } = await watch(host);
    return () => {
      const before = kernel.reconnections;
      transport.reconnect?.();
      return kernel.reconnections - before;
    };
  };
  const [first, second] = [await open(), await open()];
  kernel.become("connecting");
  expect(first()).toBe(0);
  kernel.become("connected");
  expect([first(), second(), first()]).toEqual([1, 0, 0]);
  vi.setSystemTime(1_061_000);
  expect([second(), first()]).toEqual([1, 0]);
  vi.setSystemTime(1_122_000);
  kernel.isDisposed = true;
  expect(first()).toBe(0);
  // In a host that does not report its connection, nothing happens.
  anywidgetTransport({} as Model, "own").reconnect?.();
  vi.useRealTimers();
});
