// How messages and saved state travel between this page and the kernel; and the implementation over anywidget's model.

import { type HostKernel, type Link, reconnect, watchKernel } from "./hostkernel";
import type { Model } from "./model";
import type { ClientMessage } from "./protocol";

export interface Transport {
  /** May throw when the kernel has gone. */
  send(message: ClientMessage): void;
  /** Calls `receive` for each message, until the signal. */
  listen(receive: (content: unknown, buffers: readonly DataView[]) => void, until: AbortSignal): void;
  /** A value that the host keeps with the widget, and saves with the page. */
  state(name: string): unknown;
  /** Calls `changed` when that value is replaced, until the signal. */
  onStateChanged(name: string, changed: () => void, until: AbortSignal): void;
  /** Tells `link` what the host reports of the way to the kernel, until the signal. */
  watch?(link: Link, until: AbortSignal): void;
  /** Has the host connect again, if it can: nothing arrives, and no message would say that the connection is dead. */
  reconnect?(): void;
}

/** The part of a widget model of ipywidgets that tells whether its comm is alive. */
interface CommModel {
  readonly comm_live?: boolean;
  on?(event: string, callback: () => void): void;
  off?(event: string, callback: () => void): void;
  readonly widget_manager?: { readonly kernel?: HostKernel | null };
}

/** Events of CommModel after which the comm is closed, or may be. */
const COMM_EVENTS = ["comm_live_update", "comm:close", "destroy"];

/** The transport over a widget's own messages. `id` is the model's. */
export function anywidgetTransport(model: Model, id: string): Transport {
  let watched: HostKernel | null = null;
  return {
    send: (message) => model.send(message),
    listen: (receive, until) => {
      const listener = (content: unknown, buffers: DataView[]) => receive(content, buffers);
      model.on("msg:custom", listener);
      until.addEventListener("abort", () => model.off("msg:custom", listener), { once: true });
    },
    state: (name) => model.get(name),
    onStateChanged: (name, changed, until) => {
      model.on(`change:${name}`, changed);
      until.addEventListener("abort", () => model.off(`change:${name}`, changed), { once: true });
    },
    watch: (link, until) => {
      void watchHost(model, id, link, until).then((kernel) => {
        watched = kernel;
      });
    },
    reconnect: () => watched && reconnect(watched),
  };
}

/** Returns the host's connection to the kernel, where it has one that is known. */
async function watchHost(model: Model, id: string, link: Link, until: AbortSignal): Promise<HostKernel | null> {
  try {
    const host = (await model.widget_manager?.get_model?.(id)) as CommModel | undefined;
    if (host?.on === undefined || until.aborted) {
      return null;
    }
    for (const event of COMM_EVENTS) {
      const check = () => {
        if (event !== "comm_live_update" || host.comm_live === false) {
          link.ended();
        }
      };
      host.on(event, check);
      until.addEventListener("abort", () => host.off?.(event, check), { once: true });
    }
    if (host.comm_live === false) {
      link.ended();
    }
    const kernel = await host.widget_manager?.kernel;
    if (kernel && !until.aborted) {
      watchKernel(kernel, link, until);
      return kernel;
    }
  } catch {
    // A host without such a model: then only the time without messages shows that the kernel has ended.
  }
  return null;
}
