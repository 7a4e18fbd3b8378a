// Keys as `aria-keyshortcuts` writes them: how they are shown, and which events they are.

import type { Action, Command } from "../../ui/actions";
import { commandTexts } from "./texts";

/** Keys by what events call them, where these are no good names. */
const NAMES: Readonly<Record<string, string>> = { " ": "Space", "+": "Plus" };

const isMac = () => /^(?:Mac|iP)/.test(globalThis.navigator?.platform ?? "");

/** The caps of a key: ["Ctrl", "K"]; "Mod" is ⌘ on a Mac. */
export function capsOf(key: string, mac = isMac()): string[] {
  return key.split("+").map((part) => (part === "Mod" ? (mac ? "⌘" : "Ctrl") : (commandTexts().keys[part] ?? part)));
}

/** Keys in groups: those with the same modifiers need these only once, as in Shift ← →. */
export function capGroups(keys: readonly string[], mac = isMac()): string[][] {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const modifiers = key.slice(0, key.lastIndexOf("+") + 1);
    const caps = capsOf(key, mac);
    groups.set(modifiers, [...(groups.get(modifiers) ?? caps.slice(0, -1)), ...caps.slice(-1)]);
  }
  return [...groups.values()];
}

/** As one word, in a tooltip. */
export function keyName(key: string, mac = isMac()): string {
  return capsOf(key, mac).join(mac ? "" : "+");
}

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Whether a key was pressed. Characters such as "?" may need Shift; they are what counts. */
export function isPressed(key: string, event: Pressed, mac = isMac()): boolean {
  const parts = key.split("+");
  const last = parts.at(-1) ?? "";
  const has = (part: string) => parts.slice(0, -1).includes(part);
  const pressed = NAMES[event.key] ?? event.key;
  const isSame = last.length === 1 ? pressed.toUpperCase() === last.toUpperCase() : pressed === last;
  const isCharacter = last.length === 1 && !/[a-z\d]/i.test(last);
  return (
    isSame &&
    event.ctrlKey === (has("Control") || (has("Mod") && !mac)) &&
    event.metaKey === (has("Meta") || (has("Mod") && mac)) &&
    event.altKey === has("Alt") &&
    (isCharacter || event.shiftKey === has("Shift"))
  );
}

/** The command that was pressed. `taken`: keys that the part with the focus has for itself. */
export function commandOf(actions: readonly Action[], event: Pressed, taken: readonly string[]): Command | undefined {
  return actions.find(
    (action): action is Command =>
      action.kind === "command" && action.keys?.some((key) => !taken.includes(key) && isPressed(key, event)) === true,
  );
}

/** Keys that a part of the page around an element, such as the stage of a graph, names in `data-keys` as its own. */
export function takenKeys(element: EventTarget): readonly string[] {
  const part = element instanceof HTMLElement ? element.closest<HTMLElement>("[data-keys]") : null;
  return part?.dataset.keys?.split(" ") ?? [];
}

/** Whether an element takes typed characters for itself. */
export function takesText(element: EventTarget | undefined): boolean {
  if (!(element instanceof HTMLElement)) {
    return false;
  }
  const isBox =
    element instanceof HTMLInputElement && !/^(?:checkbox|radio|range|color|button|file)$/.test(element.type);
  return isBox || element instanceof HTMLTextAreaElement || element.localName === "select" || element.isContentEditable;
}
