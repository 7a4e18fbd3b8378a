// Boxes with a text to read, in whose place another one can be written: of any kind, or a step with all its digits.

import { useSignal } from "@preact/signals";
import type { AllHTMLAttributes } from "preact";
import { formatCount } from "../lib/format";

type Passed = "title" | "aria-label" | "placeholder" | "disabled" | "maxLength" | "inputMode" | "onFocus";

interface EntryProps extends Pick<AllHTMLAttributes<HTMLInputElement>, Passed> {
  readonly shown: string;
  /** Characters that it has room for at least, and grows beyond. */
  readonly characters?: number;
  /** Whether a text means nothing. */
  isWrong?(text: string): boolean;
  /** It was left with another text, or by Enter. */
  take(text: string): void;
}

/** Enter takes the written text, Escape drops it. */
export function TextEntry({ shown, characters, isWrong, take, ...attributes }: EntryProps) {
  const draft = useSignal<string | null>(null);
  const text = draft.value ?? shown;
  const end = () => {
    const written = draft.peek();
    draft.value = null;
    if (written !== null) {
      take(written);
    }
  };
  return (
    <input
      type="text"
      class="tbwidget-step-entry"
      data-lm-suppress-shortcuts="true"
      spellcheck={false}
      autocomplete="off"
      {...attributes}
      aria-invalid={draft.value !== null && isWrong?.(text) === true}
      value={text}
      style={characters === undefined ? undefined : { width: `${Math.max(characters, text.length) + 2}ch` }}
      onInput={({ currentTarget }) => {
        draft.value = currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          end();
        } else if (event.key === "Escape" && draft.peek() !== null) {
          // Else it would leave the full window as well.
          event.preventDefault();
          event.stopPropagation();
          draft.value = null;
        }
      }}
      onBlur={end}
    />
  );
}

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

export function StepEntry({ shown, label, placeholder = "", characters = 3, choose }: Props) {
  return (
    <TextEntry
      shown={shown === null ? "" : formatCount(shown)}
      aria-label={label}
      title={label}
      inputMode="numeric"
      placeholder={placeholder}
      characters={Math.max(characters, placeholder.length)}
      isWrong={(text) => text.trim() !== "" && parseStep(text) === null}
      onFocus={({ currentTarget }) => currentTarget.select()}
      take={(text) => {
        const typed = parseStep(text);
        if (typed !== null || text.trim() === "") {
          choose(typed);
        }
      }}
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
