// Comm messages of a notebook's kernel, read without the widget manager: the manager asks the kernel for its comms, and
// the answer comes only when the cell has ended.

import { isRow } from "../wire/columns";
import { ENDED } from "../wire/hostkernel";
import type { Message, NotebookPanel, SessionContext } from "./host";

/** Whether a message of a dashboard comes while a cell runs, or may do so: then the kernel cannot be asked. */
export function mayCellRun({ content: { data } }: Message): boolean {
  const message = isRow(data) && data.method === "custom" ? data.content : undefined;
  return isRow(message) && isRow(message.status) && message.status.cell !== false;
}

type Listener = (message: Message) => void;

export class Comms {
  readonly session: SessionContext;
  /** Comms that the kernel opened before the eyes of this page: the widget manager has their models. */
  readonly #opened = new Set<string>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #endListeners = new Set<() => void>();

  constructor({ sessionContext, disposed }: NotebookPanel) {
    this.session = sessionContext;
    const heard = (_: unknown, message: Message) => this.#receive(message);
    const status = (_: unknown, name: string) => ENDED.has(name) && this.#kernelEnded();
    const changed = (_: unknown, { oldValue }: { readonly oldValue: unknown }) =>
      oldValue !== null && this.#kernelEnded();
    sessionContext.iopubMessage.connect(heard);
    sessionContext.statusChanged.connect(status);
    sessionContext.kernelChanged.connect(changed);
    const end = () => {
      sessionContext.iopubMessage.disconnect(heard);
      sessionContext.statusChanged.disconnect(status);
      sessionContext.kernelChanged.disconnect(changed);
      disposed.disconnect(end);
    };
    disposed.connect(end);
  }

  wasOpened(id: string): boolean {
    return this.#opened.has(id);
  }

  /** Whether the kernel sends this because of what this page has asked for, such as a cell. */
  isAnswerToThisPage({ parent_header: { session } }: Message): boolean {
    return session !== undefined && session === this.session.session?.kernel?.clientId;
  }

  /** Calls `listener` for each message of a comm, until the signal. */
  listen(id: string, listener: Listener, until: AbortSignal): void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    const remove = () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) {
        this.#listeners.delete(id);
      }
    };
    until.addEventListener("abort", remove, { once: true });
  }

  /** Calls `listener` when the kernel restarts or ends, until the signal. */
  onKernelEnded(listener: () => void, until: AbortSignal): void {
    this.#endListeners.add(listener);
    until.addEventListener("abort", () => this.#endListeners.delete(listener), { once: true });
  }

  #kernelEnded(): void {
    this.#opened.clear();
    for (const listener of [...this.#endListeners]) {
      listener();
    }
  }

  #receive(message: Message): void {
    const { msg_type: type } = message.header;
    const { comm_id: id } = message.content;
    if (!type.startsWith("comm_") || typeof id !== "string") {
      return;
    }
    if (type === "comm_open") {
      this.#opened.add(id);
    } else if (type === "comm_close") {
      this.#opened.delete(id);
    }
    for (const listener of [...(this.#listeners.get(id) ?? [])]) {
      listener(message);
    }
  }
}
