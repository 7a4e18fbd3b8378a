// anywidget 0.11 drops every message to a model, for ever and in silence, whose module took over 2 s to load: on a busy
// machine that happens. Here the messages go on to where it would have sent them.
//
// That takes private names of anywidget and ipywidgets: where one is missing, all is as if this were not here.

import type { Model } from "./model";

/** What anywidget says of each message that it drops. */
const DROPPED = /Failed to initialize model/;

type Handle = (this: unknown, message: unknown) => unknown;

interface HostModel {
  readonly comm?: { on_msg?(callback: (message: unknown) => unknown): void };
  readonly _handle_comm_msg?: Handle;
}

/** Makes sure that the model hears. `id` is the model's own. */
export async function hearDespite(model: Model, id: string): Promise<void> {
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
    // A host that has no such model: it has no such trouble either.
  }
}

/** The method that anywidget's own stands before. */
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
