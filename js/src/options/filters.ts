// A filter of names by a regular expression: the text in its box, the text in effect, and which names match.
//
// A text that may take forever to match is matched in a worker, which is terminated at a deadline. Only a text in effect is
// sent to Python and remembered: never one that is not a regular expression, or whose matching was ended.

import { batch, computed, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { type ExpressionRunner, NameMatcher, PATTERN_FLAGS, type PatternFault, type Span } from "../lib/namematcher";

/**
 * Why the text in the box is not in effect as it stands: no regular expression, ended, not tried since others of its log had
 * to be ended, or searched for as plain text.
 */
export type FilterProblem = PatternFault | "ended" | "untried" | "plainText";

export type Matches = (name: string) => boolean;

/** Where a text came from. A text set by code stays set in Python, even if its matching is ended here. */
export type FilterOrigin = "typed" | "restored" | "code";

const everything: Matches = () => true;

/** Where the filter matches in a name; null where nothing is to be marked. */
export type SpanOf = (name: string) => Span | null;

const nothing: SpanOf = () => null;

/** Other names of names: a name matches where one of them does. */
export type Aliases = ReadonlyMap<string, readonly string[]>;

const NO_ALIASES: ReadonlySignal<Aliases> = signal(new Map());

export class Filter {
  /** The text in the box. */
  readonly text: ReadonlySignal<string>;
  /** The text in effect: that in the box, or "" if that cannot be applied. */
  readonly inEffect: ReadonlySignal<string>;
  readonly problem: ReadonlySignal<FilterProblem | null>;
  readonly matches: ReadonlySignal<Matches>;
  /** Where names match that do. */
  readonly spanOf: ReadonlySignal<SpanOf>;
  /** Some names wait for the worker; until it answers they do not match. */
  readonly waits: ReadonlySignal<boolean>;

  readonly #text = signal("");
  readonly #inEffect = signal("");
  readonly #problem: Signal<FilterProblem | null> = signal(null);
  readonly #matches: Signal<Matches> = signal(everything);
  readonly #spanOf: Signal<SpanOf> = signal(nothing);
  readonly #waits = signal(false);
  readonly #names: ReadonlySignal<readonly string[]>;
  readonly #aliases: ReadonlySignal<Aliases>;
  readonly #runner: ExpressionRunner;
  /** Called with each text that comes into effect and was not set by code; with "" when a text has no effect after all. */
  readonly #changed: (text: string) => void;
  #matcher: NameMatcher;
  /** New names are matched by the worker. */
  #learns = false;
  readonly #flags: string;
  #origin: FilterOrigin = "code";

  constructor(
    names: ReadonlySignal<readonly string[]>,
    runner: ExpressionRunner,
    until: AbortSignal,
    changed: (text: string) => void,
    flags = PATTERN_FLAGS,
    aliases = NO_ALIASES,
  ) {
    this.text = this.#text;
    this.inEffect = this.#inEffect;
    this.problem = this.#problem;
    this.matches = this.#matches;
    this.spanOf = this.#spanOf;
    this.waits = this.#waits;
    this.#aliases = aliases;
    this.#names = computed(() =>
      aliases.value.size === 0 ? names.value : [...names.value, ...[...aliases.value.values()].flat()],
    );
    this.#runner = runner;
    this.#changed = changed;
    this.#flags = flags;
    this.#matcher = new NameMatcher("", runner, { flags });
    const ends = [
      this.#names.subscribe(() => this.#learnNames()),
      // Names that did not match may do so by an alias.
      aliases.subscribe(() => {
        if (this.#matcher.pattern.type === "bounded" && !this.#learns && this.#problem.peek() === null) {
          untracked(() => batch(() => this.#acceptFound(this.#matcher)));
        }
      }),
    ];
    const abandon = () => {
      for (const end of ends) {
        end();
      }
      this.#matcher.close();
    };
    until.addEventListener("abort", abandon, { once: true });
  }

  /** Takes another text. */
  set(text: string, origin: FilterOrigin): void {
    this.#origin = origin;
    this.#learns = false;
    this.#matcher.close();
    const matcher = new NameMatcher(text, this.#runner, { flags: this.#flags });
    const { pattern } = matcher;
    this.#matcher = matcher;
    batch(() => {
      this.#text.value = text;
      this.#waits.value = false;
      if (pattern.type === "invalid") {
        this.#refuse(pattern.fault);
      } else if (pattern.type === "all") {
        this.#accept(text, everything, nothing);
      } else if (pattern.type === "bounded") {
        this.#acceptFound(matcher);
      } else {
        // The filter in effect stays until the worker has answered.
        this.#problem.value = null;
        this.#learnFrom(matcher);
      }
    });
  }

  /** Names are matched when they are asked about, until that was much work: then the worker goes on. */
  #acceptFound(matcher: NameMatcher): void {
    const spanOf: SpanOf = (name) => {
      const found = matcher.find(name);
      if (found === undefined && matcher === this.#matcher && !this.#learns) {
        this.#learns = true;
        // Not at once: this may be called while something is rendered.
        queueMicrotask(() => this.#learnFrom(matcher));
      }
      return found ?? null;
    };
    this.#accept(matcher.text, this.#matchesBy(spanOf), spanOf);
  }

  #matchesBy(spanOf: SpanOf): Matches {
    const aliases = this.#aliases;
    return (name) =>
      spanOf(name) !== null ||
      (aliases
        .peek()
        .get(name)
        ?.some((alias) => spanOf(alias) !== null) ??
        false);
  }

  #learnFrom(matcher: NameMatcher): void {
    if (matcher === this.#matcher) {
      this.#learns = true;
      this.#learnNames();
    }
  }

  #learnNames(): void {
    if (!this.#learns) {
      return;
    }
    const matcher = this.#matcher;
    const names = this.#names.peek();
    this.#waits.value = !names.every((name) => matcher.knows(name));
    if (!this.#waits.value) {
      this.#acceptKnown(matcher);
    }
    void matcher.learn(names).then((outcome) => {
      if (outcome !== "unwanted" && this.#waits.value) {
        batch(() => this.#takeOutcome(matcher, outcome));
      }
    });
  }

  #takeOutcome(matcher: NameMatcher, outcome: "known" | "ended" | "untried" | "unavailable"): void {
    this.#waits.value = false;
    if (outcome === "known") {
      this.#acceptKnown(matcher);
      return;
    }
    this.#learns = false;
    if (outcome !== "unavailable") {
      this.#refuse(outcome);
      return;
    }
    const plain = new NameMatcher(matcher.text, this.#runner, { flags: this.#flags, isPlain: true });
    this.#matcher = plain;
    this.#acceptFound(plain);
    this.#problem.value = "plainText";
  }

  /** A new function each time, so that what follows it knows that more names are matched. */
  #acceptKnown(matcher: NameMatcher): void {
    const spanOf: SpanOf = (name) => matcher.find(name) ?? null;
    this.#accept(matcher.text, this.#matchesBy(spanOf), spanOf);
  }

  #accept(text: string, matches: Matches, spanOf: SpanOf): void {
    this.#problem.value = null;
    this.#matches.value = matches;
    this.#spanOf.value = spanOf;
    this.#bringIntoEffect(text);
  }

  /** The text in the box is not in effect: all names match. */
  #refuse(problem: FilterProblem): void {
    this.#problem.value = problem;
    this.#matches.value = everything;
    this.#spanOf.value = nothing;
    this.#bringIntoEffect("");
  }

  #bringIntoEffect(text: string): void {
    // One that was restored is remembered, and set in Python, though it never was in effect here.
    const isNew = text !== this.#inEffect.peek() || (this.#origin === "restored" && text !== this.#text.peek());
    this.#inEffect.value = text;
    if (isNew && this.#origin !== "code") {
      this.#changed(text);
    }
  }
}
