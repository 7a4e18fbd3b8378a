// Inputs whose text takes effect once it is complete: with Enter, or when the input is left.

import { useSignal } from "@preact/signals";

/**
 * Properties of an input. A card is drawn again while the user types, and JupyterLab keeps Enter from inputs, so the typed
 * text is held here. `commit` refuses a text by doing nothing: the former one is back.
 */
export function useDraft(text: string, commit: (typed: string) => void) {
  const draft = useSignal<string | null>(null);
  const apply = () => {
    const typed = draft.peek();
    draft.value = null;
    if (typed !== null && typed !== text) {
      commit(typed);
    }
  };
  return {
    value: draft.value ?? text,
    "data-lm-suppress-shortcuts": "true",
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      draft.value = currentTarget.value;
    },
    onChange: apply,
    onBlur: apply,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter") {
        apply();
      } else if (event.key === "Escape" && draft.peek() !== null) {
        event.stopPropagation();
        draft.value = null;
      }
    },
  };
}
