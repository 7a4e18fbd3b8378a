// Keeps options and the traits of the Python widget in agreement, though a busy kernel receives changes late.
// Twin of SharedOptions in tbwidget/options/agreement.py.
//
// Both sides count how often Python has set each option, and the browser sends with an option the count that it knew when the
// option was set. So both sides can tell which change was the later one, and keep that.
//
// Several pages may show one widget. The browser names each choice; the kernel sends what it took over to all pages, with the name
// of the choice. A page keeps what it has chosen until it hears that name, and takes over whatever comes then.

import type { Model } from "../wire/model";
import { parseNames } from "./declare";

/** Milliseconds without another change after which an option is sent. */
const SEND_PAUSE_MS = 300;

/** One option, as its trait has it. */
export interface TraitBinding {
  /** Takes over a value from the trait; what cannot be understood changes nothing. */
  apply(value: unknown): void;
  /** The value for the trait. */
  value(): unknown;
}

export class TraitSync {
  readonly #model: Model;
  readonly #until: AbortSignal;
  readonly #bindings = new Map<string, TraitBinding>();
  /** Options that were set here and not sent yet. */
  readonly #unsent = new Set<string>();
  /**
   * By name, for options that were set here: how often Python had set the option, as far as was known then, and the number of
   * this choice. One that was not sent has 0.
   */
  readonly #own = new Map<string, readonly [count: number, page: string, choice: number]>();
  /** Options that were set here, and nothing later has been heard of. */
  readonly #pending = new Set<string>();
  readonly #page = Math.random().toString(36).slice(2);
  #choices = 0;
  readonly #listeners: [event: string, listener: () => void][] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSending = false;

  constructor(model: Model, until: AbortSignal) {
    this.#model = model;
    this.#until = until;
    until.addEventListener("abort", () => this.#end(), { once: true });
    this.#listen("change:_chosen_by", () => {
      for (const name of this.#pending) {
        this.#isPending(name);
      }
    });
  }

  /** Names of the options set in Python, which remembered values do not overrule. */
  get given(): ReadonlySet<string> {
    return new Set(parseNames(this.#model.get("_given")));
  }

  /** Names of the options set by a file in the log directory, which remembered values overrule. */
  get fromFile(): ReadonlySet<string> {
    return new Set(parseNames(this.#model.get("_from_file")));
  }

  /** The choice of a page of this board that the option has its value from; undefined if none has set it, or Python since. */
  chosenBy(name: string): unknown {
    return entry(this.#model.get("_chosen_by"), name);
  }

  /** The values that it gave them; empty where they would take too much room. */
  get ofFile(): ReadonlyMap<string, unknown> {
    const values: unknown = this.#model.get("_of_file");
    return new Map(Object.entries(typeof values === "object" && values !== null ? values : {}));
  }

  /** The name of that file. */
  get file(): string {
    return String(this.#model.get("_file") ?? "");
  }

  /** All options as their traits have them, and the values of options set elsewhere. */
  values(): Record<string, unknown> {
    const file = { _from_file: [...this.fromFile], _file: this.file, _of_file: this.#model.get("_of_file") };
    return { ...this.options(), ...file, _given: [...this.given], _set_count: this.#model.get("_set_count") };
  }

  /** All options as their traits have them. */
  options(): Record<string, unknown> {
    return Object.fromEntries([...this.#bindings].map(([name, binding]) => [name, binding.value()]));
  }

  knows(name: string): boolean {
    return this.#bindings.has(name);
  }

  /** Calls back when a file in the log directory has set options. */
  onFile(listener: () => void): void {
    this.#listen("change:_from_file", listener);
  }

  #listen(event: `change:${string}`, listener: () => void): void {
    this.#model.on(event, listener);
    this.#listeners.push([event, listener]);
  }

  /** Ties an option to its trait, whose value it takes over. */
  bind(name: string, binding: TraitBinding): void {
    this.#bindings.set(name, binding);
    binding.apply(this.#model.get(name));
    this.#listen(`change:${name}`, () => this.#receive(name, binding));
  }

  /** Takes over a value for an option, as from its trait; returns false for an unknown option. */
  apply(name: string, value: unknown): boolean {
    const binding = this.#bindings.get(name);
    binding?.apply(value);
    return binding !== undefined;
  }

  /**
   * Sends an option that was set here, once it stays the same for a moment. The model has it at once: a notebook that is
   * saved with the state of its widgets takes it from there.
   */
  send(name: string): void {
    this.#choices += 1;
    this.#note(name, this.#choices);
    this.#sendSoon(name);
  }

  #note(name: string, choice: number): void {
    this.#own.set(name, [this.#setCount(name), this.#page, choice]);
    this.#pending.add(name);
  }

  #sendSoon(name: string): void {
    this.#unsent.add(name);
    clearTimeout(this.#timer);
    if (!this.#until.aborted) {
      this.#timer = setTimeout(() => this.#sendNow(), SEND_PAUSE_MS);
    }
    this.#put();
  }

  /** Sends an option whose trait has another value. An equal value counts as set here, too: a file no longer changes it. */
  sendIfDifferent(name: string): void {
    if (JSON.stringify(this.#bindings.get(name)?.value()) !== JSON.stringify(this.#model.get(name))) {
      this.send(name);
    } else if (!this.#pending.has(name)) {
      this.#note(name, 0);
    }
  }

  /** Whether the option was set here, and later than any value that the kernel has sent. */
  #isPending(name: string): boolean {
    const [count, page, choice] = this.#own.get(name) ?? [-1, "", 0];
    const taken = this.chosenBy(name);
    if (count < this.#setCount(name) || taken === `${page} ${choice}` || (choice === 0 && taken !== undefined)) {
      this.#pending.delete(name);
      this.#unsent.delete(name);
    }
    return this.#pending.has(name);
  }

  /** Python or another page set an option, or Python repeats what it chose before one was made here. */
  #receive(name: string, binding: TraitBinding): void {
    if (this.#isSending) {
      return;
    }
    if (!this.#isPending(name)) {
      binding.apply(this.#model.get(name));
    } else if (this.#own.get(name)?.[2] === 0) {
      this.send(name);
    } else {
      // At once in the model, too: who replaces this dashboard by another one takes it from there.
      this.#sendSoon(name);
    }
  }

  #end(): void {
    clearTimeout(this.#timer);
    for (const [event, listener] of this.#listeners) {
      this.#model.off(event, listener);
    }
  }

  #setCount(name: string): number {
    const count = entry(this.#model.get("_set_count"), name);
    return typeof count === "number" ? count : 0;
  }

  #sendNow(): void {
    this.#put();
    this.#unsent.clear();
    try {
      this.#model.save_changes();
    } catch {
      // The kernel has ended: the option still holds in this page.
    }
  }

  /** Puts unsent values into the model. */
  #put(): void {
    this.#isSending = true;
    try {
      for (const name of this.#unsent) {
        this.#model.set(name, this.#bindings.get(name)?.value());
      }
      this.#model.set("_chosen", Object.fromEntries(this.#own));
    } finally {
      this.#isSending = false;
    }
  }
}

function entry(table: unknown, name: string): unknown {
  return typeof table === "object" && table !== null && Object.hasOwn(table, name)
    ? Reflect.get(table, name)
    : undefined;
}
