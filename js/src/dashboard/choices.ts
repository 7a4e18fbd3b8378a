// The user's choices: signals for the views, traits for Python, and this page's memory. Twin of tbwidget/choices.py.
// What the pointer is on is no choice, and is never told to Python.

import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { runColour, type Theme } from "../lib/colours";
import { compilePattern, type Pattern, TOO_SLOW } from "../lib/pattern";
import type { Model } from "../wire/model";
import type { Store } from "../wire/store";
import { Memory } from "./memory";
import { numbersOf } from "./numbers";
import { ALL, fromNames, namesOf, type Selection } from "./selection";
import * as read from "./traits";

/** Milliseconds that a choice must stay before Python hears of it. */
const PAUSE = 300;

/** Choices that are remembered no sooner than Python hears of them. */
const FILTERS: ReadonlySet<string> = new Set(["run_filter", "tag_filter"]);

/** Of more runs than this, none is shown until chosen. */
export const MOST_SHOWN = 500;

/** Milliseconds from the first run on within which those come that were there before. */
const LISTING = 10_000;

interface Binding {
  /** Takes a value from the trait or from memory; what cannot be understood changes nothing. */
  take(value: unknown): void;
  /** As the trait has it. */
  give(): unknown;
}

export class Choices {
  readonly selection: Signal<Selection> = signal(ALL);
  readonly colours: Signal<ReadonlyMap<string, string>> = signal(new Map<string, string>());
  /** The colour of a run, as #rrggbb: the one that was chosen for it, or its own. */
  readonly colourOf: ReadonlySignal<(run: string, theme: Theme) => string>;
  readonly runFilter = signal("");
  readonly runPattern = computed(() => this.#compile(this.runFilter.value));
  readonly tagFilter = signal("");
  readonly tagPattern = computed(() => this.#compile(this.tagFilter.value));
  readonly smoothing = signal(0.6);
  readonly xAxis: Signal<read.Along> = signal("step");
  readonly logY: Signal<ReadonlySet<string>> = signal(new Set<string>());
  readonly ignoreOutliers = signal(true);
  readonly stepRange: Signal<readonly [number, number] | null> = signal(null);
  readonly pinned: Signal<readonly string[]> = signal([]);
  readonly histogramMode: Signal<read.HistogramMode> = signal("offset");
  readonly logCounts: Signal<ReadonlySet<string>> = signal(new Set<string>());
  readonly overlayRuns = signal(false);
  /** The step that all charts point out; null for none. */
  readonly linkedStep: Signal<number | null> = signal(null);
  readonly height = signal(640);
  /** The panel that was chosen; null: the first that has data. */
  readonly panel: Signal<string | null> = signal(null);
  /** The one panel that there is; null: all of them. */
  readonly onlyPanel: string | null;
  /** None was selected because there are so many runs. */
  readonly tooMany: ReadonlySignal<boolean>;

  /** All is read, and the selection is of runs that are not here: one that was remembered from another training, say. */
  readonly strayed: ReadonlySignal<boolean>;

  readonly #model: Model;
  readonly #store: Store;
  readonly #bindings = new Map<string, Binding>();
  /** Choices made here of which Python has not heard yet. */
  readonly #unsaved = new Set<string>();
  /** How often Python had set each choice that was made here, as far as was known then. */
  readonly #seen = new Map<string, number>();
  readonly #memory = new Memory();
  /** The step that was pointed out before the last click. */
  #linkedBefore: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving = false;
  readonly #unselected = signal(false);
  /** Nobody has chosen runs yet. */
  #automatic = true;
  /** Filters that took too long. */
  readonly #slow: Signal<ReadonlySet<string>> = signal(new Set<string>());
  #listed: readonly string[] = [];
  #firstAt: number | null = null;

  constructor(model: Model, store: Store, until: AbortSignal) {
    this.#model = model;
    this.#store = store;
    const numbers = numbersOf(store, until);
    this.colourOf = computed(() => {
      const [chosen, own] = [this.colours.value, numbers.value];
      return (run, theme) => chosen.get(run) ?? runColour(own.get(run) ?? 0, theme);
    });
    this.tooMany = computed(() => this.#unselected.value && store.runs.value.length > MOST_SHOWN);
    this.strayed = computed(() => {
      const { names, only } = this.selection.value;
      const none = !store.runs.value.some((run) => names.has(run) === only);
      return none && store.runs.value.length > 0 && store.status.value?.ready === true && !this.tooMany.value;
    });
    this.#bind("run_colors", this.colours, read.colours, (colours) => Object.fromEntries(colours));
    this.#bind("run_filter", this.runFilter, read.text);
    this.#bind("tag_filter", this.tagFilter, read.text);
    this.#bind("smoothing", this.smoothing, read.fraction);
    this.#bind("x_axis", this.xAxis, read.xAxis);
    this.#bind("log_y", this.logY, read.nameSet, (tags) => [...tags]);
    this.#bind("ignore_outliers", this.ignoreOutliers, read.flag);
    this.#bind("step_range", this.stepRange, read.stepRange);
    this.#bind("pinned", this.pinned, read.names);
    this.#bind("histogram_mode", this.histogramMode, read.histogramMode);
    this.#bind("log_counts", this.logCounts, read.nameSet, (tags) => [...tags]);
    this.#bind("overlay_runs", this.overlayRuns, read.flag);
    this.#bind("linked_step", this.linkedStep, read.wholeOrNull);
    this.#bind("height", this.height, read.positive);
    this.onlyPanel = model.get("_single") === true ? String(model.get("panel")) : null;
    if (this.onlyPanel === null) {
      this.#bind("panel", this.panel, read.textOrNull);
    }
    this.#bindings.set("selected_runs", {
      take: (value) => this.#decide(fromNames(value)),
      give: () => namesOf(this.selection.peek(), store.runs.peek()),
    });
    const ends = [() => clearTimeout(this.#timer)];
    for (const [name, binding] of this.#bindings) {
      binding.take(model.get(name));
      const changed = () => this.#hear(name, binding);
      model.on(`change:${name}`, changed);
      ends.push(() => model.off(`change:${name}`, changed));
    }
    this.#automatic = model.get("selected_runs") === null && !this.#given.has("selected_runs");
    ends.push(
      store.runs.subscribe((runs) => this.#welcome(runs)),
      effect(() => {
        const path = store.status.value?.path;
        if (path !== undefined && this.#memory.open(path)) {
          this.#recall();
        }
      }),
    );
    until.addEventListener(
      "abort",
      () => {
        for (const end of ends) {
          end();
        }
      },
      { once: true },
    );
  }

  /** Whether a run is shown: it is selected, and the filter lets it through. */
  shows(run: string): boolean {
    const { names, only } = this.selection.value;
    return names.has(run) === only && this.runPattern.value.matches(run);
  }

  select(selection: Selection): void {
    this.#decide(selection);
    this.#chosen("selected_runs");
  }

  /** Gives a run a colour, as #rrggbb. */
  colour(run: string, colour: string): void {
    this.#set("run_colors", this.colours, new Map(this.colours.peek()).set(run, colour));
  }

  filterRuns(text: string): void {
    this.#set("run_filter", this.runFilter, text);
  }

  filterTags(text: string): void {
    this.#set("tag_filter", this.tagFilter, text);
  }

  smooth(weight: number): void {
    this.#set("smoothing", this.smoothing, Math.min(0.999, Math.max(0, weight)));
  }

  along(axis: read.Along): void {
    this.#set("x_axis", this.xAxis, axis);
  }

  toggleLogY(tag: string): void {
    this.#set("log_y", this.logY, toggledIn(this.logY.peek(), tag));
  }

  toggleLogCounts(tag: string): void {
    this.#set("log_counts", this.logCounts, toggledIn(this.logCounts.peek(), tag));
  }

  drawAs(mode: read.HistogramMode): void {
    this.#set("histogram_mode", this.histogramMode, mode);
  }

  overlay(together: boolean): void {
    this.#set("overlay_runs", this.overlayRuns, together);
  }

  /** Points out a step in all charts; the same once more lets it go. */
  link(step: number | null): void {
    this.#set("linked_step", this.linkedStep, step === this.linkedStep.peek() ? null : step);
  }

  /** A click on a chart, the first or the second of two: that means to show all again, and takes the first one back. */
  clickStep(step: number, times: number): void {
    if (times < 2) {
      this.#linkedBefore = this.linkedStep.peek();
      this.link(step);
    } else if (times === 2) {
      this.#set("linked_step", this.linkedStep, this.#linkedBefore);
    }
  }

  fitOutliers(ignored: boolean): void {
    this.#set("ignore_outliers", this.ignoreOutliers, ignored);
  }

  showSteps(range: readonly [number, number] | null): void {
    this.#set("step_range", this.stepRange, range);
  }

  open(panel: string): void {
    this.#set("panel", this.panel, panel);
  }

  togglePin(tag: string): void {
    const pinned = this.pinned.peek();
    this.#set("pinned", this.pinned, pinned.includes(tag) ? pinned.filter((one) => one !== tag) : [...pinned, tag]);
  }

  #compile(text: string): Pattern {
    if (this.#slow.value.has(text)) {
      return TOO_SLOW;
    }
    // Told later: this may be while something is drawn.
    const slow = () => {
      this.#slow.value = new Set(this.#slow.peek()).add(text);
    };
    return compilePattern(text, () => queueMicrotask(slow));
  }

  #bind<T>(name: string, to: Signal<T>, from: (value: unknown) => T | undefined, give?: (value: T) => unknown): void {
    this.#bindings.set(name, {
      take: (value) => {
        const understood = from(value);
        if (understood !== undefined) {
          to.value = understood;
        }
      },
      give: () => (give === undefined ? to.peek() : give(to.peek())),
    });
  }

