// Matches names against a regular expression in a worker, the only place where one that takes forever can be ended.

import { PATTERN_FLAGS } from "./pattern";
import { STARTERS, TimedWorker, type WorkerStarter } from "./workers";

/** Where in a name the match begins and ends. */
export type Span = readonly [from: number, to: number];

/** Why no answer came: the expression took too long, was no longer wanted, or this page has no workers. */
type NoAnswer = "ended" | "unwanted" | "unavailable";

/** Where each name matches, null where it does not. */
export type MatchOutcome = readonly (Span | null)[] | NoAnswer;

/** Milliseconds that an expression may take for all names together. */
export const DEADLINE = 1000;

/** For each name, the text of the first group, or of the whole match without a group; null without a match. */
export type CaptureOutcome = readonly (string | null)[] | NoAnswer;

/** Program of the worker. It reports its start once, then answers one question after the other. */
export const WORKER_SOURCE = `
onmessage = ({ data: { source, names, flags, capture } }) => {
  const expression = new RegExp(source, flags);
  const captured = (found) => found && (found[1] ?? found[0]);
  const span = (found) => found && [found.index, found.index + found[0].length];
  postMessage(names.map((name) => (capture ? captured : span)(expression.exec(name))));
};
postMessage("started");
`;

interface Question {
  readonly source: string;
  readonly names: readonly string[];
  readonly flags: string;
  readonly capture?: true;
}

export class RegexWorker {
  readonly #worker: TimedWorker;

  constructor(starters: readonly WorkerStarter[] = STARTERS) {
    this.#worker = new TimedWorker(() => WORKER_SOURCE, DEADLINE, starters);
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

  /** Captures the first group of the expression in each name, in the same way. */
  async capture(
    source: string,
    names: readonly string[],
    isWanted: () => boolean = () => true,
  ): Promise<CaptureOutcome> {
    const answer = await this.#answer({ source, names, flags: PATTERN_FLAGS, capture: true }, isWanted);
    return typeof answer === "string" ? answer : answer.map((found) => (typeof found === "string" ? found : null));
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
  return Array.isArray(found) && found.length === 2 && found.every(Number.isInteger);
}
