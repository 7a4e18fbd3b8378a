// A filter of names by a regular expression: the text in its box, the text in effect, and which names match.
//
// A text that may take forever to match is matched in a worker, which is terminated at a deadline. Only a text in effect is
// sent to Python and remembered: never one that is not a regular expression, or whose matching was ended.

import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { containsText, PATTERN_FLAGS, type PatternFault, parsePattern } from "../lib/pattern";
import type { MatchOutcome, RegexWorker, Span } from "../lib/regexworker";

/** Characters of names times characters of the text up to which the page itself matches, in about 0.1 s. */
const MAX_SYNC_WORK = 2e7;

/**
 * Why the text in the box is not in effect as it stands: no regular expression, ended, not tried since others of its log had
 * to be ended, or searched for as plain text.
 */
export type FilterProblem = PatternFault | "ended" | "untried" | "plainText";

/** Matches names by texts that may take forever. */
export interface Matcher {
  match(...args: Required<Parameters<RegexWorker["match"]>>): Promise<MatchOutcome | "untried">;
}

export type Matches = (name: string) => boolean;

/** Where a text came from. A text set by code stays set in Python, even if its matching is ended here. */
export type FilterOrigin = "typed" | "restored" | "code";

const everything: Matches = () => true;

/** Where the filter matches in a name; null where nothing is to be marked. */
export type SpanOf = (name: string) => Span | null;

const nothing: SpanOf = () => null;

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
  readonly #worker: Matcher;
  /** Called with each text that comes into effect and was not set by code; with "" when a text has no effect after all. */
  readonly #changed: (text: string) => void;
  /** The text that the worker matches, and its answers by name. */
  #pending: { readonly text: string; readonly known: Map<string, Span | null> } | null = null;
  readonly #flags: string;
  #origin: FilterOrigin = "code";
  #generation = 0;

  constructor(
    names: ReadonlySignal<readonly string[]>,
    worker: Matcher,
    until: AbortSignal,
    changed: (text: string) => void,
    flags = PATTERN_FLAGS,
  ) {
    this.text = this.#text;
    this.inEffect = this.#inEffect;
    this.problem = this.#problem;
    this.matches = this.#matches;
    this.spanOf = this.#spanOf;
    this.waits = this.#waits;
    this.#names = names;
    this.#worker = worker;
    this.#changed = changed;
    this.#flags = flags;
    const end = names.subscribe(() => this.#matchNewNames());
    const abandon = () => {
      end();
      // Work that still waits for the worker is not begun.
      this.#generation += 1;
    };
    until.addEventListener("abort", abandon, { once: true });
  }

  /** Takes another text. */
  set(text: string, origin: FilterOrigin): void {
    this.#origin = origin;
    this.#pending = null;
    this.#generation += 1;
    batch(() => {
      this.#text.value = text;
      this.#waits.value = false;
      const pattern = parsePattern(text, this.#flags);
      if (pattern.type === "invalid") {
        this.#refuse(pattern.fault);
      } else if (pattern.type === "all") {
        this.#accept(text, everything, nothing);
      } else if (pattern.type === "bounded") {
        const spanOf = this.#tested(text, pattern.expression);
        this.#accept(text, (name) => spanOf(name) !== null, spanOf);
      } else {
        // The filter in effect stays until the worker has answered.
        this.#problem.value = null;
        this.#askWorker(text, new Map());
      }
    });
  }

  /** Tests each name once, until that was much work: then the worker goes on. */
  #tested(text: string, expression: RegExp): SpanOf {
    const known = new Map<string, Span | null>();
    const generation = this.#generation;
    let work = 0;
    return (name) => {
      let found = known.get(name);
      if (found === undefined && work <= MAX_SYNC_WORK) {
        work += text.length * name.length;
        const match = expression.exec(name);
        found = match && [match.index, match.index + match[0].length];
        known.set(name, found);
        if (work > MAX_SYNC_WORK) {
          // Not at once: this may be called while something is rendered.
          queueMicrotask(() => {
            if (generation === this.#generation) {
              this.#askWorker(text, known);
            }
          });
        }
      }
      return found ?? null;
    };
  }

  #askWorker(text: string, known: Map<string, Span | null>): void {
    this.#pending = { text, known };
    this.#matchNewNames();
  }

  #matchNewNames(): void {
    const pending = this.#pending;
    if (pending === null) {
      return;
    }
    const unknown = this.#names.peek().filter((name) => !pending.known.has(name));
    if (unknown.length === 0) {
      this.#waits.value = false;
      this.#acceptKnown(pending.text, pending.known);
      return;
    }
    this.#generation += 1;
    const generation = this.#generation;
    this.#waits.value = true;
    const isWanted = () => generation === this.#generation;
    void this.#worker.match(pending.text, unknown, isWanted, this.#flags).then((outcome) => {
      if (!isWanted() || outcome === "unwanted") {
        return;
      }
      batch(() => {
        this.#waits.value = false;
        if (outcome === "ended" || outcome === "untried") {
          this.#pending = null;
          this.#refuse(outcome);
        } else if (outcome === "unavailable") {
          this.#pending = null;
          this.#accept(pending.text, containsText(pending.text), textSpan(pending.text));
          this.#problem.value = "plainText";
        } else {
          for (const [i, name] of unknown.entries()) {
            pending.known.set(name, outcome[i] ?? null);
          }
          this.#acceptKnown(pending.text, pending.known);
        }
      });
    });
  }

  #acceptKnown(text: string, known: ReadonlyMap<string, Span | null>): void {
    const held = new Map(known);
    const spanOf: SpanOf = (name) => held.get(name) ?? null;
    this.#accept(text, (name) => spanOf(name) !== null, spanOf);
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

function textSpan(text: string): SpanOf {
  const searched = text.toLowerCase();
  return (name) => {
    const at = name.toLowerCase().indexOf(searched);
    return at < 0 ? null : [at, at + text.length];
  };
}
