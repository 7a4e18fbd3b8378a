// The user's options on one board: those that panels declare, the filters, and the selection of runs. Each is a trait of the
// Python widget, and remembered by this browser.

import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { RegexWorker } from "../lib/namematcher";
import type { Model } from "../wire/model";
import type { Store } from "../wire/store";
import { namesByTag } from "../wire/tagtexts";
import { cardOptions } from "./cards";
import type { Option, OptionSpec, OptionsOf, OptionTable } from "./declare";
import { type Aliases, Filter, type FilterOrigin } from "./filters";
import { HoverSync } from "./hovered";
import { LayoutMatcher, Patterns } from "./patterns";
import { isSameJson } from "./profile";
import { type ColorOf, RunColors } from "./runcolors";
import { RunGroups } from "./rungroups";
import { RunSelection } from "./runselection";
import { runTableOptions } from "./runtable";
import type { Selection } from "./selection";
import { LocalSettings } from "./settings";
import { boardOptions } from "./shared";
import { TraitSync } from "./sync";

interface Declared {
  readonly spec: OptionSpec<unknown>;
  readonly option: Option<unknown>;
}

/** Not restored where several boards show the directory: they would take over each other's. */
const OF_ONE_BOARD: ReadonlySet<string> = new Set(["panel", "selected_runs"]);

/** Options that a reset keeps: the shown panel, and names, notes and the archive of runs. */
const KEPT_BY_RESET: ReadonlySet<string> = new Set(["panel", "run_names", "run_notes", "archived_runs"]);

/** What this browser remembers besides options. */
const IGNORES_FILE = "_ignores_file";

export interface OptionsFile {
  readonly name: string;
  /** Names of the options that it sets. */
  readonly options: readonly string[];
  readonly isIgnored: boolean;
  /** Whether its values are in this page, so that they can be taken over again. */
  readonly isKnown: boolean;
}

export class Options {
  readonly board: OptionsOf<typeof boardOptions>;
  readonly runs: RunSelection;
  readonly runGroups: RunGroups;
  readonly runFilter: Filter;
  readonly tagFilter: Filter;
  /** Patterns of the cards that show all matching tags. */
  readonly patterns: Patterns;
  /** Options of the list of runs. */
  readonly runTable: OptionsOf<typeof runTableOptions>;
  readonly colors: RunColors;
  /** Archived runs, unless these are shown. */
  readonly leftOut: ReadonlySignal<ReadonlySet<string>>;
  /** The color of a run, as #rrggbb. */
  readonly colorOf: ReadonlySignal<ColorOf>;
  /** The point below the pointer, for Python. */
  readonly hovered: HoverSync;
  /** The one panel that there is; null: all of them. */
  readonly onlyPanel: string | null;
  /** The class of that view in Python; null for a dashboard. */
  readonly viewName: string | null;

  /** The file in the log directory that sets options; null without one. */
  readonly file: ReadonlySignal<OptionsFile | null>;

  readonly #file = signal<OptionsFile | null>(null);
  readonly #declared = new Map<string, Declared>();
  readonly #ofTable = new Map<OptionTable, Readonly<Record<string, Option<unknown>>>>();
  readonly #panels: ReadonlySet<string>;
  readonly #settings: LocalSettings;
  readonly #sync: TraitSync;
  /** Restores an option from its remembered value, by name. */
  readonly #recall = new Map<string, (value: unknown) => void>();

