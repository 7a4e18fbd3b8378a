// Matches names against the text of a filter or search: a regular expression, or plain text.
//
// A text is judged before any name is matched: regular expressions can take forever, and none can be interrupted. One that may
// runs in a worker, the only place where it can be ended.

import { STARTERS, TimedWorker, type WorkerStarter } from "./workers";

/** The fault of an invalid regular expression. */
export type PatternFault =
  | "openGroup"
  | "closedGroup"
  | "openClass"
  | "nothingToRepeat"
  | "loneBackslash"
  | "orderOfNumbers"
  | "orderOfRange"
  | "badGroup"
  | "badName"
  | "other";

export type ParsedPattern =
  /** Empty: every name matches. */
  | { readonly type: "all" }
  /** Matches in a time that grows no faster than pattern × names; safe to run anywhere. */
  | { readonly type: "bounded"; readonly expression: RegExp }
  /** May backtrack: to be run only where it can be ended. */
  | { readonly type: "unbounded" }
  | { readonly type: "invalid"; readonly fault: PatternFault };

/**
 * Without quantifiers, groups and references to them, each alternative has one length, and is tried once at each place.
 * That leaves plain characters, escapes, classes, anchors and alternatives of the whole expression.
 */
const BOUNDED = /^(?:[^\\[\](){}*+?]|\\[^\dkpPxuc]|\[(?:[^\\\]]|\\[^\dkpPxuc])*\])*$/s;

/** Messages of engines (V8; SpiderMonkey; JavaScriptCore), and the faults that they mean. */
const FAULTS: readonly (readonly [RegExp, PatternFault])[] = [
  [/unterminated group|unterminated parenthetical|missing \)/i, "openGroup"],
  [/unmatched/i, "closedGroup"],
  [/character class.*(?:missing|unterminated)|(?:missing|unterminated).*character class/i, "openClass"],
  [/nothing to repeat/i, "nothingToRepeat"],
  [/\\ at end/i, "loneBackslash"],
  [/numbers out of order/i, "orderOfNumbers"],
  [/range out of order|invalid range/i, "orderOfRange"],
  [/invalid (?:regexp )?group|unrecognized character after \(\?/i, "badGroup"],
  [/group (?:name|specifier)|named (?:reference|capture)/i, "badName"],
];

/** Filters are found anywhere in a name, upper and lower case alike. */
export const PATTERN_FLAGS = "i";

/** Code in Python that sets another text raises an error. A field of the page keeps the text and explains the error. */
export function isExpression(text: string): boolean {
  return parsePattern(text).type !== "invalid";
}

export function parsePattern(text: string, flags = PATTERN_FLAGS): ParsedPattern {
  if (text === "") {
    return { type: "all" };
  }
  try {
    // The expression is only parsed here; engines match no name before they are asked to.
    const expression = new RegExp(text, flags);
    return BOUNDED.test(text) ? { type: "bounded", expression } : { type: "unbounded" };
  } catch (error) {
    return { type: "invalid", fault: faultOf(error instanceof Error ? error.message : "", text) };
  }
}

function faultOf(message: string, text: string): PatternFault {
  // Engines put the expression before the reason: "Invalid regular expression: /(/i: Unterminated group".
  const reason = message.replace(`/${text}/`, "");
  return FAULTS.find(([expression]) => expression.test(reason))?.[1] ?? "other";
}

/** A text for an expression that finds it as it stands. */
export function escapedForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Where in a name the match begins and ends, and the text of the first group that took part in it, if any. */
export type Span = readonly [from: number, to: number, group?: string];

/** Why no answer came: the expression took too long, was no longer wanted, or this page has no workers. */
type NoAnswer = "ended" | "unwanted" | "unavailable";

/** Where each name matches, null where it does not. */
export type MatchOutcome = readonly (Span | null)[] | NoAnswer;

/** Milliseconds that an expression may take for all names together. */
export const MATCH_DEADLINE_MS = 1000;

/** Program of the worker. It reports its start once, then answers one question after the other. */
export const WORKER_SOURCE = `
onmessage = ({ data: { source, names, flags } }) => {
  const expression = new RegExp(source, flags);
  const span = (found) => found && [found.index, found.index + found[0].length, ...found.slice(1, 2)];
  postMessage(names.map((name) => span(expression.exec(name))));
};
postMessage("started");
`;

interface Question {
  readonly source: string;
  readonly names: readonly string[];
  readonly flags: string;
}

export class RegexWorker {
  readonly #worker: TimedWorker;

  constructor(starters: readonly WorkerStarter[] = STARTERS) {
    this.#worker = new TimedWorker(() => WORKER_SOURCE, MATCH_DEADLINE_MS, starters);
  }

  /** Matches the names. `isWanted` is called before the work begins, which it can still prevent. */
  async match(
    source: string,
    names: readonly string[],
    isWanted: () => boolean = () => true,
    flags = PATTERN_FLAGS,
  ): Promise<MatchOutcome> {
    const answer = await this.#answer({ source, names, flags }, isWanted);
    return typeof answer === "string" ? answer : answer.map((found) => (isSpan(found) ? found : null));
  }

  close(): void {
    this.#worker.close();
  }

  async #answer(question: Question, isWanted: () => boolean): Promise<readonly unknown[] | NoAnswer> {
    const found = await this.#worker.ask(question, isWanted);
    if (typeof found === "string") {
      return found;
    }
    const { answer } = found;
    return Array.isArray(answer) && answer.length === question.names.length ? answer : "ended";
  }
}

function isSpan(found: unknown): found is Span {
  const [from, to] = Array.isArray(found) ? found : [];
  return Number.isInteger(from) && Number.isInteger(to);
}

