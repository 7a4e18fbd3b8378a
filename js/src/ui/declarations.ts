// A panel, what can be done in it, and the view of a dashboard that both are given: they refer to each other.

import type { ReadonlySignal, Signal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import type { Camera } from "../charts/camera";
import type { FrameScheduler } from "../lib/frames";
import type { Range } from "../lib/search";
import type { Theme } from "../lib/tokens";
import type { Option, OptionTable } from "../options/declare";
import type { Options } from "../options/options";
import type { Channel } from "../wire/channel";
import type { AnyCodec } from "../wire/codec";
import type { CardGrid } from "./cardgrid";
import type { KeyedSignals } from "./keyed";
import type { StepSource } from "./stepsource";
import type { Visibility } from "./visibility";
import type { WidthClass } from "./widths";

// Actions: menus, buttons, keys, the help sheet and the palette all show one table of actions.

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
  /** The effect, in one sentence. */
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
  /** A card that fills the window covers its effect: it is not offered then. */
  readonly isBelow?: boolean;
  /** It presses a control of its panel, which exists only while that panel is shown. */
  readonly pressesControl?: boolean;
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

/** One of a few values, or several of them. */
export interface Choice extends Base {
  readonly kind: "choice";
  values(view: View): readonly string[];
  nameOf(value: string, view: View): string;
  /** The text of a value in the palette, where its control has it in place of the two names. */
  labelOf?(value: string, view: View): string;
  hintOf?(value: string, view: View): string | undefined;
  /** The heading that a value stands below in a list. */
  groupOf?(value: string): string | undefined;
  /** Null: none of them. Without it, choosing a value does something at once, and nothing is kept. */
  chosen?(view: View): string | null;
  choose(view: View, value: string): void;
  /** Each value is on or off by itself, and choosing it changes that. */
  isOn?(view: View, value: string): boolean;
  /** It is one of many names: a list, however few there are. */
  readonly isList?: boolean;
  /** Its values are runs: the palette shows their colors. */
  readonly isOfRuns?: boolean;
  /** A list that the palette finds by its values alone. Others need a word of the action: tags and runs are found themselves. */
  readonly isFoundByValue?: boolean;
  /** Why a value cannot be chosen now; undefined where it can. */
  barred?(view: View, value: string): string | undefined;
}

/** A number from `least` to `most`. */
export interface NumberAction extends Base {
  readonly kind: "number";
  /** There may be no number: the name of that. */
  readonly none?: () => string;
  readonly least: number;
  readonly most: number;
  readonly step?: number;
  /** A slider beside the box. */
  readonly slider?: SliderRange;
  /** Null only where `none` names it. */
  option(view: View): Option<number | null>;
}

/** A step that is typed, in the palette alone: with all its digits. */
export interface StepAction extends Base {
  readonly kind: "step";
  choose(view: View, step: bigint): void;
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

/** A control that no other kind describes. The palette offers other actions for what it does. */
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

/** The effect of a pointer or a key where the focus or the pointer is, such as a drag on a chart: the palette leads to its help. */
export interface Gesture extends Base {
  readonly kind: "gesture";
  /** "drag", "double-click"; without one, `keys` do it. */
  readonly gesture?: () => string;
}

export type Action = Toggle | Choice | NumberAction | StepAction | Command | Form | Gesture;

// A panel.

export interface Panel {
  /** As the trait `panel` has it, and `data-panel` of its cards. */
  readonly name: string;
  /** On its tab. A function where it comes from the table of texts. */
  readonly title: string | (() => string);
  /** Codecs of its kinds; it has a tab while the logs hold data of one of them. Panels may share codecs. */
  readonly codecs: readonly AnyCodec[];
  /** The kinds of data in the logs that it has a tab for; without it, all those that its codecs are made of. */
  readonly sources?: readonly string[];
  /** Whether the names of the runs alone give it a tab, without data of its kinds. */
  readonly offers?: (runs: readonly string[]) => boolean;
  /** It lists the runs itself: where there is little room, the list beside it is closed at first. */
  readonly listsRuns?: boolean;
  /** Its options. Panels that share an option share its table. */
  readonly options: readonly OptionTable[];
  /** The actions of the panel, in the order of its menus. Panels that share controls share their actions. */
  readonly actions?: readonly Action[];
  /** How much it shows, in the header of a widget that has no other panel; without it, its tags are counted. */
  readonly Count?: FunctionComponent;
  /** A hook that tells the steps of what it shows; without it, there is no control of steps below it. */
  readonly useSteps?: () => StepSource;
  /** The line of controls; `Body` is the part below it. */
  readonly Toolbar: FunctionComponent;
  readonly Body: FunctionComponent;
}

// The view.

/** State of the tooltip at the pointer or the crosshair. */
export interface TooltipState {
  /** The place in the window that it is about, in CSS pixels. */
  readonly left: number;
  readonly top: number;
  readonly content: ComponentChildren;
  /** Read out by assistive technology; empty where a pointer opened it. */
  readonly spoken: string;
}

/** The run that a panel of one run shows. */
export interface RunChoice {
  /** Null: none yet. */
  readonly run: string | null;
  /** Runs that can be shown. */
  readonly offered: ReadonlySet<string>;
  choose(run: string): void;
}

/** State of a group of cards. */
export interface GroupState {
  readonly open: boolean;
  /** Cards that exist at once. */
  readonly most: number;
}

export interface View {
  /** Prefix of element ids, which must differ between the views of a page. */
  readonly id: string;
  readonly channel: Channel;
  /** The element that the dashboard is in. */
  readonly root: ParentNode;
  readonly options: Options;
  readonly frames: FrameScheduler;
  readonly theme: ReadonlySignal<Theme>;
  readonly widthClass: ReadonlySignal<WidthClass>;
  /** Whether the dashboard is over the whole window. */
  readonly isMaximized: Signal<boolean>;
  /** Width of the area of cards, in CSS pixels. */
  readonly width: Signal<number>;
  /** The time, in milliseconds since the epoch, to the second. */
  readonly now: ReadonlySignal<number>;
  /** The panels that have data, and the one of them that is shown. */
  readonly tabs: ReadonlySignal<readonly Panel[]>;
  readonly panel: ReadonlySignal<Panel | undefined>;
  /** The run that the pointer is on in the list. */
  readonly highlightedRun: Signal<string | null>;
  /** Set by a panel that shows one run: the list of runs then chooses it. */
  readonly runChoice: Signal<RunChoice | null>;
  readonly tooltip: Signal<TooltipState | null>;
  readonly visibility: Visibility;
  /** Tags of the cards on the screen, in their order there. */
  readonly inSight: ReadonlySignal<readonly string[]>;
  /** The grid of cards of the shown panel, where it has one. */
  readonly grid: Signal<CardGrid | null>;
  /** The tag whose card will be scrolled into view; null when that has happened. */
  readonly goal: Signal<string | null>;
  /** Tags wanted in full although none of their cards may be visible. */
  readonly wanted: Signal<readonly string[]>;
  /** By panel, and by axes and tag: where the user has zoomed to, also while the chart is off the screen. */
  readonly cameras: KeyedSignals<Camera>;
  /** By panel and name of the group. */
  readonly groups: KeyedSignals<GroupState>;
  /** Visible range of times by tag, for charts that do not show all. */
  readonly times: Signal<ReadonlyMap<string, Range>>;
  /** Since when visible charts are coarser than they could be, in milliseconds since the epoch; null if none is. */
  readonly coarseAt: ReadonlySignal<number | null>;
  /** Aborts at the end of the view. */
  readonly until: AbortSignal;
  /** A click on a chart, the `times`-th of some in quick succession. */
  clickStep(step: bigint, times: number): void;
}
