// The threshold that is marked on all curves, as a field of the toolbar.

import { useSignal } from "@preact/signals";
import type { Option } from "../../options/declare";
import { prCurveTexts } from "./texts";

interface Props {
  readonly option: Pick<Option<number | null>, "value" | "set">;
}

export function Threshold({ option }: Props) {
  const { value } = option;
  /** What was refused, and the threshold that stayed. A threshold that is set on a chart replaces it. */
  const refused = useSignal<{ readonly text: string; readonly kept: number | null } | null>(null);
  const wrong = refused.value?.kept === value ? refused.value : null;
  return (
    <label class="tbwidget-pr-threshold" title={prCurveTexts().thresholdHint}>
      <span>{prCurveTexts().threshold}</span>
      <input
        type="number"
        data-lm-suppress-shortcuts="true"
        min={0}
        max={1}
        step={0.01}
        value={wrong?.text ?? (value === null ? "" : String(Number(value.toPrecision(4))))}
        placeholder="–"
        aria-invalid={wrong !== null}
        onChange={({ currentTarget: { value: text, validity } }) => {
          const typed = text === "" ? null : Number(text);
          const isThreshold = !validity.badInput && (typed === null || (typed >= 0 && typed <= 1));
          refused.value = isThreshold ? null : { text, kept: value };
          if (isThreshold) {
            option.set(typed);
          }
        }}
      />
      {wrong !== null && (
        <small class="tbwidget-range-problem" role="status">
          {prCurveTexts().noThreshold}
        </small>
      )}
    </label>
  );
}
