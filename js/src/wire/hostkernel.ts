// The kernel's connection, as hosts made of JupyterLab's parts have it: what it says of losses, which no message of ours can.
// All of it may be missing, and each page may have several dashboards that watch the same connection.

import type { Model } from "./model";

/** Callbacks for changes of the connection to the kernel. */
export interface Link {
  /** The kernel has ended or was restarted, or the widget was closed: nothing of it comes any more. */
  ended(): void;
  /** The page has lost its connection; the host tries to connect again. */
  interrupted(): void;
  /** The page is connected again; messages sent in between may be lost. */
  restored(): void;
}

interface Signal {
  connect?(slot: (sender: unknown, value: unknown) => void): unknown;
  disconnect?(slot: (sender: unknown, value: unknown) => void): unknown;
}

/** The public interface of a kernel's connection in JupyterLab, as far as it is used here. */
export interface HostKernel {
  readonly connectionStatus?: unknown;
  readonly connectionStatusChanged?: Signal;
  readonly statusChanged?: Signal;
  readonly isDisposed?: boolean;
  reconnect?(): Promise<void>;
}

/** States of a kernel after which its comms are gone. */
export const ENDED: ReadonlySet<unknown> = new Set(["restarting", "autorestarting", "dead", "terminating"]);

/** Tells `link` what the host says of its connection to the kernel, until the signal. */
export function watchKernel(kernel: HostKernel, link: Link, until: AbortSignal): void {
  let isLost = false;
  const onConnection = (_: unknown, status: unknown) => {
    if (status !== "connected") {
      isLost = true;
      // A disposed kernel means that the notebook was given another one.
      kernel.isDisposed === true ? link.ended() : link.interrupted();
    } else if (isLost) {
      isLost = false;
      link.restored();
    }
  };
  const onStatus = (_: unknown, status: unknown) => {
    if (ENDED.has(status)) {
      link.ended();
    }
  };
  kernel.connectionStatusChanged?.connect?.(onConnection);
  kernel.statusChanged?.connect?.(onStatus);
  until.addEventListener("abort", () => {
    kernel.connectionStatusChanged?.disconnect?.(onConnection);
    kernel.statusChanged?.disconnect?.(onStatus);
  });
  hurry(kernel, until);
}

/** Milliseconds at least between two new connections of one kernel: all its dashboards ask when they hear nothing. */
const RECONNECT_PAUSE_MS = 60_000;

const reconnectedAt = new WeakMap<HostKernel, number>();

/**
 * Has the host connect again although it believes to be connected: it does not notice a connection that a proxy holds on
 * the way. The server keeps the messages for its only client in between.
 */
export function reconnect(kernel: HostKernel): void {
  const now = Date.now();
  if (kernel.connectionStatus === "connected" && now - (reconnectedAt.get(kernel) ?? 0) > RECONNECT_PAUSE_MS) {
    reconnectedAt.set(kernel, now);
    connect(kernel);
  }
}

function connect(kernel: HostKernel): void {
  if (kernel.isDisposed !== true) {
    kernel.reconnect?.().catch(() => undefined);
  }
}

/** Has the host connect at once when there is a network again: by itself it waits for up to half a minute, or gives up. */
function hurry(kernel: HostKernel, until: AbortSignal): void {
  const online = () => kernel.connectionStatus !== "connected" && connect(kernel);
  const shown = () =>
    document.visibilityState === "visible" && kernel.connectionStatus === "disconnected" && connect(kernel);
  globalThis.window?.addEventListener("online", online, { signal: until });
  globalThis.document?.addEventListener("visibilitychange", shown, { signal: until });
}

/**
 * The error that anywidget throws for each message that it drops: 0.11 drops all messages to a model whose module took longer
 * than 2 s to load, as on a busy machine. The workaround uses private names of anywidget and ipywidgets, and does nothing if
 * one of them is missing.
 */
const DROPPED = /Failed to initialize model/;

type Handle = (this: unknown, message: unknown) => unknown;

interface HostModel {
  readonly comm?: { on_msg?(callback: (message: unknown) => unknown): void };
  readonly _handle_comm_msg?: Handle;
}

/** Lets through the messages that anywidget would drop. `id` is the model's own. */
export async function patchDroppedMessages(model: Model, id: string): Promise<void> {
  try {
    const host = (await model.widget_manager?.get_model?.(id)) as HostModel | undefined;
    const handle = host?._handle_comm_msg;
    const plain = inherited(host);
    if (host?.comm?.on_msg === undefined || handle === undefined || plain === undefined) {
      return;
    }
    host.comm.on_msg(async (message) => {
      try {
        return await handle.call(host, message);
      } catch (error) {
        if (DROPPED.test(String(error))) {
          return plain.call(host, message);
        }
        throw error;
      }
    });
  } catch {
    // A host without such a model does not drop messages either.
  }
}

/** The method that anywidget's model overrides. */
function inherited(host: unknown): Handle | undefined {
  let found: Handle | undefined;
  let owners = 0;
  for (let level = host; typeof level === "object" && level !== null; level = Object.getPrototypeOf(level)) {
    if (Object.hasOwn(level, "_handle_comm_msg")) {
      owners += 1;
      found ??= owners === 2 ? (level as HostModel)._handle_comm_msg : undefined;
    }
  }
  return found;
}
