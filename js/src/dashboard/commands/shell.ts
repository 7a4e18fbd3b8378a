// The sheets that are open over a dashboard, and its side bar: for the actions, which are no components.

import { type Signal, signal } from "@preact/signals";
import type { View } from "../../ui/view";

interface SideBar {
  readonly isOpen: boolean;
  toggle(): void;
}

interface Shell {
  /** The palette or the sheet of keys and gestures; null: neither. */
  readonly sheet: Signal<"palette" | "help" | null>;
  /** Null while there is nothing that it could list. */
  readonly sideBar: Signal<SideBar | null>;
}

const shells = new WeakMap<View, Shell>();

export function shellOf(view: View): Shell {
  const held = shells.get(view) ?? { sheet: signal(null), sideBar: signal(null) };
  shells.set(view, held);
  return held;
}
