// The dashboards that a page shows over its kernel's messages: each has one model, however many views there are of it.

import { isRow, type Row } from "../wire/columns";
import type { LastView } from "../wire/lastview";
import type { InitializeProps, RenderProps } from "../wire/model";
import type { Comms } from "./comms";
import type { Message } from "./host";
import { KernelModel } from "./kernelmodel";
import { LateSender } from "./latesender";

/** The widget's own module. */
interface Widget {
  initialize(props: InitializeProps): void;
  render(props: RenderProps): void;
}

/** The built files, by their addresses. */
export interface Files {
  readonly script: string;
}

interface Dashboard {
  readonly model: KernelModel;
  readonly sender: LateSender;
  readonly until: AbortController;
  readonly widget: Promise<Widget>;
  views: number;
}

/** What a notebook's output says of a dashboard. */
export interface Shown {
  /** Of the widget's model and comm. */
  readonly id: string;
  readonly protocol: number;
  /** The options set in Python, when it was displayed. */
  readonly state: Row;
}

/** A dashboard as its last view shows it: with the options of then. */
export function restored(shown: Shown, { at, messages, options }: LastView): Shown {
  const chosen = parsedRow(options);
  return { ...shown, state: { ...shown.state, ...chosen, _last_view: { at, messages } } };
}

function parsedRow(text: string): Row {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRow(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

let module: Promise<Widget> | undefined;

export class Dashboards {
  readonly #comms: Comms;
  readonly #files: Files;
  readonly #open = new Map<string, Dashboard>();

  constructor(comms: Comms, files: Files) {
    this.#comms = comms;
    this.#files = files;
  }

  /**
   * Draws a view of a dashboard into `el` until the signal; `first` is the message that showed that it lives, null where
   * its state holds its last view. Rejects when the widget's module cannot be loaded; what was begun then is held
   * until the signal, too.
   */
  async render(shown: Shown, first: Message | null, el: HTMLElement, signal: AbortSignal): Promise<void> {
    const { model, widget } = this.#acquire(shown, first, signal);
    const loaded = await widget;
    if (signal.aborted) {
      return;
    }
    const root = document.createElement("div");
    el.replaceChildren(root);
    loaded.render({ model, el: root, signal });
  }

  /** Begins to load the widget's module, which will be needed soon. */
  prepare(): void {
    this.#load().catch(() => undefined);
  }

  /** What was chosen on a dashboard and has not been sent, by the names of traits. */
  unsent(id: string): Row {
    const dashboard = this.#open.get(id);
    return { ...dashboard?.sender.unsent, ...dashboard?.model.unsaved };
  }

  /** The kernel has no such dashboard any more. */
  end(id: string): void {
    this.#open.get(id)?.model.close();
  }

  #acquire(shown: Shown, first: Message | null, signal: AbortSignal): Dashboard {
    const dashboard = this.#open.get(shown.id) ?? this.#begin(shown, first);
    dashboard.views += 1;
    const release = () => {
      dashboard.views -= 1;
      if (dashboard.views === 0) {
        dashboard.until.abort();
        this.#forget(shown.id, dashboard);
      }
    };
    signal.addEventListener("abort", release, { once: true });
    return dashboard;
  }

  #begin({ id, state }: Shown, first: Message | null): Dashboard {
    const until = new AbortController();
    const { signal } = until;
    const { session } = this.#comms;
    const sender = new LateSender(session, id, signal);
    // The last view is shown before the page knows the kernel.
    const kernel = session.ready.catch(() => undefined).then(() => session.session?.kernel ?? null);
    const model = new KernelModel(state, sender, kernel);
    const receive = (message: Message) => {
      sender.heard(message);
      model.receive(message);
    };
    this.#comms.listen(id, receive, signal);
    this.#comms.onKernelEnded(() => model.close(), signal);
    if (first !== null) {
      receive(first);
    }
    const widget = this.#load().then((loaded) => {
      if (!signal.aborted) {
        loaded.initialize({ model, signal });
      }
      return loaded;
    });
    const dashboard = { model, sender, until, widget, views: 0 };
    this.#open.set(id, dashboard);
    // Another view tries again.
    widget.catch(() => this.#forget(id, dashboard));
    return dashboard;
  }

  #forget(id: string, dashboard: Dashboard): void {
    if (this.#open.get(id) === dashboard) {
      this.#open.delete(id);
    }
  }

  /** Once a page, but again where it failed. */
  #load(): Promise<Widget> {
    module ??= import(this.#files.script)
      .then((loaded: { readonly default: Widget }) => loaded.default)
      .catch((error) => {
        module = undefined;
        throw error;
      });
    return module;
  }
}
