// The dashboards that a page shows over its kernel's messages: each has one model, however many views there are of it.

import { isRow, type Row } from "../wire/columns";
import type { LastView } from "../wire/lastview";
import { LocalModel } from "../wire/localmodel";
import type { InitializeProps, RenderProps } from "../wire/model";
import { type Comms, mayCellRun } from "./comms";
import type { Kernel, Message, SessionContext } from "./host";

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

/** A dashboard as a notebook's output names it. */
export interface Shown {
  /** Id of the widget's model and of its comm. */
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
   * its state holds its last view. Rejects when the widget's module cannot be loaded. A model opened by then stays open
   * until the signal.
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

  /** Options set on a dashboard that have not been sent, by the names of their traits. */
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

/** Messages that wait until the widget's module has been loaded, and listens. */
const MAX_PENDING_MESSAGES = 500;

/** How many such models the page has had. */
let made = 0;

export class KernelModel extends LocalModel {
  /** Where the widget looks for what tells whether its comm is alive, and the page connected. */
  readonly widget_manager: { kernel: Kernel | null; get_model(): Promise<unknown> };
  /** Not the widget's own: a page with several notebook views has several such models of one widget. */
  readonly #session = `kernel model ${++made}`;
  #comm_live = true;
  readonly #sender: Pick<Sender, "send"> | null;
  readonly #changed = new Set<string>();
  /** Changes that were sent from here, and come back to all pages. */
  readonly #sent = new Set<string>();
  #pending: Message[] | null = [];

  constructor(values: Row, sender: Pick<Sender, "send"> | null, kernel: Promise<Kernel | null> | Kernel | null = null) {
    super(values);
    this.#sender = sender;
    const manager = {
      kernel: null as Kernel | null,
      get_model: async () => {
        manager.kernel = await kernel;
        return this;
      },
    };
    this.widget_manager = manager;
  }

  get comm_live(): boolean {
    return this.#comm_live;
  }

  override get(name: string): unknown {
    return name === "_session" ? this.#session : super.get(name);
  }

  override on(event: string, callback: unknown): void {
    super.on(event, callback);
    if (event === "msg:custom" && this.#pending !== null) {
      const pending = this.#pending;
      this.#pending = null;
      for (const message of pending) {
        this.receive(message);
      }
    }
  }

  override set(name: string, value: unknown): void {
    if (this.get(name) !== value) {
      this.#changed.add(name);
    }
    super.set(name, value);
  }

  /** Values that were set here since the last `save_changes`, by name. */
  get unsaved(): Row {
    return Object.fromEntries([...this.#changed].map((name) => [name, this.get(name)]));
  }

  override save_changes(): void {
    const state = this.unsaved;
    this.#changed.clear();
    if (Object.keys(state).length > 0 && this.#sender !== null && this.#comm_live) {
      this.#sent.add(this.#sender.send({ method: "update", state, buffer_paths: [] }));
    }
  }

  override send(content: unknown): void {
    if (this.#comm_live) {
      this.#sender?.send({ method: "custom", content });
    }
  }

  /** Takes a message of the widget's comm. */
  receive(message: Message): void {
    if (this.#pending !== null) {
      if (this.#pending.length < MAX_PENDING_MESSAGES) {
        this.#pending.push(message);
      }
      return;
    }
    const { data } = message.content;
    if (!isRow(data)) {
      return;
    }
    if (data.method === "custom") {
      this.emit("msg:custom", data.content, (message.buffers ?? []).map(view));
    } else if (data.method === "update" && isRow(data.state)) {
      this.replace(data.state);
    } else if (data.method === "echo_update" && isRow(data.state)) {
      if (!this.#sent.delete(message.parent_header.msg_id ?? "")) {
        this.replace(data.state);
      }
    }
  }

  /** The kernel has closed the comm, or ended. */
  close(): void {
    this.#comm_live = false;
    this.emit("comm:close");
  }
}

function view(buffer: ArrayBuffer | ArrayBufferView): DataView {
  return ArrayBuffer.isView(buffer)
    ? new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new DataView(buffer);
}

// How a page that is not the widget's own speaks to the widget in the kernel: as messages of its comm, on a subshell where the
// kernel has those, for then they are heard while a cell runs.

/** Milliseconds that a kernel has to make a subshell. One of ipykernel 6 never answers. */
const CONNECT_TIMEOUT_MS = 4000;

/** Messages that wait for that at most. */
const MAX_WAITING_MESSAGES = 100;

interface KernelMessage {
  readonly header: { readonly msg_id: string; readonly [field: string]: string };
  readonly [part: string]: unknown;
}

export class Sender {
  readonly #kernel: Kernel;
  readonly #comm: string;
  readonly #timer: ReturnType<typeof setTimeout>;
  #waiting: KernelMessage[] | null = [];
  #subshell: string | null = null;
  #ended = false;

  constructor(kernel: Kernel, comm: string, until: AbortSignal) {
    this.#kernel = kernel;
    this.#comm = comm;
    try {
      const asked = kernel.sendControlMessage(this.#message("control", "create_subshell_request", {}), true);
      asked.done.then(
        ({ content }) => this.#answered(content.subshell_id),
        () => this.#flush(),
      );
    } catch {
      // The kernel is gone.
    }
    // An idle kernel needs none.
    const flush = () => this.#flush();
    kernel.info.then(flush, flush);
    this.#timer = setTimeout(flush, CONNECT_TIMEOUT_MS);
    // A page that is left ends its subshell: the kernel keeps a thread for each.
    globalThis.window?.addEventListener("pagehide", () => this.#end(), { signal: until });
    until.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** Sends `data` to the comm; returns the message's id. A message that cannot be sent is lost, as any message may be. */
  send(data: unknown): string {
    const message = this.#message("shell", "comm_msg", { comm_id: this.#comm, data });
    if (this.#waiting === null) {
      this.#sendNow(message);
    } else if (this.#waiting.length < MAX_WAITING_MESSAGES) {
      this.#waiting.push(message);
    }
    return message.header.msg_id;
  }

  #answered(subshell: unknown): void {
    if (typeof subshell === "string") {
      this.#subshell = subshell;
    }
    if (this.#ended) {
      this.#deleteSubshell();
    } else {
      this.#flush();
    }
  }

  #flush(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) {
      this.#sendNow(message);
    }
  }

  #sendNow(message: KernelMessage): void {
    const header = this.#subshell === null ? {} : { subshell_id: this.#subshell };
    try {
      this.#kernel.sendShellMessage({ ...message, header: { ...message.header, ...header } }, false);
    } catch {
      // The kernel is gone.
    }
  }

  /** A subshell that was asked for and is still to come is deleted when it comes. */
  #end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#waiting = null;
    this.#deleteSubshell();
  }

