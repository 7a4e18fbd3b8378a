// Projections that take long: the idle kernel computes them, in the background, and is asked until they are done; UMAP of not too
// many points is computed by this page where the kernel cannot, or is busy. Results stay with the page.

import { effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { itemTexts } from "../../items/texts";
import { commonTexts } from "../../lib/commontexts";
import { formatCount } from "../../lib/format";
import { messageOf, WordedError, withReason } from "../../wire/reasons";
import { type Answer, Refused, type Requests } from "../../wire/requests";
import { toBase64 } from "../../wire/writer";
import { projectorTexts } from "./texts";
import type { Progress } from "./umap/runner";

/** Milliseconds from an answer to the next question. */
const POLL_MS = 500;

/** Milliseconds that the kernel is busy, or away, after which the page computes what it can. */
const BUSY_MS = 2000;

/** Jobs whose results are kept. */
const MAX_KEPT = 8;

/** Why a kernel does not compute at all. */
const NOT_THERE: ReadonlySet<string | undefined> = new Set(["projection-package", "projection-unavailable"]);

/** Who computes. */
export type By = "kernel" | "page";

export type JobState =
  | { readonly state: "none" }
  /** `share` of the work that is done, null if unknown. `text` names the current phase, for the user. */
  | { readonly state: "running"; readonly by: By; readonly share: number | null; readonly text: string }
  /**
   * `used`: points that were placed. `parameters`: those that it was computed with. `held`: numbers of each vector that a page
   * computed it from; null where the kernel did.
   */
  | {
      readonly state: "done";
      readonly planes: readonly Float32Array[];
      readonly used: number;
      readonly parameters: Readonly<Record<string, unknown>>;
      readonly held: number | null;
    }
  | { readonly state: "refused"; readonly reason: string };

/** Arguments of a computation; equal arguments name the same job. */
export type JobArgs = Readonly<Record<string, unknown>> & { readonly dimensions: number };

/** How the page computes it, or why it does not, for people. */
export type InPage =
  | {
      /** Names the vectors to the kernel; null where it does not keep the result. */
      readonly digest: string | null;
      compute(report: (progress: Progress) => void, until: AbortSignal): Promise<Answer>;
    }
  | string;

const NONE: JobState = { state: "none" };
const ASKING: JobState = {
  state: "running",
  by: "kernel",
  share: null,
  get text() {
    return projectorTexts().asking;
  },
};

type Asking = Pick<Requests, "ask" | "saved">;

const REQUEST = "projector.project";
const KEEP = "projector.keep";

class Job {
  readonly state: Signal<JobState> = signal(NONE);
  readonly #requests: Asking;
  readonly #isBusy: ReadonlySignal<boolean>;
  readonly #args: JobArgs;
  #inPage: InPage | null = null;
  #end: AbortController | null = null;
  /** The user has stopped it: it starts when asked for explicitly. */
  #isStopped = false;
  /** The kernel computes it. */
  #hasBegun = false;

  constructor(requests: Asking, isBusy: ReadonlySignal<boolean>, args: JobArgs) {
    this.#requests = requests;
    this.#isBusy = isBusy;
    this.#args = args;
  }

  /** Does nothing while it runs, or is done. `isAsked`: the user asks for it again. */
  start(inPage: InPage | null, isAsked = false): void {
    this.#inPage = inPage;
    this.#isStopped &&= !isAsked;
    if (this.#end === null && !this.#isStopped && this.state.peek().state !== "done") {
      const end = new AbortController();
      this.#end = end;
      this.state.value = ASKING;
      void this.#follow(end.signal);
    }
  }

  /** Stops asking; the kernel goes on, the page does not. */
  pause(): void {
    this.#end?.abort();
    this.#end = null;
    if (this.state.peek().state !== "done") {
      this.state.value = NONE;
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#hasBegun = false;
    this.pause();
    if (this.#requests.saved.peek() === null) {
      this.#requests.ask("projector.stop", this.#args, new AbortController().signal).catch(() => undefined);
    }
  }

  async #follow(until: AbortSignal): Promise<void> {
    try {
      while (!until.aborted) {
        const answer = (await this.#given(until)) ?? (await this.#computed(until));
        if (answer === null) {
          continue;
        }
        const next = stateOf(answer, this.#args.dimensions);
        if (until.aborted) {
          return;
        }
        this.state.value = next;
        if (next.state !== "running") {
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } catch (error) {
      if (!until.aborted) {
        this.state.value = withReason({ state: "refused" }, () => messageOf(error));
      }
    }
    if (!until.aborted) {
      this.#end = null;
    }
  }

  /** The answer of the kernel, or of a saved page. Null: there is none, and this page is to compute it. */
  async #given(until: AbortSignal): Promise<Answer | null> {
    const saved = this.#requests.saved.peek();
    if (saved === null) {
      return await this.#asked(until);
    }
    const wanted = canonical(this.#args);
    const found = saved.find(({ name, args }) => name === REQUEST && canonical(args) === wanted);
    if (found === undefined && !this.#canCompute) {
      throw this.#neither(() => itemTexts().notSaved);
    }
    return found?.answer ?? null;
  }

  /** The answer of the kernel; null where it does not compute, or is busy, and the page can compute. */
  async #asked(until: AbortSignal): Promise<Answer | null> {
    const own = new AbortController();
    const abort = () => own.abort(until.reason);
    until.addEventListener("abort", abort);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unfollow = () => {};
    try {
      return await new Promise<Answer | null>((resolve, reject) => {
        let isAsked = false;
        own.signal.addEventListener("abort", () => reject(own.signal.reason));
        unfollow = effect(() => {
          clearTimeout(timer);
          const isReplaceable = this.#isBusy.value && this.#canCompute;
          if (isReplaceable) {
            timer = setTimeout(() => resolve(null), BUSY_MS);
          }
          // A busy kernel may begin only after its cell, when the page has computed the result. A job begun earlier may report now.
          if (!isAsked && (!isReplaceable || this.#hasBegun)) {
            isAsked = true;
            untracked(() => this.#requests.ask(REQUEST, this.#args, own.signal)).then((answer) => {
              this.#hasBegun = true;
              resolve(answer);
            }, reject);
          }
        });
      });
    } catch (error) {
      if (error instanceof Refused && NOT_THERE.has(error.madeOf?.code)) {
        if (this.#canCompute) {
          return null;
        }
        throw this.#neither(() => error.message);
      }
      throw error;
    } finally {
      unfollow();
      clearTimeout(timer);
      until.removeEventListener("abort", abort);
      own.abort();
    }
  }

  get #canCompute(): boolean {
    return this.#inPage !== null && typeof this.#inPage !== "string";
  }

  /** The error of a job that neither the kernel nor the page can do. */
  #neither(reason: () => string): Error {
    const inPage = this.#inPage;
    return new WordedError(() =>
      commonTexts().clauses([...new Set(typeof inPage === "string" ? [reason(), inPage] : [reason()])]),
    );
  }

  /** Computes in the page. Null: the page failed, and the kernel alone is to be asked. */
  async #computed(until: AbortSignal): Promise<Answer | null> {
    const { digest, compute } = this.#inPage as Exclude<InPage, string>;
    try {
      const answer = await compute((progress) => {
        if (!until.aborted) {
          const share = progress.phase === "layout" ? progress.done / progress.total : null;
          this.state.value = { state: "running", by: "page", share, text: textOf(progress) };
        }
      }, until);
      if (digest !== null) {
        this.#handOver(answer, digest);
      }
      return answer;
    } catch (error) {
      until.throwIfAborted();
      this.#inPage = messageOf(error);
      this.state.value = ASKING;
      return null;
    }
  }

  /** Gives a result to the kernel once that is idle, for `view.projection` in Python, saved pages and other pages. */
  #handOver({ value, data }: Answer, digest: string): void {
    const { held } = value as { readonly held: number };
    let isSent = false;
    const dispose = effect(() => {
      if (!isSent && !this.#isBusy.value && this.#requests.saved.value === null) {
        isSent = true;
        const args = { ...this.#args, digest, held, coordinates: toBase64(data) };
        // A kernel that refuses has other vectors now: the page is about to hear of them.
        untracked(() => this.#requests.ask(KEEP, args, new AbortController().signal)).catch(() => undefined);
        queueMicrotask(() => dispose());
      }
    });
  }
}

/** Arguments as a text that is the same in whatever order they are. */
function canonical(args: unknown): string {
  return JSON.stringify(args, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Throws where the answer makes no sense. */
function stateOf({ value, data }: Answer, dimensions: number): JobState {
  const { state, share, used, parameters, held, ...progress } = value as Readonly<Record<string, unknown>>;
  if (state === "running") {
    return { state, by: "kernel", share: typeof share === "number" ? share : null, text: textOf(progress) };
  }
  const count = data.length / (4 * dimensions);
  if (state !== "done" || !Number.isInteger(count)) {
    throw new WordedError(() => projectorTexts().damaged);
  }
  const floats = new Float32Array(data.slice().buffer);
  const planes = Array.from({ length: dimensions }, (_, i) => floats.subarray(i * count, (i + 1) * count));
  return {
    ...{ state, planes, used: Number(used) || 0, parameters: { ...(parameters as object | undefined) } },
    held: typeof held === "number" ? held : null,
  };
}

/** Names the phase of a computation; empty for an unknown phase. */
function textOf({ phase, done, total }: Readonly<Record<string, unknown>>): string {
  const { phases, layoutStep } = projectorTexts();
  if (phase === "layout" && typeof done === "number" && typeof total === "number") {
    return layoutStep(formatCount(done), formatCount(total));
  }
  return typeof phase === "string" && Object.hasOwn(phases, phase) ? phases[phase as keyof typeof phases] : "";
}

/**
 * The jobs of a dashboard. `version` names the data that they are of: the kernel finds them by the arguments, but what the
 * page holds of earlier data is not of these.
 */
export class Jobs {
  readonly #requests: Asking;
  readonly #isBusy: ReadonlySignal<boolean>;
  readonly #jobs = new Map<string, Job>();

  /** `isBusy`: the kernel runs a cell, or is away, so that no answer is to be expected. */
  constructor(requests: Asking, isBusy: ReadonlySignal<boolean>) {
    this.#requests = requests;
    this.#isBusy = isBusy;
  }

  state(args: JobArgs, version: string): ReadonlySignal<JobState> {
    return this.#of(args, version).state;
  }

  /** Starts a job, and follows it until the function that is returned is called. `inPage`: null where only the kernel computes. */
  follow(args: JobArgs, version: string, inPage: InPage | null): () => void {
    const job = this.#of(args, version);
    job.start(inPage);
    return () => job.pause();
  }

  stop(args: JobArgs, version: string): void {
    this.#of(args, version).stop();
  }

  restart(args: JobArgs, version: string, inPage: InPage | null): void {
    this.#of(args, version).start(inPage, true);
  }

  #of(args: JobArgs, version: string): Job {
    const key = JSON.stringify([args, version]);
    const found = this.#jobs.get(key) ?? new Job(this.#requests, this.#isBusy, args);
    this.#jobs.delete(key);
    this.#jobs.set(key, found);
    for (const [other, job] of this.#jobs) {
      if (this.#jobs.size <= MAX_KEPT) {
        break;
      }
      if (other !== key && job.state.peek().state !== "running") {
        this.#jobs.delete(other);
      }
    }
    return found;
  }
}
