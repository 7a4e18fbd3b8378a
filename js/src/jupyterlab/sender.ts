// How a page that is not the widget's own speaks to the widget in the kernel: as messages of its comm, on a subshell where the
// kernel has those, for then they are heard while a cell runs.

import { isRow, type Row } from "../wire/columns";
import { mayCellRun } from "./comms";
import type { Kernel, Message, SessionContext } from "./host";

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
