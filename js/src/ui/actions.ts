// The actions of panels and of the dashboard. Menus, buttons, keys, the help sheet and the palette all show this one table.

import type { FunctionComponent } from "preact";
import type { Option } from "../options/declare";
import type { View } from "./view";

/** The menus of a toolbar, in their order there. */
export const MENUS = ["lines", "axes", "view"] as const;

export type MenuName = (typeof MENUS)[number];

interface Base {
  /** Unique in the page: the panel or area that the action belongs to, a dot, and its own name, e.g. "axes.share_y". */
  readonly id: string;
  /** The only name of the action on the screen. A function, because the language may change. */
  readonly name: () => string;
  /** What it does, in one sentence. */
  readonly hint?: () => string;
  /** The menu that has it; without one, it is in the toolbar, on cards, or only a gesture. */
  readonly menu?: MenuName;
  /** The heading that it stands below in its menu. */
  readonly section?: () => string;
  /** Keys, each as `aria-keyshortcuts` writes it: "Shift+ArrowLeft", "?". "Mod" is ⌘ on a Mac, Ctrl elsewhere. */
  readonly keys?: readonly string[];
  /** Whether it has an effect now; where it has none, it is not offered. */
  applies?(view: View): boolean;
}

/** Something that is on or off. */
export interface Toggle extends Base {
  readonly kind: "toggle";
  option(view: View): Option<boolean>;
}

/** One of a few values. */
export interface Choice extends Base {
  readonly kind: "choice";
  values(view: View): readonly string[];
  nameOf(value: string): string;
  hintOf?(value: string): string;
  /** Null: none of them. */
  chosen(view: View): string | null;
  choose(view: View, value: string): void;
  /** Why a value cannot be chosen now; undefined where it can. */
  barred?(view: View, value: string): string | undefined;
}

/** A number from `least` to `most`. */
export interface NumberAction extends Base {
  readonly kind: "number";
  readonly least: number;
  readonly most: number;
  readonly step?: number;
  option(view: View): Option<number>;
}

/** Something that happens once. */
export interface Command extends Base {
  readonly kind: "command";
  run(view: View): void;
}

/** A control that no other kind describes. The palette does not offer it. */
export interface Form extends Base {
  readonly kind: "form";
  readonly Form: FunctionComponent;
}

/** What a pointer or a key does where the focus or the pointer is, such as a drag on a chart. Only the help sheet shows it. */
export interface Gesture extends Base {
  readonly kind: "gesture";
  /** "drag", "double-click"; without one, `keys` do it. */
  readonly gesture?: () => string;
}

export type Action = Toggle | Choice | NumberAction | Command | Form | Gesture;
