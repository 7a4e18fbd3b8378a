// A box for a regular expression, with a note where it is none, or took too long.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import type { Filter } from "../options/filters";
import { uiTexts } from "./texts";

/** Milliseconds without typing after which the text is taken: half an expression may be a slow one, or none. */
const PAUSE = 150;

interface Props {
  readonly label: string;
  readonly filter: Filter;
  /** How many names match, of how many; shown while the filter has a text. */
  readonly names?: readonly string[];
}

export function FilterBox({ label, filter, names }: Props) {
  /** What was typed and not taken yet. */
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
          timer.current = setTimeout(apply, PAUSE);
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
