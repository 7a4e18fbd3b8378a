// Workers whose text is at hand, in pages that may allow one way to start them and not the other, and their deadlines.

/** The part of a Worker that is used here. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: unknown) => void) | null;
}

/** Ways to start a worker in a page, the usual one first; each may throw, or give a worker that never starts. */
export type WorkerStarter = (source: string) => WorkerLike;

/** Milliseconds in which a worker must have started. */
export const START_DEADLINE = 10_000;

/** Milliseconds that an answer, which a busy page has not read yet, is waited for once the deadline has passed. */
const GRACE = 50;

/** Milliseconds without work after which the worker is let go. */
const IDLE = 10_000;

function fromBlob(source: string): WorkerLike {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return new Worker(url) as unknown as WorkerLike;
  } finally {
    // The worker has taken its own reference to the text by the time that this task ends.
    setTimeout(() => URL.revokeObjectURL(url), START_DEADLINE);
  }
}

function fromDataUrl(source: string): WorkerLike {
  return new Worker(`data:text/javascript,${encodeURIComponent(source)}`) as unknown as WorkerLike;
}

export const STARTERS: readonly WorkerStarter[] = [fromBlob, fromDataUrl];

/**
 * The answer of a worker; that it was ended at the deadline, or not asked because nobody wants the answer any more; or that
 * this page has no workers.
 */
export type TimedAnswer = { readonly answer: unknown; readonly ms: number } | "ended" | "unwanted" | "unavailable";

/**
 * One worker, started when it is first needed, and terminated when it misses a deadline. Questions are asked one after the
 * other, so that none pays for another. The worker says once that it has started, then answers each.
 */
export class TimedWorker {
  /** A function, since the text may be long. */
  readonly #source: () => string;
  readonly #deadline: number;
  readonly #starters: readonly WorkerStarter[];
  #worker: WorkerLike | null = null;
  /** No way to start a worker has worked. */
  #unavailable = false;
  #queue: Promise<unknown> = Promise.resolve();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Ends the question that is asked now, when the worker is closed. */
  #abandon: (() => void) | null = null;

  /** `deadline`: milliseconds for an answer. */
  constructor(source: () => string, deadline: number, starters: readonly WorkerStarter[] = STARTERS) {
    this.#source = source;
    this.#deadline = deadline;
    this.#starters = starters;
  }

  /** `isWanted` is called when the question's turn has come. */
  ask(question: unknown, isWanted: () => boolean = () => true): Promise<TimedAnswer> {
    const outcome = this.#queue.then(async (): Promise<TimedAnswer> => {
      if (this.#closed || !isWanted()) {
        return "unwanted";
      }
      clearTimeout(this.#idle);
      this.#worker ??= await this.#start();
      if (this.#worker === null || this.#closed) {
        return this.#closed ? "unwanted" : "unavailable";
      }
      const begin = performance.now();
      const answer = await this.#say(this.#worker, question, this.#deadline);
      if (this.#closed) {
        return "unwanted";
      }
      this.#idle = setTimeout(() => this.#terminate(), IDLE);
      return answer === null ? "ended" : { answer: answer.data, ms: performance.now() - begin };
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
        const worker = starter(this.#source());
        this.#worker = worker;
        if ((await this.#say(worker, null, START_DEADLINE)) !== null) {
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
  #say(worker: WorkerLike, question: unknown, deadline: number): Promise<{ readonly data: unknown } | null> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const settle = (answer: { readonly data: unknown } | null) => {
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
      worker.onmessage = ({ data }) => settle({ data });
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
