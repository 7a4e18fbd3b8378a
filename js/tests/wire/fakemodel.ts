import type { Model } from "../../src/wire/model";
import { recorded } from "./messages";

/** A model as a host provides it; `receive` delivers a message of the kernel. */
export class FakeModel implements Model {
  readonly traits = new Map<string, unknown>([["height", 500]]);
  readonly sent: unknown[] = [];
  readonly listeners = new Map<string, Set<(...given: never[]) => void>>();
  /** Overrides fields of each message's status. */
  status: object = {};
  saved = 0;
  dead = false;

  get(name: string): unknown {
    return this.traits.get(name);
  }
  set(name: string, value: unknown): void {
    this.traits.set(name, value);
    this.emit(`change:${name}`);
  }
  save_changes(): void {
    this.saved += 1;
  }
  send(content: unknown): void {
    if (this.dead) {
      throw new Error("comm is closed");
    }
    this.sent.push(content);
  }
  on(event: string, callback: (...given: never[]) => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(callback));
  }
  off(event: string, callback?: unknown): void {
    this.listeners.get(event)?.delete(callback as () => void);
  }
  emit(event: string, ...given: unknown[]): void {
    for (const callback of this.listeners.get(event) ?? []) {
      callback(...(given as never[]));
    }
  }
  /** Receives a recorded message as if it had been composed `late` seconds ago; `padding` adds unused bytes. */
  receive(index: number, late = 0, padding = 0): void {
    const { header, buffer } = recorded()[index] ?? {};
    const { status, ...rest } = header as { readonly status: object };
    const clock = [performance.now() / 1000 - late, Date.now() / 1000 - late];
    this.emit("msg:custom", { ...rest, status: { ...status, ...this.status, clock } }, [
      buffer,
      ...(padding > 0 ? [new DataView(new ArrayBuffer(padding))] : []),
    ]);
  }
}
