// The actions of panels and of the dashboard. Menus, buttons, keys, the help sheet and the palette all show this one table.

import type { FunctionComponent } from "preact";
import type { Option } from "../options/declare";
import type { View } from "./view";

/** The menus of a toolbar, in their order there. */
export const MENUS = ["lines", "axes", "view"] as const;

export type MenuName = (typeof MENUS)[number];

/** The parts of a toolbar before its menus. */
export const BARS = ["drawn", "x"] as const;

export type BarName = (typeof BARS)[number];

interface Base {
  /**
   * Unique in a panel: the area that the action belongs to, a dot, and its own name, which is that of the option that it sets,
   * if it sets one: "axes.share_y".
   */
  readonly id: string;
  /** The only name of the action on the screen. A function, because the language may change. */
  readonly name: () => string;
  /** What it does, in one sentence. */
  readonly hint?: () => string;
  /** The menu that has it. */
  readonly menu?: MenuName;
  /**
   * The part of the toolbar that shows it: what is drawn comes first, then the x axis. With a menu as well, it is in the toolbar
   * where there is room, else in the menu. Without both, it is in the palette, on cards, or only a gesture.
   */
  readonly bar?: BarName;
  /** The heading that it stands below in its menu. */
  readonly section?: () => string;
  /** Keys, each as `aria-keyshortcuts` writes it: "Shift+ArrowLeft", "?". "Mod" is ⌘ on a Mac, Ctrl elsewhere. */
  readonly keys?: readonly string[];
  /** Whether it has an effect now; where it has none, it is not offered. */
  applies?(view: View): boolean;
  /** Whether it is in effect and changes what the charts mean: the button of its menu says so. */
  active?(view: View): boolean;
  /** Path of an icon of 14 by 14, for a button without room for the name. */
  readonly icon?: string;
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
  /** It is one of many names: a list, however few there are. */
  readonly isList?: boolean;
  /** Why a value cannot be chosen now; undefined where it can. */
  barred?(view: View, value: string): string | undefined;
}

/** A number from `least` to `most`. */
export interface NumberAction extends Base {
  readonly kind: "number";
  readonly least: number;
  readonly most: number;
  readonly step?: number;
  /** A slider beside the box. */
  readonly slider?: SliderRange;
  option(view: View): Option<number>;
}

/** The box may go further than its slider. */
export interface SliderRange {
  readonly least: number;
  readonly most: number;
  readonly step: number;
  /** Equal distances are equal factors; `step` is one of the logarithm to base 2. */
  readonly isLog?: boolean;
}

/** Something that happens once. */
export interface Command extends Base {
  readonly kind: "command";
  run(view: View): void;
}

/** A control that no other kind describes. The palette does not offer it. */
export interface Form extends Base {
  readonly kind: "form";
  readonly Form: FunctionComponent<FormProps>;
  /** It takes the whole width of a menu, without its name before it. */
  readonly isWide?: boolean;
}

export interface FormProps {
  /** The toolbar has little room. */
  readonly isNarrow: boolean;
  /** Close the menu around it. */
  close(): void;
}

/** What a pointer or a key does where the focus or the pointer is, such as a drag on a chart. Only the help sheet shows it. */
export interface Gesture extends Base {
  readonly kind: "gesture";
  /** "drag", "double-click"; without one, `keys` do it. */
  readonly gesture?: () => string;
}

export type Action = Toggle | Choice | NumberAction | Command | Form | Gesture;
