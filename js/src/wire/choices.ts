// The user's choices: kept as traits, so that Python sees and sets them, and mirrored in signals for the views.

import { type Signal, signal } from "@preact/signals";
import type { Model } from "./model";
import type { Store } from "./store";

export class Choices {
  /** Runs shown; null for all. */
  readonly selected: Signal<ReadonlySet<string> | null>;
  readonly tagFilter: Signal<string>;
  readonly height: Signal<number>;

  readonly #model: Model;
  /** Runs that were listed when the user chose by hand; others are newcomers, which shall be seen. */
  #known: ReadonlySet<string> | null = null;

  constructor(model: Model, store: Store, until: AbortSignal) {
    this.#model = model;
    this.selected = signal(toSet(model.get("selected_runs")));
    this.tagFilter = signal(String(model.get("tag_filter") ?? ""));
    this.height = signal(Number(model.get("height")) || 640);
    this.#mirror("selected_runs", until, (value) => {
      this.#known = null;
      this.selected.value = toSet(value);
    });
    this.#mirror("tag_filter", until, (value) => {
      this.tagFilter.value = String(value);
    });
    this.#mirror("height", until, (value) => {
      this.height.value = Number(value);
    });
    const stop = store.runs.subscribe((runs) => this.#welcome(runs));
    until.addEventListener("abort", stop, { once: true });
  }

  /** Whether a run is shown. */
  shows(run: string): boolean {
    return this.selected.value === null || this.selected.value.has(run);
  }

  /** Shows these runs of `all`; later ones are shown as they appear. */
  select(runs: ReadonlySet<string>, all: readonly string[]): void {
    this.selected.value = all.every((run) => runs.has(run)) ? null : runs;
    this.#known = new Set(all);
    this.#save("selected_runs", this.selected.value === null ? null : [...this.selected.value]);
  }

  filterTags(text: string): void {
    this.tagFilter.value = text;
    this.#save("tag_filter", text);
  }

  #welcome(runs: readonly string[]): void {
    const selected = this.selected.peek();
    const known = this.#known;
    if (selected === null || known === null) {
      return;
    }
    const newcomers = runs.filter((run) => !known.has(run));
    if (newcomers.length > 0) {
      this.select(new Set([...selected, ...newcomers]), runs);
    }
  }

  #mirror(name: string, until: AbortSignal, take: (value: unknown) => void): void {
    const callback = () => {
      if (!this.#saving) {
        take(this.#model.get(name));
      }
    };
    this.#model.on(`change:${name}`, callback);
    until.addEventListener("abort", () => this.#model.off(`change:${name}`, callback), { once: true });
  }

  #saving = false;

  #save(name: string, value: unknown): void {
    this.#saving = true;
    try {
      this.#model.set(name, value);
      this.#model.save_changes();
    } catch {
      // The kernel is gone; the choice holds in this page.
    } finally {
      this.#saving = false;
    }
  }
}

function toSet(value: unknown): ReadonlySet<string> | null {
  return Array.isArray(value) ? new Set(value.map(String)) : null;
}
