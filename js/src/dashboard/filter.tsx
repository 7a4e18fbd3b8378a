// A box for a regular expression, which says when it is none.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Milliseconds without typing after which the text is taken: half an expression may be a slow one, or none. */
const PAUSE = 150;

interface Props {
  readonly label: string;
  /** In its place while it is empty, where there is little room. */
  readonly short?: string;
  readonly text: string;
  readonly error: string | null;
  onText(text: string): void;
}

export function FilterBox({ label, short = label, text, error, onText }: Props) {
  /** What was typed and not taken yet. */
  const draft = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const take = () => {
    clearTimeout(timer.current);
    const typed = draft.peek();
    draft.value = null;
    if (typed !== null) {
      onText(typed);
    }
  };
  return (
    <span class="tbwidget-filter-box">
      <input
        type="search"
        class="tbwidget-filter"
        placeholder={short}
        aria-label={label}
        aria-invalid={error !== null}
        spellcheck={false}
        value={draft.value ?? text}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(take, PAUSE);
        }}
        onChange={take}
      />
      {error !== null && (
        <span class="tbwidget-filter-error" role="alert">
          {error}
        </span>
      )}
    </span>
  );
}
