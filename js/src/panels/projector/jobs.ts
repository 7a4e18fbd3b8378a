// Projections that the kernel computes in the background: they are asked about until they are done. Results stay with the page.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import type { Answer, Requests } from "../../wire/requests";

/** Milliseconds from an answer to the next question. */
const POLL_MS = 500;

/** Jobs whose results are kept. */
const MAX_KEPT = 8;

export type JobState =
  | { readonly state: "none" }
  /** `share`: of the work that is done, null where it is not known. `text`: what is being done, for people. */
  | { readonly state: "running"; readonly share: number | null; readonly text: string }
  /** `used`: points that were placed. `parameters`: those that it was computed with. */
  | {
      readonly state: "done";
      readonly planes: readonly Float32Array[];
      readonly used: number;
      readonly parameters: Readonly<Record<string, unknown>>;
    }
  | { readonly state: "refused"; readonly reason: string };

/** What is computed; the same arguments name the same job. */
export type JobArgs = Readonly<Record<string, unknown>> & { readonly dimensions: number };

const NONE: JobState = { state: "none" };

type Asking = Pick<Requests, "ask" | "saved">;

const REQUEST = "projector.project";

class Job {
  readonly state: Signal<JobState> = signal(NONE);
  readonly #requests: Asking;
  readonly #args: JobArgs;
  #end: AbortController | null = null;
  /** The user has stopped it: it starts when asked for explicitly. */
  #isStopped = false;

  constructor(requests: Asking, args: JobArgs) {
    this.#requests = requests;
    this.#args = args;
  }

  /** Does nothing while it runs, or is done. `isAsked`: the user asks for it again. */
  start(isAsked = false): void {
    this.#isStopped &&= !isAsked;
    if (this.#end === null && !this.#isStopped && this.state.peek().state !== "done") {
      const end = new AbortController();
      this.#end = end;
      this.state.value = { state: "running", share: null, text: strings.projector.asking };
      void this.#follow(end.signal);
    }
  }

  /** Stops asking; the kernel goes on. */
  pause(): void {
    this.#end?.abort();
    this.#end = null;
    if (this.state.peek().state !== "done") {
      this.state.value = NONE;
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.pause();
    this.#requests.ask("projector.stop", this.#args, new AbortController().signal).catch(() => undefined);
  }

  async #follow(until: AbortSignal): Promise<void> {
    try {
      while (!until.aborted) {
        const answer = this.#savedAnswer() ?? (await this.#requests.ask(REQUEST, this.#args, until));
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
        this.state.value = { state: "refused", reason: error instanceof Error ? error.message : String(error) };
      }
    }
    if (!until.aborted) {
      this.#end = null;
    }
  }

  /** What a saved page holds of it, which no kernel answers; null elsewhere. Throws where it holds nothing. */
  #savedAnswer(): Answer | null {
    const saved = this.#requests.saved.peek();
    if (saved === null) {
      return null;
    }
    const wanted = canonical(this.#args);
    const found = saved.find(({ name, args }) => name === REQUEST && canonical(args) === wanted);
    if (found === undefined) {
      throw new Error(strings.notSaved);
    }
    return found.answer;
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
  const { state, share, used, parameters, ...progress } = value as Readonly<Record<string, unknown>>;
  if (state === "running") {
    return { state, share: typeof share === "number" ? share : null, text: textOf(progress) };
  }
  const count = data.length / (4 * dimensions);
  if (state !== "done" || !Number.isInteger(count)) {
    throw new Error(strings.projector.damaged);
  }
  const floats = new Float32Array(data.slice().buffer);
  const planes = Array.from({ length: dimensions }, (_, i) => floats.subarray(i * count, (i + 1) * count));
  return { state, planes, used: Number(used) || 0, parameters: { ...(parameters as object | undefined) } };
}

/** What a computation is doing; empty for a phase that this page does not know. */
function textOf({ phase, done, total }: Readonly<Record<string, unknown>>): string {
  const { phases, layoutStep } = strings.projector;
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
  readonly #jobs = new Map<string, Job>();

  constructor(requests: Asking) {
    this.#requests = requests;
  }

  state(args: JobArgs, version: string): ReadonlySignal<JobState> {
    return this.#of(args, version).state;
  }

  /** Starts a job, and follows it until the function that is returned is called. */
  follow(args: JobArgs, version: string): () => void {
    const job = this.#of(args, version);
    job.start();
    return () => job.pause();
  }

  stop(args: JobArgs, version: string): void {
    this.#of(args, version).stop();
  }

  restart(args: JobArgs, version: string): void {
    this.#of(args, version).start(true);
  }

  #of(args: JobArgs, version: string): Job {
    const key = JSON.stringify([args, version]);
    const found = this.#jobs.get(key) ?? new Job(this.#requests, args);
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