  #deleteSubshell(): void {
    if (this.#subshell !== null) {
      const content = { subshell_id: this.#subshell };
      this.#subshell = null;
      try {
        this.#kernel.sendControlMessage(this.#message("control", "delete_subshell_request", content), false);
      } catch {
        // The kernel is gone, and its threads with it.
      }
    }
  }

  /** A message of Jupyter's protocol. */
  #message(channel: string, msg_type: string, content: object): KernelMessage {
    const { clientId: session, username } = this.#kernel;
    const header = { msg_id: newId(), msg_type, session, username, version: "5.2" };
    const date = new Date().toISOString();
    return { channel, header: { ...header, date }, parent_header: {}, metadata: {}, content, buffers: [] };
  }
}

/** Not of `crypto.randomUUID`, which pages without encryption lack. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, "0")).join("");
}

/** Sends what it is given once the kernel has been heard while a cell may run: an idle one has the widget's own comm. */
export class LateSender {
  readonly #session: SessionContext;
  readonly #comm: string;
  readonly #until: AbortSignal;
  readonly #waiting: unknown[] = [];
  #sender: Sender | null = null;
  #count = 0;

  constructor(session: SessionContext, comm: string, until: AbortSignal) {
    this.#session = session;
    this.#comm = comm;
    this.#until = until;
  }

  /** Takes note of a message of the kernel's. */
  heard(message: Message): void {
    const kernel = this.#session.session?.kernel;
    if (this.#sender !== null || !kernel || this.#until.aborted || !mayCellRun(message)) {
      return;
    }
    this.#sender = new Sender(kernel, this.#comm, this.#until);
    for (const data of this.#waiting.splice(0)) {
      this.#sender.send(data);
    }
  }

  /** The traits in the messages that wait, by name. */
  get unsent(): Row {
    return Object.assign({}, ...this.#waiting.map((data) => isRow(data) && data.method === "update" && data.state));
  }

  /** Returns the message's id, or one that no message has. */
  send(data: unknown): string {
    if (this.#sender !== null) {
      return this.#sender.send(data);
    }
    if (this.#waiting.length >= MAX_WAITING_MESSAGES) {
      // Options count, and of what the dashboard itself says the newest.
      const oldest = this.#waiting.findIndex((waiting) => isRow(waiting) && waiting.method !== "update");
      this.#waiting.splice(Math.max(0, oldest), 1);
    }
    this.#waiting.push(data);
    this.#count += 1;
    return `late ${this.#count}`;
  }
}