  #set<T>(name: string, to: Signal<T>, value: T): void {
    to.value = value;
    this.#chosen(name);
  }

  /** A choice was made here. */
  #chosen(name: string): void {
    if (!FILTERS.has(name)) {
      this.#remember(name);
    }
    this.#toTell(name);
    this.#saveSoon();
  }

  /** Python is to hear of a choice. */
  #toTell(name: string): void {
    this.#unsaved.add(name);
    this.#seen.set(name, this.#setCount(name));
  }

  #setCount(name: string): number {
    return read.counts(this.#model.get("_set_count")).get(name) ?? 0;
  }

  /** Python made a choice, or says again what it chose before one was made here. */
  #hear(name: string, binding: Binding): void {
    if (this.#saving) {
      return;
    }
    if (this.#setCount(name) > (this.#seen.get(name) ?? -1)) {
      this.#unsaved.delete(name);
      binding.take(this.#model.get(name));
    } else {
      this.#toTell(name);
      this.#saveSoon();
    }
  }

  #saveSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), PAUSE);
  }

  #save(): void {
    // By now a filter has been applied. One that takes for ever must not come back with the page.
    for (const name of this.#unsaved) {
      if (FILTERS.has(name)) {
        this.#remember(name);
      }
    }
    this.#saving = true;
    try {
      for (const name of this.#unsaved) {
        this.#model.set(name, this.#bindings.get(name)?.give());
      }
      this.#unsaved.clear();
      this.#model.set("_chosen", Object.fromEntries(this.#seen));
      this.#model.save_changes();
    } catch {
      // The kernel is gone; the choice holds in this page.
    } finally {
      this.#saving = false;
    }
  }

  #remember(name: string): void {
    const binding = this.#bindings.get(name);
    // A list of names would hide the runs of the next training.
    this.#memory.keep(name, name === "selected_runs" ? toMemory(this.selection.peek()) : binding?.give());
  }

  /** What was chosen before in this directory, but for what Python chose. */
  #recall(): void {
    const given = this.#given;
    batch(() => {
      for (const [name, binding] of this.#bindings) {
        const remembered = this.#memory.recall(name);
        if (remembered === undefined || given.has(name)) {
          continue;
        }
        if (name === "selected_runs") {
          this.#decide(fromMemory(remembered) ?? this.selection.peek());
        } else {
          binding.take(remembered);
        }
        if (JSON.stringify(binding.give()) !== JSON.stringify(this.#model.get(name))) {
          this.#toTell(name);
        }
      }
      this.#welcome(this.#store.runs.peek());
    });
    if (this.#unsaved.size > 0) {
      this.#saveSoon();
    }
  }

  get #given(): ReadonlySet<string> {
    return read.nameSet(this.#model.get("_given")) ?? new Set();
  }

  #decide(selection: Selection): void {
    this.#automatic = false;
    this.#unselected.value = false;
    this.selection.value = selection;
  }

  /** Runs have come, or gone. */
  #welcome(runs: readonly string[]): void {
    const selection = this.selection.peek();
    this.#firstAt ??= runs.length > 0 ? Date.now() : null;
    const shownSoFar = this.#firstAt !== null && Date.now() - this.#firstAt > LISTING ? this.#listed : [];
    this.#listed = runs;
    if (this.#automatic && !selection.only && runs.length > MOST_SHOWN) {
      this.#unselected.value = true;
      this.selection.value = { names: new Set(shownSoFar), only: true };
    } else if (selection.only || selection.names.size === 0) {
      return;
    }
    // Python's list of names changes with the runs.
    this.#toTell("selected_runs");
    this.#saveSoon();
  }
}

function toggledIn(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const changed = new Set(names);
  if (!changed.delete(name)) {
    changed.add(name);
  }
  return changed;
}

function toMemory({ names, only }: Selection): unknown {
  return { names: [...names], only };
}

function fromMemory(value: unknown): Selection | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const { names, only } = value as Record<string, unknown>;
  const known = read.nameSet(names);
  return known === undefined || typeof only !== "boolean" ? null : { names: known, only };
}
