// A widget's model whose values are held here, for hosts of our own: what anywidget's model is elsewhere.

import type { Model } from "./model";

type Callback = (...given: unknown[]) => void;

export class LocalModel implements Model {
  readonly #values: Map<string, unknown>;
  readonly #callbacks = new Map<string, Set<Callback>>();

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = new Map(Object.entries(values));
  }

  get(name: string): unknown {
    return this.#values.get(name);
  }

  set(name: string, value: unknown): void {
    this.replace({ [name]: value });
  }

  on(event: string, callback: unknown): void {
    this.#callbacks.set(event, (this.#callbacks.get(event) ?? new Set()).add(callback as Callback));
  }

  off(event: string, callback?: unknown): void {
    this.#callbacks.get(event)?.delete(callback as Callback);
  }

  save_changes(): void {}

  send(_content: unknown): void {}

  /** Sets values, all of them before anybody is told. */
  protected replace(values: Readonly<Record<string, unknown>>): void {
    const changed = Object.entries(values).filter(([name, value]) => this.#values.get(name) !== value);
    for (const [name, value] of changed) {
      this.#values.set(name, value);
    }
    for (const [name] of changed) {
      this.emit(`change:${name}`);
    }
  }

  protected emit(event: string, ...given: unknown[]): void {
    for (const callback of [...(this.#callbacks.get(event) ?? [])]) {
      callback(...given);
    }
  }
}
