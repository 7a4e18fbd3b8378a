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
 * Of a card of several parts: sets its attribute to the largest step of them. The function that is returned is called by
 * each part with a key of its own and its step, null where it shows none. `stays`: where no part shows one, the last one
 * stays.
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
