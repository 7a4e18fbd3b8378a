// Which runs are selected, as runs come and go.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { newestRuns } from "../wire/runfacts";
import type { Store } from "../wire/store";
import { parseNames } from "./declare";
import { ALL, fromNames, namesOf, type Selection } from "./selection";

/** Runs selected until the user chooses: the newest, if there are more. Keep in step with tbwidget/wire/keys.py. */
const MAX_SELECTED = 500;

/** How many of them: keep in step, too. */
export const NEWEST = 50;

/** Runs brushed in a plot, which are shown in place of the selected ones until the brush ends. */
export interface RunPreview {
  /** The runs of the preview; null without one. */
  readonly runs: ReadonlySignal<ReadonlySet<string> | null>;
  /** The panel whose plot it comes from, which says so itself. */
  readonly panel: string;
  /** Names the preview, in words. */
  readonly label: ReadonlySignal<string>;
  /** Label of the button that calls `commit`. */
  readonly commitLabel: ReadonlySignal<string>;
  /** Selects the runs, all of them, and ends the preview. */
  commit(): void;
  end(): void;
}

export class RunSelection {
  readonly selection: ReadonlySignal<Selection>;
  /** Only the newest runs are selected because there are more than MAX_SELECTED, and no option was set. */
  readonly onlyNewest: ReadonlySignal<boolean>;
  /** Everything is read, and no selected run exists: the selection may be remembered from another training. */
  readonly noneThere: ReadonlySignal<boolean>;
  /** Selected runs that are not there, once all is read. They may still come. */
  readonly waitedFor: ReadonlySignal<readonly string[]>;

  /** The preview of the panel that was opened last. */
  readonly preview: Signal<RunPreview | null> = signal(null);
  readonly isPreviewing: ReadonlySignal<boolean> = computed(() => (this.preview.value?.runs.value ?? null) !== null);

  readonly #store: Store;
  readonly #selection: Signal<Selection> = signal(ALL);
  /** Neither the user nor Python has chosen runs. */
  readonly #automatic = signal(true);

  constructor(store: Store) {
    this.#store = store;
    this.selection = this.#selection;
    const { runs, status } = store;
    this.onlyNewest = computed(() => this.#automatic.value && runs.value.length > MAX_SELECTED);
    this.noneThere = computed(() => {
      const { names, only } = this.#selection.value;
      const none = !runs.value.some((run) => names.has(run) === only);
      return none && runs.value.length > 0 && status.value?.ready === true;
    });
    this.waitedFor = computed(() => {
      const { names, only } = this.#selection.value;
      const there = new Set(runs.value);
      const waits = only && !this.#automatic.value && status.value?.ready === true;
      return waits ? [...names].filter((run) => !there.has(run)) : [];
    });
  }

  /** Selects runs, for the user or for Python, who see them: a preview ends. */
  select(selection: Selection): void {
    batch(() => {
      this.preview.peek()?.end();
      this.#automatic.value = false;
      this.#selection.value = selection;
    });
  }

  /** Takes over the value of the trait; `byDefault` if it is only the trait's default. */
  applyTrait(value: unknown, byDefault: boolean): void {
    batch(() => {
      this.select(fromNames(value));
      this.#automatic.value = byDefault;
      this.follow(this.#store.runs.peek());
    });
  }

  /** For the trait: the names of the selected runs, or null for all, or where no option was set. */
  names(): string[] | null {
    return this.#automatic.peek() ? null : namesOf(this.#selection.peek(), this.#store.runs.peek());
  }

  /** Updates the runs; returns whether the names of those selected may be others now. */
  follow(runs: readonly string[]): boolean {
    if (this.#automatic.peek()) {
      const many = runs.length > MAX_SELECTED;
      this.#selection.value = many ? { names: newestRuns(runs, this.#store.runFacts(), NEWEST), only: true } : ALL;
      return false;
    }
    const { names, only } = this.#selection.peek();
    return !only && names.size > 0;
  }

  /** For the browser's settings: unlike a list of names, this does not hide the runs of the next training. */
  remembered(): unknown {
    const { names, only } = this.#selection.peek();
    return { names: [...names], only };
  }

  recall(value: unknown): void {
    const { names, only } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
    const known = parseNames(names);
    if (known !== undefined && typeof only === "boolean") {
      this.select({ names: new Set(known), only });
    }
  }
}
