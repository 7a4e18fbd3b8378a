// A search box. It searches once typing rests; Enter goes from one match to the next.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Time without typing after which the search begins. */
const TYPING_PAUSE_MS = 200;

interface Props {
  readonly name: string;
  readonly hint?: string;
  /** The text searched for. */
  readonly text: string;
  readonly box?: RefObject<HTMLInputElement | null>;
  /** It makes no sense. */
  readonly invalid?: boolean;
  readonly busy?: boolean;
  /** The action that gives it the focus. */
  readonly action?: string;
  find(text: string): void;
  /** To the next place, or (-1) the one before. */
  go(by: 1 | -1): void;
  focused?(): void;
}

export function SearchInput({ name, hint, text, box, invalid, busy, action, find, go, focused }: Props) {
  const draft = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = () => {
    clearTimeout(timer.current);
    const typed = draft.peek();
    draft.value = null;
    if (typed !== null) {
      find(typed);
    }
  };
  return (
    <input
      {...(box === undefined ? {} : { ref: box })}
      type="search"
      class="tbwidget-filter"
      data-lm-suppress-shortcuts="true"
      placeholder={name}
      aria-label={name}
      title={hint}
      aria-invalid={invalid}
      aria-busy={busy}
      data-action={action}
      spellcheck={false}
      value={draft.value ?? text}
      onFocus={focused}
      onInput={(event) => {
        draft.value = event.currentTarget.value;
        clearTimeout(timer.current);
        timer.current = setTimeout(apply, TYPING_PAUSE_MS);
      }}
      onChange={apply}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          apply();
          go(event.shiftKey ? -1 : 1);
        } else if (event.key === "Escape" && event.currentTarget.value !== "") {
          event.preventDefault();
          event.stopPropagation();
          draft.value = "";
          apply();
        }
      }}
    />
  );
}
