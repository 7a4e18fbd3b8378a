// Two boxes for the ends of a range; an empty one leaves its end open.

import { useSignal } from "@preact/signals";
import { uiTexts } from "./texts";

interface Props<E extends number | bigint> {
  readonly names: readonly [string, string];
  readonly hint: string;
  readonly low: E | null;
  readonly high: E | null;
  /** What stands in empty boxes. */
  readonly open: readonly [string, string];
  /** Both ends may be the same. */
  readonly mayBeEqual?: boolean;
  readonly disabled?: boolean;
  /** What is written in a box that is not empty; undefined for what is none. */
  parse(text: string): E | undefined;
  set(low: E | null, high: E | null): void;
}

export function parseNumber(text: string): number | undefined {
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

export function RangeBoxes<E extends number | bigint>(props: Props<E>) {
  const { names, hint, low, high, open, mayBeEqual = false, disabled = false, parse, set } = props;
  const endOf = (text: string) => (text.trim() === "" ? null : parse(text));
  /** What is being written, and perhaps no number yet. */
  const drafts = useSignal<readonly [string | null, string | null]>([null, null]);
  const texts = [low, high].map((end, i) => drafts.value[i] ?? (end === null ? "" : String(end)));
  const [from, to] = texts.map(endOf);
  const ordered = from == null || to == null || from < to || (mayBeEqual && from === to);
  const wrong = [from, to].map((end) => end === undefined || !ordered);
  const isRange = from !== undefined && to !== undefined && ordered;
  const reason =
    from === undefined || to === undefined
      ? uiTexts().noNumber(texts[from === undefined ? 0 : 1] ?? "")
      : uiTexts().notOrdered(mayBeEqual);
  const commit = () => {
    if (isRange && drafts.value.some((draft) => draft !== null)) {
      set(from, to);
      drafts.value = [null, null];
    }
  };
  return (
    <span class="tbwidget-range-boxes" title={hint}>
      {([0, 1] as const).map((i) => (
        <>
          {i === 1 && <span aria-hidden="true">–</span>}
          <input
            type="text"
            inputMode="decimal"
            value={texts[i]}
            placeholder={open[i]}
            aria-label={names[i]}
            aria-invalid={wrong[i]}
            disabled={disabled}
            data-lm-suppress-shortcuts="true"
            onInput={({ currentTarget: { value } }) => {
              drafts.value = i === 0 ? [value, drafts.value[1]] : [drafts.value[0], value];
            }}
            onBlur={commit}
            onKeyDown={({ key }) => key === "Enter" && commit()}
          />
        </>
      ))}
      {!isRange && (
        <small class="tbwidget-range-problem" role="status">
          {reason}
        </small>
      )}
    </span>
  );
}
