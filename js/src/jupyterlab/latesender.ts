// The way to a kernel that a page may not know yet, or that may not be there any more.

import { isRow, type Row } from "../wire/columns";
import { mayCellRun } from "./comms";
import type { Message, SessionContext } from "./host";
import { Sender } from "./sender";

/** Messages that wait at most. */
const MOST_WAITING = 100;

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
    if (this.#waiting.length >= MOST_WAITING) {
      // Options count, and of what the dashboard itself says the newest.
      const oldest = this.#waiting.findIndex((waiting) => isRow(waiting) && waiting.method !== "update");
      this.#waiting.splice(Math.max(0, oldest), 1);
    }
    this.#waiting.push(data);
    this.#count += 1;
    return `late ${this.#count}`;
  }
}
