// Has a worker compute UMAP, one embedding after the other.

import { STARTERS, TimedWorker, type WorkerStarter } from "../../../lib/workers";
import { WordedError } from "../../../wire/reasons";
import { projectorTexts } from "../texts";
import { type Answer, type Input, type Layout, program, type Question } from "./program";

/** Points up to which the page computes UMAP, in some seconds. */
export const MAX_POINTS = 10_000;

/** Milliseconds that an answer may take; the neighbors of all points take longest. */
const DEADLINE_MS = 600_000;

/** As the kernel says how far a projection has come. */
export type Progress =
  | { readonly phase: "waiting" | "neighbors" }
  | { readonly phase: "layout"; readonly done: number; readonly total: number };

export class UmapRunner {
  readonly #starters: readonly WorkerStarter[];
  /** The last one that was asked for. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(starters: readonly WorkerStarter[] = STARTERS) {
    this.#starters = starters;
  }

  /** Rejects with the reason of `until` once that aborts, which ends the worker; else with an Error whose message is for people. */
  run(input: Input, report: (progress: Progress) => void, until: AbortSignal): Promise<Layout> {
    const layout = this.#run(this.#last, input, report, until);
    this.#last = layout.catch(() => undefined);
    return layout;
  }

  async #run(
    before: Promise<unknown>,
    input: Input,
    report: (progress: Progress) => void,
    until: AbortSignal,
  ): Promise<Layout> {
    report({ phase: "waiting" });
    await before;
    until.throwIfAborted();
    const worker = new TimedWorker(() => `(${program})().serve(self)`, DEADLINE_MS, this.#starters);
    const close = () => worker.close();
    until.addEventListener("abort", close);
    const ask = async (question: Question): Promise<Answer> => {
      const found = await worker.ask(question);
      until.throwIfAborted();
      if (typeof found === "string") {
        throw new WordedError(() =>
          found === "unavailable" ? projectorTexts().noWorkers : projectorTexts().workerEnded,
        );
      }
      return found.answer as Answer;
    };
    try {
      report({ phase: "neighbors" });
      let answer = await ask({ input });
      while ("total" in answer) {
        report({ phase: "layout", done: answer.done, total: answer.total });
        answer = await ask({ goOn: true });
      }
      if ("layout" in answer) {
        return answer.layout;
      }
      throw new WordedError(() => ("few" in answer ? projectorTexts().fewPoints(answer.few) : answer.problem));
    } finally {
      until.removeEventListener("abort", close);
      close();
    }
  }
}
