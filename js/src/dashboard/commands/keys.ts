// Keys as `aria-keyshortcuts` writes them: how they are shown, and which events they are.

import { commandTexts } from "./texts";

const PARTS: Readonly<Record<string, string>> = { " ": "Space", "+": "Plus" };

const isMac = () => /^(?:Mac|iP)/.test(globalThis.navigator?.platform ?? "");

/** The caps of a key: ["Ctrl", "K"]; "Mod" is ⌘ on a Mac. */
export function capsOf(key: string, mac = isMac()): string[] {
  return key.split("+").map((part) => (part === "Mod" ? (mac ? "⌘" : "Ctrl") : (commandTexts().keys[part] ?? part)));
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
  const pressed = PARTS[event.key] ?? event.key;
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

/** Whether an element takes typed characters for itself. */
export function takesText(element: EventTarget | undefined): boolean {
  if (!(element instanceof HTMLElement)) {
    return false;
  }
  const isBox =
    element instanceof HTMLInputElement && !/^(?:checkbox|radio|range|color|button|file)$/.test(element.type);
  return isBox || element instanceof HTMLTextAreaElement || element.localName === "select" || element.isContentEditable;
}
