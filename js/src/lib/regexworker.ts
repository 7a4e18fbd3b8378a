// Matches names against a regular expression in a worker, the only place where one that takes forever can be ended.

import { PATTERN_FLAGS } from "./pattern";
import { START_DEADLINE, STARTERS, type WorkerLike, type WorkerStarter } from "./workers";

/** Where in a name the match begins and ends. */
export type Span = readonly [from: number, to: number];

/** Where each name matches, null where it does not; or that matching was ended at the deadline; or that this page has no workers. */
export type MatchOutcome = readonly (Span | null)[] | "ended" | "unavailable";

/** Milliseconds that an expression may take for all names together. */
export const DEADLINE = 1000;

/** Milliseconds that an answer, which a busy page has not read yet, is waited for once the deadline has passed. */
const GRACE = 50;

/** Milliseconds without work after which the worker is let go. */
const IDLE = 10_000;

/** Of each name what the first group matched, or all of the match without one; null where the name does not match. */
export type CaptureOutcome = readonly (string | null)[] | "ended" | "unavailable";

/** What the worker runs. It says once that it has started, then answers one question after the other. */
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

/** One worker, started when it is first needed. Questions are asked one after the other, so that none pays for another. */
export class RegexWorker {
  readonly #starters: readonly WorkerStarter[];
  #worker: WorkerLike | null = null;
  /** No way to start a worker has worked. */
  #unavailable = false;
  #queue: Promise<unknown> = Promise.resolve();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Ends the question that is asked now, when the worker is closed. */
  #abandon: (() => void) | null = null;

  constructor(starters: readonly WorkerStarter[] = STARTERS) {
    this.#starters = starters;
  }

  /** Matches the names. `isWanted` is asked when its turn has come: what nobody wants any more is not begun. */
  async match(
    source: string,
    names: readonly string[],
    isWanted: () => boolean = () => true,
    flags = PATTERN_FLAGS,
  ): Promise<MatchOutcome> {
    const answer = await this.#answer({ source, names, flags }, isWanted);
    return typeof answer === "string" ? answer : answer.map((found) => (isSpan(found) ? found : null));
  }

  /** Likewise, what the first group of the expression matches in each. */
  async capture(
    source: string,
    names: readonly string[],
    isWanted: () => boolean = () => true,
  ): Promise<CaptureOutcome> {
    const answer = await this.#answer({ source, names, flags: PATTERN_FLAGS, capture: true }, isWanted);
    return typeof answer === "string" ? answer : answer.map((found) => (typeof found === "string" ? found : null));
  }

  #answer(question: Question, isWanted: () => boolean): Promise<readonly unknown[] | "ended" | "unavailable"> {
    const outcome = this.#queue.then(async () => {
      if (this.#closed || !isWanted()) {
        return "ended";
      }
      clearTimeout(this.#idle);
      this.#worker ??= await this.#start();
      if (this.#worker === null || this.#closed) {
        return this.#closed ? "ended" : "unavailable";
      }
      const answer = await this.#ask(this.#worker, question, DEADLINE);
      if (!this.#closed) {
        this.#idle = setTimeout(() => this.#terminate(), IDLE);
      }
      return Array.isArray(answer) && answer.length === question.names.length ? answer : "ended";
    });
    this.#queue = outcome.catch(() => undefined);
    return outcome;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#terminate();
    this.#abandon?.();
  }

  async #start(): Promise<WorkerLike | null> {
    if (this.#unavailable) {
      return null;
    }
    for (const starter of this.#starters) {
      try {
        const worker = starter(WORKER_SOURCE);
        this.#worker = worker;
        if ((await this.#ask(worker, null, START_DEADLINE)) !== null) {
          return worker;
        }
      } catch {
        // Some pages allow no worker of this origin: then the next way.
      }
      if (this.#closed) {
        return null;
      }
    }
    this.#unavailable = true;
    return null;
  }

  /** What the worker says next; null if it says nothing until the deadline: then it is terminated. */
  #ask(worker: WorkerLike, question: unknown, deadline: number): Promise<unknown> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const settle = (answer: unknown) => {
        clearTimeout(timer);
        worker.onmessage = null;
        worker.onerror = null;
        this.#abandon = null;
        if (answer === null) {
          this.#terminate();
        }
        resolve(answer);
      };
      this.#abandon = () => settle(null);
      worker.onmessage = ({ data }) => settle(data);
      worker.onerror = () => settle(null);
      timer = setTimeout(() => {
        timer = setTimeout(() => settle(null), GRACE);
      }, deadline);
      if (question !== null) {
        worker.postMessage(question);
      }
    });
  }

  #terminate(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

function isSpan(found: unknown): found is Span {
  return Array.isArray(found) && found.length === 2 && found.every(Number.isInteger);
}
