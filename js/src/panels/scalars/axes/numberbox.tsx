// A box for a number that is chosen.

import { useSignal } from "@preact/signals";
import type { Option } from "../../../options/declare";

interface Props {
  readonly option: Option<number>;
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly step?: number;
  readonly disabled?: boolean;
}

export function NumberBox({ option, name, least, most, step, disabled = false }: Props) {
  /** What is in the box while it is being written, and perhaps no number yet. */
  const draft = useSignal<string | null>(null);
  return (
    <input
      type="number"
      min={least}
      max={most}
      step={step ?? "any"}
      value={draft.value ?? String(option.value)}
      aria-label={name}
      disabled={disabled}
      data-lm-suppress-shortcuts="true"
      onInput={({ currentTarget: { value, valueAsNumber } }) => {
        draft.value = value;
        if (Number.isFinite(valueAsNumber)) {
          const whole = step === 1 ? Math.round(valueAsNumber) : valueAsNumber;
          option.set(Math.min(most, Math.max(least, whole)));
        }
      }}
      onBlur={() => {
        draft.value = null;
      }}
    />
  );
}
