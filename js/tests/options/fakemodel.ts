// A widget's model; tests drive the kernel's side of it.

import type { Model } from "../../src/wire/model";

/** Replaces the widget's model. */
export class FakeModel implements Model {
  readonly saved: Record<string, unknown>[] = [];
  /** For each option, the number of Python's settings that its last change knew of. */
  chosen: unknown = {};
  readonly listeners = new Map<string, Set<() => void>>();
  #state: Record<string, unknown>;
  #changed: Record<string, unknown> = {};
  #choices: Record<string, string> = {};

  constructor(state: Record<string, unknown> = {}) {
    this.#state = {
      selected_runs: null,
      run_colors: {},
      run_filter: "",
      tag_filter: "",
      smoothing: 0.6,
      x_axis: "step",
      log_y: [],
      ignore_outliers: true,
      step_range: null,
      pinned: [],
      linked_step: null,
      histogram_mode: "offset",
      bins: "even",
      log_counts: [],
      overlay_runs: false,
      height: 640,
      panel: null,
      _board: "cell 1",
      _given: [],
      _from_file: [],
      _set_count: {},
      ...state,
    };
  }

  get(name: string): unknown {
    return this.#state[name];
  }

  set(name: string, value: unknown): void {
    if (name === "_chosen") {
      const choices = Object.entries(value as Record<string, readonly [number, string, number]>);
      this.chosen = Object.fromEntries(choices.map(([option, [count]]) => [option, count]));
      this.#choices = Object.fromEntries(choices.map(([option, [, page, choice]]) => [option, `${page} ${choice}`]));
      return;
    }
    this.#changed[name] = value;
    this.arrive(name, value);
  }

  /** The kernel sets a trait. */
  python(name: string, value: unknown): void {
    const counts = this.#state._set_count as Record<string, number>;
    this.#state._set_count = { ...counts, [name]: (counts[name] ?? 0) + 1 };
    this.arrive(name, value);
  }

  /** The kernel accepts the options that were saved last. */
  taken(): void {
    this.#chosenBy({ ...this.#choices });
  }

  /** Another page of the widget sets an option. */
  otherPage(name: string, value: unknown): void {
    this.#chosenBy({ [name]: `other ${String(value)}` });
    this.arrive(name, value);
  }

  #chosenBy(choices: Readonly<Record<string, string>>): void {
    this.arrive("_chosen_by", { ...(this.#state._chosen_by as object), ...choices });
  }

  /** A file in the log directory sets options, which do not count as Python's settings. */
  file(options: Readonly<Record<string, unknown>>): void {
    this.#state._from_file = Object.keys(options);
    this.#state._file = "tbwidget.json";
    this.#state._of_file = options;
    for (const [name, value] of Object.entries(options)) {
      this.arrive(name, value);
    }
    this.arrive("_from_file", Object.keys(options));
  }

  /** The kernel sends a value, which may be an older one. */
  arrive(name: string, value: unknown): void {
    this.#state[name] = value;
    for (const callback of this.listeners.get(`change:${name}`) ?? []) {
      callback();
    }
  }

  save_changes(): void {
    this.saved.push(this.#changed);
    this.#changed = {};
  }

  send(): void {}

  on(event: string, callback: unknown): void {
    const callbacks = this.listeners.get(event) ?? new Set();
    callbacks.add(callback as () => void);
    this.listeners.set(event, callbacks);
  }

  off(event: string, callback?: unknown): void {
    this.listeners.get(event)?.delete(callback as () => void);
  }
}
