// A box with a step, with all its digits; another one can be written in its place.

import { useSignal } from "@preact/signals";

interface Props {
  /** Null: none. */
  readonly shown: bigint | null;
  readonly label: string;
  readonly placeholder?: string;
  /** Digits that it has room for, even where fewer are shown. */
  readonly characters?: number;
  /** Null: the box was emptied. */
  choose(step: bigint | null): void;
}

export function StepEntry({ shown, label, placeholder, characters = 3, choose }: Props) {
  const draft = useSignal<string | null>(null);
  const text = draft.value ?? shown?.toString() ?? "";
  const take = () => {
    const written = draft.peek();
    const typed = parseStep(written ?? "");
    draft.value = null;
    if (typed !== null || written?.trim() === "") {
      choose(typed);
    }
  };
  return (
    <input
      type="text"
      inputMode="numeric"
      class="tbwidget-step-entry"
      data-lm-suppress-shortcuts="true"
      aria-label={label}
      title={label}
      aria-invalid={draft.value !== null && draft.value.trim() !== "" && parseStep(draft.value) === null}
      spellcheck={false}
      autocomplete="off"
      placeholder={placeholder}
      value={text}
      style={{ width: `${Math.max(characters, text.length, (placeholder ?? "").length) + 2}ch` }}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onInput={({ currentTarget }) => {
        draft.value = currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          take();
        } else if (event.key === "Escape" && draft.peek() !== null) {
          // Else it would leave the full window as well.
          event.preventDefault();
          event.stopPropagation();
          draft.value = null;
        }
      }}
      onBlur={take}
    />
  );
}

/** The step that a typed text means; null if it means none. */
export function parseStep(text: string): bigint | null {
  const digits = text.replace(/[\s\u2009\u202f_,]/g, "").replace("−", "-");
  if (!/^[+-]?\d{1,19}$/.test(digits)) {
    return null;
  }
  const step = BigInt(digits.replace("+", ""));
  // A step has 64 bits.
  return BigInt.asIntN(64, step) === step ? step : null;
}
