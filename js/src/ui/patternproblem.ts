// Why the regular expression of a card matches nothing.

import type { FilterProblem } from "../options/filters";
import { cardTexts, uiTexts } from "./texts";

export function patternProblem(problem: FilterProblem): string {
  return problem === "ended" ? cardTexts().ended : uiTexts().filterProblems[problem];
}
