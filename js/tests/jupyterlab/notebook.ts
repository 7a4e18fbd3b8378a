// The parts of a JupyterLab page through which messages pass, driven by a test.

import { Comms } from "../../src/jupyterlab/comms";
import type { Kernel, Message, NotebookPanel, Signal } from "../../src/jupyterlab/host";

/** The used part of a Lumino signal. */
export class Emitter<T> implements Signal<T> {
  readonly slots = new Set<(sender: unknown, args: T) => void>();

  connect(slot: (sender: unknown, args: T) => void): boolean {
    this.slots.add(slot);
    return true;
  }

  disconnect(slot: (sender: unknown, args: T) => void): boolean {
    return this.slots.delete(slot);
  }

  emit(args: T): void {
    for (const slot of [...this.slots]) {
      slot(this, args);
    }
  }
}

export function message(type: string, id: string, data: unknown = {}, parent = ""): Message {
  return { header: { msg_type: type }, parent_header: { msg_id: parent }, content: { comm_id: id, data } };
}

export function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The field of a sent message's header. */
export function header(sent: Record<string, unknown> | undefined, field: string): unknown {
  return (sent?.header as Record<string, unknown> | undefined)?.[field];
}

/** A kernel that records sent messages; the test settles its promises. */
export function kernelOf() {
  const shell: Record<string, unknown>[] = [];
  const control: Record<string, unknown>[] = [];
  const made = deferred<{ content: Record<string, unknown> }>();
  const info = deferred<unknown>();
  const kernel: Kernel = {
    clientId: "client",
    username: "user",
    info: info.promise,
    sendShellMessage: (sent) => shell.push(sent as Record<string, unknown>),
    sendControlMessage: (sent) => {
      control.push(sent as Record<string, unknown>);
      return { done: made.promise };
    },
  };
  return { kernel, shell, control, made, info };
}

/** A notebook's page with its comms, as a kernel opens them. */
export function opened(kernel: Kernel | null = null) {
  const [iopub, status, changed, disposed] = [
    new Emitter<Message>(),
    new Emitter<string>(),
    new Emitter<{ oldValue: Kernel | null }>(),
    new Emitter<undefined>(),
  ];
  const sessionContext = {
    ready: Promise.resolve(),
    session: kernel === null ? null : { kernel },
    iopubMessage: iopub,
    statusChanged: status,
    kernelChanged: changed,
  };
  const panel = { sessionContext, disposed } as unknown as NotebookPanel;
  return { comms: new Comms(panel), iopub, status, changed, disposed };
}
