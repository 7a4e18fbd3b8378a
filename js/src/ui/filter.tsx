// Boxes for regular expressions, and notes on expressions and names that match nothing.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import type { Filter, FilterProblem } from "../options/filters";
import { cardTexts, uiTexts } from "./texts";

/** Milliseconds without typing after which the text is taken: half an expression may be a slow one, or none. */
const TYPING_PAUSE_MS = 150;

interface Props {
  readonly label: string;
  readonly filter: Filter;
  /** How many names match, of how many; shown while the filter has a text. */
  readonly names?: readonly string[];
}

export function FilterBox({ label, filter, names }: Props) {
  /** Typed text that is not applied yet. */
  const draft = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const problem = filter.problem.value;
  const matches = filter.matches.value;
  const count =
    names !== undefined && filter.inEffect.value !== ""
      ? uiTexts().countOf(formatCount(names.filter(matches).length), formatCount(names.length))
      : null;
  const apply = () => {
    clearTimeout(timer.current);
    const typed = draft.peek();
    draft.value = null;
    if (typed !== null) {
      filter.set(typed, "typed");
    }
  };
  return (
    <span class="tbwidget-filter-box" data-counted={count === null ? undefined : ""}>
      <input
        type="search"
        class="tbwidget-filter"
        placeholder={label}
        aria-label={label}
        aria-invalid={problem !== null && problem !== "plainText"}
        aria-busy={filter.waits.value}
        spellcheck={false}
        value={draft.value ?? filter.text.value}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(apply, TYPING_PAUSE_MS);
        }}
        onChange={apply}
      />
      {count !== null && (
        <span class="tbwidget-filter-count" role="status">
          {count}
        </span>
      )}
      {problem !== null && (
        <span class="tbwidget-filter-error" role="alert">
          {uiTexts().filterProblems[problem]}
        </span>
      )}
    </span>
  );
}

export function patternProblem(problem: FilterProblem): string {
  return problem === "ended" ? cardTexts().ended : uiTexts().filterProblems[problem];
}

interface WaitsForProps {
  readonly names: readonly string[];
  text(names: readonly string[], more: number): string;
}

/** Names that are written out; the others are counted. */
const MAX_NAMES = 3;

export function WaitsFor({ names, text }: WaitsForProps) {
  return (
    names.length > 0 && (
      <p class="tbwidget-hint tbwidget-waits-for" title={names.join("\n")}>
        {text(names.slice(0, MAX_NAMES), Math.max(0, names.length - MAX_NAMES))}
      </p>
    )
  );
}