  /** `tables`: what the panels declare. `panels`: their names. */
  constructor(
    model: Model,
    store: Store,
    tables: Iterable<OptionTable>,
    until: AbortSignal,
    worker = new RegexWorker(),
    layoutWorker = new RegexWorker(),
    panels: Iterable<string> = [],
  ) {
    this.#panels = new Set(panels);
    this.#settings = new LocalSettings(globalThis.window, until);
    this.#sync = new TraitSync(model, until);
    this.file = this.#file;
    this.hovered = new HoverSync(model, until);
    this.onlyPanel = model.get("_single") === true ? String(model.get("panel")) : null;
    const viewName = model.get("_view_class");
    this.viewName = this.onlyPanel !== null && typeof viewName === "string" && viewName !== "" ? viewName : null;
    for (const table of new Set<OptionTable>([boardOptions, runTableOptions, cardOptions, ...tables])) {
      for (const [name, spec] of Object.entries(table)) {
        this.#declare(name, spec);
      }
    }
    this.board = this.of(boardOptions);
    this.runFilter = this.#filter("run_filter", store.runs, worker, until);
    const aliases = computed(() => namesByTag(store.tagTexts.value));
    this.tagFilter = this.#filter("tag_filter", store.tags, worker, until, aliases);
    this.patterns = new Patterns(store.tags, worker, new LayoutMatcher(layoutWorker), until);
    this.runs = new RunSelection(store);
    this.runGroups = new RunGroups(store.runs, this.board.group_by, worker, until, store.runAttributes);
    this.runTable = this.of(runTableOptions);
    const { archived_runs, show_archived } = this.runTable;
    this.leftOut = computed(() => (show_archived.value ? new Set() : archived_runs.value));
    const [chosen, colorBy] = [this.board.run_colors, this.runTable.run_color_by];
    this.colors = new RunColors({ store, chosen, colorBy, groups: this.runGroups, worker }, until);
    this.colorOf = this.colors.colorOf;
    this.#sync.bind("selected_runs", {
      apply: (value) => this.runs.applyTrait(value, value === null && !this.#sync.given.has("selected_runs")),
      value: () => this.runs.names(),
    });
    this.#recall.set("selected_runs", (value) => this.runs.recall(value));
    this.#updateFile();
    this.#sync.onFile(() => {
      this.#updateFile();
      if (this.#file.peek()?.isIgnored) {
        this.#followFile(true);
      }
    });
    const ends = [
      () => worker.close(),
      () => layoutWorker.close(),
      store.runs.subscribe((runs) => this.#followRuns(runs)),
      effect(() => {
        const path = store.status.value?.path;
        const board = String(model.get("_board") ?? "");
        // A last view keeps the options that it had. Options set now are remembered once the directory is known.
        if (path !== undefined && !store.isLastView.value && this.#settings.open(path, board)) {
          this.#restore(board);
          this.#updateFile();
          if (this.#file.peek()?.isIgnored) {
            this.#followFile(true);
          }
          this.#followRuns(store.runs.peek());
        }
      }),
    ];
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

  /** The options that a table declares. */
  of<C extends OptionTable>(table: C): OptionsOf<C> {
    let options = this.#ofTable.get(table);
    if (options === undefined) {
      options = Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, this.#optionOf(name, spec)]));
      this.#ofTable.set(table, options);
    }
    return options as OptionsOf<C>;
  }

  /** Whether the panels of this widget have the options of a table. */
  declares(table: OptionTable): boolean {
    return Object.entries(table).every(([name, spec]) => this.#declared.get(name)?.spec === spec);
  }

  /** All options by the names of their traits, for a model that is made of them. */
  values(): Record<string, unknown> {
    return this.#sync.values();
  }

  /** Sets options, by the names of their traits, that the user set elsewhere in this page. */
  takeOver(made: Readonly<Record<string, unknown>>): void {
    batch(() => {
      for (const [name, value] of Object.entries(made)) {
        if (this.#sync.apply(name, value)) {
          this.#sync.send(name);
          if (this.#recall.has(name)) {
            this.#settings.set(name, name === "selected_runs" ? this.runs.remembered() : value);
          }
        }
      }
    });
  }

  /** All options as a profile has them. */
  profile(): Record<string, unknown> {
    return this.#sync.options();
  }

  /** The options that make this dashboard what it is, as Python takes them: those whose values are not the usual ones. */
  differing(): Map<string, unknown> {
    const found = new Map<string, unknown>();
    const ofFile: ReadonlySet<string> = this.#file.peek()?.isIgnored === false ? this.#sync.fromFile : new Set();
    for (const [name, value] of Object.entries(this.#sync.options())) {
      // What a file in the log directory sets is overruled by what is given, also by a default.
      if (!isSameJson(value, this.#defaultOf(name)) || ofFile.has(name)) {
        const { spec, option } = this.#declared.get(name) ?? {};
        const given = spec?.forPython === undefined ? value : spec.forPython(option?.peek());
        if (given !== undefined) {
          found.set(name, given);
        }
      }
    }
    return found;
  }

  /**
   * Takes over the options of a profile, as if the user had set each; returns the names of those that are refused. Its notes are
   * added to those that there are.
   */
  load(profile: ReadonlyMap<string, unknown>): {
    readonly unknown: string[];
    readonly wrong: string[];
    readonly taken: number;
  } {
    const [unknown, wrong]: [string[], string[]] = [[], []];
    const taken: Record<string, unknown> = {};
    for (const [name, value] of profile) {
      if (!this.#sync.knows(name)) {
        unknown.push(name);
      } else if (this.#accepts(name, value)) {
        taken[name] = value;
      } else {
        wrong.push(name);
      }
    }
    if (taken.run_notes !== undefined) {
      // Every saved profile holds all options: one without notes would wipe them out.
      const notes = { ...Object.fromEntries(this.runTable.run_notes.peek()), ...(taken.run_notes as object) };
      if (this.#accepts("run_notes", notes)) {
        taken.run_notes = notes;
      } else {
        delete taken.run_notes;
        wrong.push("run_notes");
      }
    }
    this.takeOver(taken);
    // A view takes the profile of a whole dashboard.
    return { unknown: this.onlyPanel === null ? unknown : [], wrong, taken: Object.keys(taken).length };
  }

  /** Whether an option can have a value, all of it, as it stands in a profile. */
  #accepts(name: string, value: unknown): boolean {
    if (name === "panel" && typeof value === "string") {
      return this.#panels.has(value);
    }
    const spec = this.#declared.get(name)?.spec;
    if (spec === undefined) {
      const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
      return name === "selected_runs" ? value === null || isList : typeof value === "string";
    }
    try {
      const parsed = spec.parse(value);
      return parsed !== undefined && isSameJson(spec.serialize === undefined ? parsed : spec.serialize(parsed), value);
    } catch {
      return false; // nested too deep
    }
  }

  /**
   * Forgets what this browser remembers, but for `KEPT_BY_RESET`: options are as Python, else the file, else the
   * defaults have them.
   */
  reset(): void {
    batch(() => {
      for (const name of Object.keys(this.#sync.options())) {
        if (!KEPT_BY_RESET.has(name)) {
          this.#setUnremembered(name, true);
        }
      }
      this.#settings.clear(KEPT_BY_RESET);
      this.#updateFile();
    });
  }

  /** Ignores the options of the file in the log directory, or no longer. This browser remembers it for the board. */
  ignoreFile(isIgnored: boolean): void {
    this.#settings.set(IGNORES_FILE, isIgnored);
    this.#updateFile();
    batch(() => this.#followFile(isIgnored));
  }

  #followFile(isIgnored: boolean): void {
    for (const name of this.#sync.fromFile) {
      const remembered = this.#settings.get(name);
      // A default is remembered where a dashboard that ignored the file handed its options to another one.
      if (remembered === undefined || (!isIgnored && isSameJson(remembered, this.#defaultOf(name)))) {
        this.#settings.delete(name);
        this.#setUnremembered(name, !isIgnored);
      }
    }
  }

  #setUnremembered(name: string, byFile: boolean): void {
    const { given, fromFile, ofFile } = this.#sync;
    const isByFile = byFile && fromFile.has(name);
    // The values of a large file are not in this page: what it sets stays as it is until the cell is run again.
    if (given.has(name) || !this.#sync.knows(name) || (isByFile && !ofFile.has(name))) {
      return;
    }
    this.#sync.apply(name, isByFile ? ofFile.get(name) : this.#defaultOf(name));
    this.#sync.sendIfDifferent(name);
  }

  #defaultOf(name: string): unknown {
    const spec = this.#declared.get(name)?.spec;
    if (spec === undefined) {
      return name === "selected_runs" ? null : "";
    }
    return spec.serialize === undefined ? spec.initial : spec.serialize(spec.initial);
  }

  #updateFile(): void {
    const names = [...this.#sync.fromFile];
    const isIgnored = this.#settings.get(IGNORES_FILE) === true;
    const isKnown = names.some((name) => this.#sync.ofFile.has(name));
    this.#file.value = names.length === 0 ? null : { name: this.#sync.file, options: names, isIgnored, isKnown };
  }

  /**
   * Whether a run is shown: it is selected, or one of those that are previewed in their place, matches the filter, and is not
   * left out.
   */
  shows(run: string): boolean {
    const previewed = this.runs.preview.value?.runs.value ?? null;
    const { names, only } = this.runs.selection.value;
    const isMeant = previewed?.has(run) ?? names.has(run) === only;
    return isMeant && this.runFilter.matches.value(run) && !this.leftOut.value.has(run);
  }

  /** Selects runs for the user. */
  select(selection: Selection): void {
    this.runs.select(selection);
    this.#settings.set("selected_runs", this.runs.remembered());
    this.#sync.send("selected_runs");
  }

  /** Gives a run a color, as #rrggbb. */
  setColor(run: string, color: string): void {
    this.board.run_colors.set(new Map(this.board.run_colors.peek()).set(run, color));
  }

  /** Pins all of these tags, or none of them any more. */
  togglePins(tags: readonly string[]): void {
    const pinned = this.board.pinned.peek();
    const all = tags.every((tag) => pinned.includes(tag));
    this.board.pinned.set(all ? pinned.filter((tag) => !tags.includes(tag)) : [...new Set([...pinned, ...tags])]);
  }

  #optionOf(name: string, spec: OptionSpec<unknown>): Option<unknown> {
    const declared = this.#declared.get(name);
    if (declared?.spec !== spec) {
      throw new Error(`no panel declares the option ${name} of this table`);
    }
    return declared.option;
  }

  #declare(name: string, spec: OptionSpec<unknown>): void {
    if (this.#declared.has(name)) {
      throw new Error(`two panels declare the option ${name}: let them share the table that does`);
    }
    const held: Signal<unknown> = signal(spec.initial);
    const value = () => (spec.serialize === undefined ? held.peek() : spec.serialize(held.peek()));
    const option = {
      get value() {
        return held.value;
      },
      peek: () => held.peek(),
      set: (chosen: unknown) => {
        held.value = chosen;
        if (spec.remembered) {
          this.#settings.set(name, value());
        }
        this.#sync.send(name);
      },
    };
    this.#declared.set(name, { spec, option });
    if (name === "panel" && this.onlyPanel !== null) {
      return;
    }
    const apply = (from: unknown) => {
      const parsed = spec.parse(from);
      if (parsed !== undefined) {
        held.value = parsed;
      }
    };
    this.#sync.bind(name, { apply, value });
    if (spec.remembered) {
      this.#recall.set(name, apply);
    }
  }

  #filter(
    name: string,
    names: ReadonlySignal<readonly string[]>,
    worker: RegexWorker,
    until: AbortSignal,
    aliases?: ReadonlySignal<Aliases>,
  ): Filter {
    const changed = (text: string) => {
      this.#settings.set(name, text);
      this.#sync.sendIfDifferent(name);
    };
    const filter = new Filter(names, worker, until, changed, undefined, aliases);
    const set = (value: unknown, origin: FilterOrigin) => {
      if (typeof value === "string") {
        filter.set(value, origin);
      }
    };
    this.#sync.bind(name, {
      apply: (value) => set(value, this.#isSetElsewhere(name) ? "code" : "restored"),
      value: () => filter.inEffect.peek(),
    });
    this.#recall.set(name, (value) => set(value, "restored"));
    return filter;
  }

  /** Whether an option was set in Python or by a file in the log directory, which is not remembered. */
  #isSetElsewhere(name: string): boolean {
    return this.#sync.given.has(name) || this.#sync.fromFile.has(name);
  }

  /** Restores the options set earlier on this board, except for those that Python set, or a page that shows it now. */
  #restore(board: string): void {
    const given = this.#sync.given;
    batch(() => {
      for (const [name, recall] of this.#recall) {
        const value = this.#settings.get(name);
        const isOfThisBoard = board !== "" || !OF_ONE_BOARD.has(name);
        if (value !== undefined && isOfThisBoard && !given.has(name) && this.#sync.chosenBy(name) === undefined) {
          recall(value);
          this.#sync.sendIfDifferent(name);
        }
      }
    });
  }

  #followRuns(runs: readonly string[]): void {
    if (this.runs.follow(runs)) {
      this.#sync.send("selected_runs");
    }
  }
}
