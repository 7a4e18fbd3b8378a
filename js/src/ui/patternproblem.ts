// Why the regular expression of a card matches nothing.

import type { FilterProblem } from "../choices/filters";
import { strings } from "../lib/strings";

export function patternProblem(problem: FilterProblem): string {
  return problem === "ended" ? strings.cards.ended : strings.filterProblems[problem];
}