/** Matches names by expressions that may backtrack; "untried" where others of their log had to be ended. */
export interface ExpressionRunner {
  match(...args: Required<Parameters<RegexWorker["match"]>>): Promise<MatchOutcome | "untried">;
}

/** Characters of names times characters of the text up to which `find` itself matches, in about 0.1 s. */
const MAX_SYNC_WORK = 2e7;

/** Milliseconds that the page is kept busy at a time. */
const SLICE_MS = 8;

/** Characters matched between two looks at the clock. */
const STRIDE_CHARACTERS = 16_384;

/** Names that the worker is given at a time by `match`, each time with a deadline. */
const MAX_ASKED_NAMES = 20_000;

interface Syntax {
  readonly flags?: string;
  /** The text is searched for as it stands: it is no regular expression. */
  readonly isPlain?: boolean;
}

/**
 * One text that names are matched against. Expressions whose time is bounded are run in the page; others only where they can
 * be ended. Spans found by `find` and `learn` are remembered.
 */
export class NameMatcher {
  readonly text: string;
  readonly pattern: ParsedPattern;
  readonly #flags: string;
  readonly #runner: ExpressionRunner;
  /** Plain text is found fast enough among any number of names. */
  readonly #isPlain: boolean;
  readonly #known = new Map<string, Span | null>();
  #work = 0;
  /** When the page had its last turn, and the characters matched since the clock was last looked at. */
  #turnAt = performance.now();
  #characters = 0;
  /** Counts the calls of `learn`: only the answer to the last one is wanted. */
  #generation = 0;

  constructor(text: string, runner: ExpressionRunner, { flags = PATTERN_FLAGS, isPlain = false }: Syntax = {}) {
    this.text = text;
    this.#flags = flags;
    this.#runner = runner;
    this.#isPlain = isPlain;
    this.pattern =
      isPlain && text !== ""
        ? { type: "bounded", expression: new RegExp(escapedForPattern(text), flags) }
        : parsePattern(text, flags);
  }

  /** Where a name matches, null where it does not; undefined where that is not known and takes too long to find out here. */
  find(name: string): Span | null | undefined {
    const known = this.#known.get(name);
    const { pattern } = this;
    if (known !== undefined || pattern.type !== "bounded" || (this.#work > MAX_SYNC_WORK && !this.#isPlain)) {
      return known;
    }
    this.#work += this.text.length * name.length;
    const found = spanIn(name, pattern.expression);
    this.#known.set(name, found);
    return found;
  }

  /** The text of the first group in a name, or of the whole match without a group; null where it is not known to match. */
  captured(name: string): string | null {
    const span = this.#known.get(name);
    return span ? (span[2] ?? name.slice(span[0], span[1])) : null;
  }

  knows(name: string): boolean {
    return this.#known.has(name);
  }

  /** Has the unknown ones of these names matched, so that `find` knows them; a later call takes the place of this one. */
  async learn(names: readonly string[]): Promise<NoAnswer | "untried" | "known"> {
    this.#generation += 1;
    const generation = this.#generation;
    const isWanted = () => generation === this.#generation;
    const unknown = names.filter((name) => !this.#known.has(name));
    if (unknown.length === 0) {
      return "known";
    }
    const outcome = await this.#runner.match(this.text, unknown, isWanted, this.#flags);
    if (!isWanted()) {
      return "unwanted";
    }
    if (typeof outcome === "string") {
      return outcome;
    }
    for (const [i, name] of unknown.entries()) {
      this.#known.set(name, outcome[i] ?? null);
    }
    return "known";
  }

  /** Whether each name matches, for very many names; an expression that is none matches nothing. */
  async match(names: readonly string[], isWanted: () => boolean): Promise<readonly boolean[] | NoAnswer> {
    const { pattern } = this;
    switch (pattern.type) {
      case "all":
        return names.map(() => true);
      case "invalid":
        return names.map(() => false);
      case "bounded":
        return this.#inSlices(names, pattern.expression, isWanted);
      default:
        return this.#inBatches(names, isWanted);
    }
  }

  /** Answers that are still to come change nothing; work that still waits is not begun. */
  close(): void {
    this.#generation += 1;
  }

  /** In the page itself, which has a turn now and then, also between calls. */
  async #inSlices(
    names: readonly string[],
    expression: RegExp,
    isWanted: () => boolean,
  ): Promise<boolean[] | "unwanted"> {
    const found: boolean[] = [];
    for (const name of names) {
      found.push(expression.test(name));
      this.#characters += name.length + 1;
      if (this.#characters > STRIDE_CHARACTERS) {
        this.#characters = 0;
        if (performance.now() - this.#turnAt > SLICE_MS) {
          await new Promise((resolve) => setTimeout(resolve));
          this.#turnAt = performance.now();
        }
        if (!isWanted()) {
          return "unwanted";
        }
      }
    }
    return found;
  }

  async #inBatches(names: readonly string[], isWanted: () => boolean): Promise<readonly boolean[] | NoAnswer> {
    const found: boolean[] = [];
    for (let first = 0; first < names.length; first += MAX_ASKED_NAMES) {
      const batch = names.slice(first, first + MAX_ASKED_NAMES);
      const outcome = await this.#runner.match(this.text, batch, isWanted, this.#flags);
      if (typeof outcome === "string") {
        return outcome === "untried" ? "ended" : outcome;
      }
      found.push(...outcome.map((span) => span !== null));
    }
    return isWanted() ? found : "unwanted";
  }
}

function spanIn(name: string, expression: RegExp): Span | null {
  const found = expression.exec(name);
  return found && [found.index, found.index + found[0].length];
}
