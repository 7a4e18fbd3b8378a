// The widget's model over a kernel's messages alone, for a page that has no widget manager for it: what anywidget's model is
// where the kernel has answered.

import { isRow, type Row } from "../wire/columns";
import { LocalModel } from "../wire/localmodel";
import type { Kernel, Message } from "./host";
import type { Sender } from "./sender";

/** Messages that wait until the widget's module has been loaded, and listens. */
const MOST_PENDING = 500;

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
      if (this.#pending.length < MOST_PENDING) {
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
