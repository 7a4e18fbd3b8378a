// A workaround: anywidget 0.11 silently drops every message to a model whose module took longer than 2 s to load, as happens
// on a busy machine. The messages are handled here as anywidget would have done.
//
// This uses private names of anywidget and ipywidgets. Where one of them is missing, nothing is changed.

import type { Model } from "./model";

/** The error that anywidget throws for each message that it drops. */
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
