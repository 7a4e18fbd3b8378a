// Why the regular expression of a card matches nothing.

import { strings } from "../lib/strings";
import type { FilterProblem } from "../options/filters";

export function patternProblem(problem: FilterProblem): string {
  return problem === "ended" ? strings.cards.ended : strings.filterProblems[problem];
}
