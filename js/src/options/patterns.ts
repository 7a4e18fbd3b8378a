// Which tags the regular expressions of cards match. Like the filters, they can be ended. Expressions from logs have a worker
// of their own, so that the user's never wait for them.

import { computed, type ReadonlySignal } from "@preact/signals";
import { type ExpressionRunner, PATTERN_FLAGS, type RegexWorker } from "../lib/namematcher";
import { Filter, type FilterProblem, type Matches } from "./filters";

/** Expressions of logs that may miss their deadline; after that none is tried any more. */
export const MAX_ENDED = 3;

export interface PatternMatches {
  /** Why it matches nothing, or how it was replaced. */
  readonly problem: ReadonlySignal<FilterProblem | null>;
  readonly matches: ReadonlySignal<Matches>;
}

const nothing: Matches = () => false;

/** Matches expressions from logs: one that missed its deadline is never tried again, and after some of them no other is. */
export class LayoutMatcher implements ExpressionRunner {
  readonly #worker: RegexWorker;
  readonly #ended = new Set<string>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(worker: RegexWorker) {
    this.#worker = worker;
  }

  match(...args: Parameters<ExpressionRunner["match"]>): ReturnType<ExpressionRunner["match"]> {
    // One after the other: the worker would begin the next before this knows that one was ended.
    const outcome = this.#queue.then(() => this.#try(...args));
    this.#queue = outcome.catch(() => undefined);
    return outcome;
  }

  async #try(
    ...[source, names, isWanted, flags]: Parameters<ExpressionRunner["match"]>
  ): ReturnType<ExpressionRunner["match"]> {
    const key = `${flags}/${source}`;
    if (this.#ended.has(key)) {
      return "ended";
    }
    if (this.#ended.size >= MAX_ENDED) {
      return "untried";
    }
    const outcome = await this.#worker.match(source, names, isWanted, flags);
    if (outcome === "ended") {
      this.#ended.add(key);
    }
    return outcome;
  }
}

/** One filter for each expression, made on first use and ended when its last follower has left. */
export class Patterns {
  readonly #tags: ReadonlySignal<readonly string[]>;
  readonly #users: ExpressionRunner;
  readonly #layouts: ExpressionRunner;
  readonly #until: AbortSignal;
  readonly #known = new Map<string, PatternMatches>();

  constructor(
    tags: ReadonlySignal<readonly string[]>,
    users: ExpressionRunner,
    layouts: ExpressionRunner,
    until: AbortSignal,
  ) {
    this.#tags = tags;
    this.#users = users;
    this.#layouts = layouts;
    this.#until = until;
  }

  /** As the filter of tags: found anywhere, upper and lower case alike. */
  anywhere(pattern: string): PatternMatches {
    return this.#of(pattern, PATTERN_FLAGS, this.#users);
  }

  /** As Python's `re.match`, which layouts of TensorBoard are written for: at the beginning, case counts. */
  atStart(pattern: string): PatternMatches {
    return this.#of(`^(?:${pattern.replaceAll("(?P<", "(?<")})`, "", this.#layouts);
  }

  #of(text: string, flags: string, matcher: ExpressionRunner): PatternMatches {
    const key = `${flags}/${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const unused = new AbortController();
    this.#until.addEventListener("abort", () => unused.abort(), { once: true, signal: unused.signal });
    const filter = new Filter(this.#tags, matcher, unused.signal, () => {}, flags);
    filter.set(text, "code");
    let followed = 0;
    const following = {
      watched: () => {
        followed += 1;
      },
      unwatched: () => {
        followed -= 1;
        // Not at once: a component that draws again follows it again in a moment.
        queueMicrotask(() => {
          if (followed === 0 && this.#known.get(key) === found) {
            this.#known.delete(key);
            unused.abort();
          }
        });
      },
    };
    const matches = () => (filter.inEffect.value === text ? filter.matches.value : nothing);
    const found: PatternMatches = {
      problem: computed(() => filter.problem.value, following),
      matches: computed(matches, following),
    };
    this.#known.set(key, found);
    return found;
  }
}
