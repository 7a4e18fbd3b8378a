// Finds the widget manager's renderer of a notebook, which comes some time after the notebook itself.

import type { Comms } from "./comms";
import type { RendererFactory, RenderMime } from "./host";

/** The MIME type of a widget in an output. */
export const VIEW = "application/vnd.jupyter.widget-view+json";

/** Milliseconds between two attempts to find the widget manager's renderer, and how many there are. */
const POLL_INTERVAL = 50;
const MOST_POLLS = 100;

/** The renderer of the widget manager of this notebook; one without a manager, or none, where there is no kernel. */
export async function managersFactory(
  rendermime: RenderMime,
  placeholder: RendererFactory | undefined,
  comms: Comms,
  signal: AbortSignal,
): Promise<RendererFactory | undefined> {
  for (let poll = 0; poll < MOST_POLLS && !signal.aborted; poll++) {
    const factory = rendermime.getFactory(VIEW);
    if (factory !== undefined && factory !== placeholder) {
      return factory;
    }
    await comms.session.ready.catch(() => undefined);
    if (!comms.session.session?.kernel) {
      return undefined;
    }
    await new Promise((done) => setTimeout(done, POLL_INTERVAL));
  }
  return undefined;
}
