// What keys do on a graph. Pure.

import type { Direction } from "./steps";

export type KeyAction =
  | { readonly does: "step"; readonly to: Direction }
  | { readonly does: "zoom"; readonly factor: number }
  | { readonly does: "toggle" | "fit" | "begin" | "search" | "menu" };

const ZOOM = 1.25;

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { does: "step", to: "up" },
  ArrowDown: { does: "step", to: "down" },
  ArrowLeft: { does: "step", to: "left" },
  ArrowRight: { does: "step", to: "right" },
  Enter: { does: "toggle" },
  " ": { does: "toggle" },
  "+": { does: "zoom", factor: ZOOM },
  "=": { does: "zoom", factor: ZOOM },
  "-": { does: "zoom", factor: 1 / ZOOM },
  "0": { does: "fit" },
  Home: { does: "begin" },
  "/": { does: "search" },
  ContextMenu: { does: "menu" },
};

const SHIFTED: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { does: "step", to: "out" },
  ArrowDown: { does: "step", to: "in" },
  F10: { does: "menu" },
};

type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Undefined for what is not ours. */
export function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): KeyAction | undefined {
  if (ctrlKey || metaKey || altKey) {
    return undefined;
  }
  const actions = shiftKey && Object.hasOwn(SHIFTED, key) ? SHIFTED : ACTIONS;
  return Object.hasOwn(actions, key) ? actions[key] : undefined;
}
