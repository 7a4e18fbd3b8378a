// Which tags the regular expressions of cards match. Like the filters, they can be ended.

import { computed, type ReadonlySignal } from "@preact/signals";
import { PATTERN_FLAGS } from "../lib/pattern";
import type { RegexWorker } from "../lib/regexworker";
import { Filter, type FilterProblem, type Matches } from "./filters";

export interface PatternMatches {
  /** Why it matches nothing, or what is done instead. */
  readonly problem: ReadonlySignal<FilterProblem | null>;
  readonly matches: ReadonlySignal<Matches>;
}

const nothing: Matches = () => false;

/** One filter for each expression, made when it is first asked for, and ended when nobody follows it any more. */
export class Patterns {
  readonly #tags: ReadonlySignal<readonly string[]>;
  readonly #worker: RegexWorker;
  readonly #until: AbortSignal;
  readonly #known = new Map<string, PatternMatches>();

  constructor(tags: ReadonlySignal<readonly string[]>, worker: RegexWorker, until: AbortSignal) {
    this.#tags = tags;
    this.#worker = worker;
    this.#until = until;
  }

  /** As the filter of tags: found anywhere, upper and lower case alike. */
  anywhere(pattern: string): PatternMatches {
    return this.#of(pattern, PATTERN_FLAGS);
  }

  /** As Python's `re.match`, which layouts of TensorBoard are written for: at the beginning, case counts. */
  atStart(pattern: string): PatternMatches {
    return this.#of(`^(?:${pattern.replaceAll("(?P<", "(?<")})`, "");
  }

  #of(text: string, flags: string): PatternMatches {
    const key = `${flags}/${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const unused = new AbortController();
    this.#until.addEventListener("abort", () => unused.abort(), { once: true, signal: unused.signal });
    const filter = new Filter(this.#tags, this.#worker, unused.signal, () => {}, flags);
    filter.set(text, "code");
    let followed = 0;
    const following = {
      watched: () => {
        followed += 1;
      },
      unwatched: () => {
        followed -= 1;
        // Not at once: whoever draws anew follows it again in a moment.
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
