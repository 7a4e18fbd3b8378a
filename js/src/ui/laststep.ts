// The largest step that a card shows, as its attribute `data-last-step`.

import { useCallback, useRef } from "preact/hooks";

/** `step`: null where the card shows none. */
export function setLastStep(card: Element | null, step: bigint | null): void {
  if (step === null) {
    card?.removeAttribute("data-last-step");
  } else {
    card?.setAttribute("data-last-step", step.toString());
  }
}

/**
 * Sets `data-last-step` of a card of several parts to the largest of their steps. Each part calls the returned function with
 * a key of its own and its step, or null while it shows none. `stays`: when no part shows a step, the last one stays.
 */
export function useLastStep<K>(
  card: { readonly current: Element | null },
  stays = false,
): (part: K, step: bigint | null) => void {
  const steps = useRef(new Map<K, bigint>()).current;
  return useCallback(
    (part, step) => {
      if (step === null) {
        steps.delete(part);
      } else {
        steps.set(part, step);
      }
      const last = [...steps.values()].reduce<bigint | null>((a, b) => (a === null || b > a ? b : a), null);
      if (last !== null || !stays) {
        setLastStep(card.current, last);
      }
    },
    [card, steps, stays],
  );
}
