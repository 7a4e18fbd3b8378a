// Keys that lead a viewer to another step or run. Pure.

export type StepAction =
  | { readonly does: "step" | "run"; readonly by: number }
  | { readonly does: "first" | "last" | "swap" };

/** Steps that a page key goes. */
const PAGE = 10;

const ACTIONS: Readonly<Record<string, StepAction>> = {
  ArrowLeft: { does: "step", by: -1 },
  ArrowRight: { does: "step", by: 1 },
  PageUp: { does: "step", by: -PAGE },
  PageDown: { does: "step", by: PAGE },
  ArrowUp: { does: "run", by: -1 },
  ArrowDown: { does: "run", by: 1 },
  Home: { does: "first" },
  End: { does: "last" },
  x: { does: "swap" },
};

export type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Undefined for other keys. With Shift, arrows move the item instead. */
export function stepActionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): StepAction | undefined {
  const isOurs = !(ctrlKey || metaKey || altKey || (shiftKey && key.startsWith("Arrow")));
  return isOurs && Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined;
}
