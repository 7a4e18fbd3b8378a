// Gestures as actions, for the help: what keys do, from the maps that the listeners use, and what a pointer does.

import { CHART_KEYS, type KeyMap } from "../charts/keyboard";
import type { Gesture } from "./actions";
import { cardTexts, gestureTexts, stepTexts } from "./texts";

/** The keys of a map, each with the text of its name. `section`: where they work. */
export function keyGestures<G extends string>(
  area: string,
  section: () => string,
  keys: Readonly<Record<G, KeyMap<unknown>[string]>>,
  texts: () => Readonly<Record<NoInfer<G>, string>>,
): Gesture[] {
  return (Object.keys(keys) as G[]).map((name) => ({
    kind: "gesture",
    id: `${area}.key_${name}`,
    section,
    name: () => texts()[name],
    keys: Object.keys(keys[name]),
  }));
}

/** What a pointer does, by name: its gesture, and what comes of it. */
export function pointerGestures<G extends string>(
  area: string,
  section: () => string,
  names: readonly G[],
  texts: () => Readonly<Record<G, readonly [gesture: string, does: string]>>,
): Gesture[] {
  return names.map((name) => ({
    kind: "gesture",
    id: `${area}.${name}`,
    section,
    name: () => texts()[name][1],
    gesture: () => texts()[name][0],
  }));
}

type ChartKey = keyof typeof CHART_KEYS;

interface ChartOptions {
  /** Keys that mean nothing there. */
  readonly without?: readonly ChartKey[];
  /** Drags select steps with Ctrl. */
  readonly selects?: boolean;
  /** Texts of gestures that mean something else there. */
  readonly texts?: () => Partial<Readonly<Record<ChartKey, string>>>;
  readonly click?: () => string;
}

/** The gestures of a panel's charts. */
export function chartGestures({ without = [], selects = false, texts, click }: ChartOptions = {}): readonly Gesture[] {
  const section = () => gestureTexts().charts;
  const keys = Object.fromEntries(Object.entries(CHART_KEYS).filter(([name]) => !without.includes(name as ChartKey)));
  const pointers = ["drag", "move", "select", "click", "reset", "wheel", "fingers"] as const;
  return [
    ...pointerGestures(
      "chart",
      section,
      pointers.filter((name) => selects || name !== "select"),
      () => {
        const { chart } = gestureTexts();
        return click === undefined ? chart : { ...chart, click: [chart.click[0], click()] };
      },
    ),
    ...keyGestures("chart", section, keys as typeof CHART_KEYS, () => ({ ...gestureTexts().chartKeys, ...texts?.() })),
  ];
}

/** Keys of a card: those that go in and out, and Alt and an arrow; with Shift, too, they change its size. */
export const CARD_KEYS = {
  enter: { Enter: true },
  leave: { Escape: true },
  move: { "Alt+ArrowLeft": -1, "Alt+ArrowUp": -1, "Alt+ArrowRight": 1, "Alt+ArrowDown": 1 },
  resize: {
    "Alt+Shift+ArrowLeft": { width: -1, height: 0 },
    "Alt+Shift+ArrowRight": { width: 1, height: 0 },
    "Alt+Shift+ArrowUp": { width: 0, height: -1 },
    "Alt+Shift+ArrowDown": { width: 0, height: 1 },
  },
} as const;

/** Keys of the heading of a section of cards: null renames it, a number moves it. */
export const SECTION_KEYS = {
  move: { "Alt+ArrowUp": -1, "Alt+ArrowDown": 1 },
  rename: { F2: null },
} as const;

/** Keys of the slider of steps: the number of steps that each goes, or where to. */
export const STEP_KEYS = {
  step: { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
  page: { PageUp: 10, PageDown: -10 },
  first: { Home: "first" },
  latest: { End: "latest", Delete: "latest" },
} as const;

/** The gestures of the row of steps. */
export const stepGestures: readonly Gesture[] = keyGestures(
  "steps",
  () => stepTexts().control,
  STEP_KEYS,
  () => gestureTexts().stepKeys,
).map((gesture) => ({ ...gesture, applies: ({ panel }) => panel.value?.useSteps !== undefined }));

/** The gestures of cards in fixed places. */
export function fixedCardGestures(): readonly Gesture[] {
  const { enter, leave } = CARD_KEYS;
  return keyGestures(
    "card",
    () => gestureTexts().cards,
    { enter, leave },
    () => gestureTexts().cardKeys,
  );
}

/** The gestures of cards that can be arranged, and of their sections. `isSized`: their size can be changed, too. */
export function cardGestures(isSized: boolean): readonly Gesture[] {
  const section = () => gestureTexts().cards;
  const { resize, ...others } = CARD_KEYS;
  const texts = () => gestureTexts().cardKeys;
  return [
    ...pointerGestures("card", section, isSized ? ["drag", "corner"] : ["drag"], () => gestureTexts().card),
    ...(isSized ? keyGestures("card", section, CARD_KEYS, texts) : keyGestures("card", section, others, texts)),
    ...keyGestures(
      "section",
      () => gestureTexts().sections,
      SECTION_KEYS,
      () => ({ move: gestureTexts().moveSection, rename: cardTexts().rename }),
    ),
  ];
}
