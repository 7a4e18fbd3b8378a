// Actions on one card, on all cards, on a part of one, or on one section. Each presses the card's own control, once that is on the page.

import { listOf } from "../lib/texts";
import type { Action, Choice, Command } from "./actions";
import { bringIntoSight, cardOfKey, type GridCard } from "./cardgrid";
import { LAYER } from "./layers";
import { commandIn, pressSoon, reachable, topLayer } from "./reach";
import { lightBackground } from "./save/pictureitems";
import { saveTexts } from "./save/texts";
import { isDescribed } from "./tagtitle";
import { cardTexts, uiTexts } from "./texts";
import type { View } from "./view";
import { isZoomed } from "./zoomed";

/** A card that actions can be chosen for. */
interface ListedCard extends GridCard {
  /** The element of a card with a fixed place; null for a card of a grid, which may not be on the page. */
  readonly fixed: HTMLElement | null;
}

/** The value that stands for all cards; no tag has this name. */
const ALL_CARDS = "\n*";

const PANEL = ".tbwidget-toolbar:has(.tbwidget-save-menu)";
const SAVE = ".tbwidget-save-menu button";

/** Cards with fixed places, such as a layout has. */
function fixedCards({ root }: View): ListedCard[] {
  return [...root.querySelectorAll<HTMLElement>(".tbwidget-main .tbwidget-card")].map((fixed, i) => ({
    ...{ fixed, key: `${i}`, isPinned: false, isSplit: false, canJoin: false, pattern: null },
    name: fixed.querySelector("h4")?.getAttribute("aria-label") ?? "",
    tags: fixed.dataset.tags === undefined ? [fixed.dataset.tag ?? ""] : JSON.parse(fixed.dataset.tags),
  }));
}

const lists = new WeakMap<View, ReadonlyMap<string, ListedCard>>();

/**
 * List the cards that there are now. The value of each tells it from the others: it is its first tag, as in `data-tag`, or its
 * key, where a card before it has the same first tag.
 */
function listCards(view: View): ReadonlyMap<string, ListedCard> {
  const found = new Map<string, ListedCard>();
  for (const card of view.grid.value?.cards.value ?? fixedCards(view)) {
    const [tag = card.key] = card.tags;
    found.set(found.has(tag) ? card.key : tag, { fixed: null, ...card });
  }
  lists.set(view, found);
  return found;
}

/** The card of a value that was listed last. */
function cardAt(view: View, value: string): ListedCard | undefined {
  return (lists.get(view) ?? listCards(view)).get(value);
}

function elementOf({ fixed, key }: ListedCard, { root }: View): HTMLElement | null {
  return fixed ?? cardOfKey(key, root) ?? null;
}

/** The card that fills the window, and covers all others. */
function coveringCard({ root }: View): HTMLElement | null {
  const over = [...root.querySelectorAll(`${LAYER}:not(.tbwidget-sheet)`)].at(-1);
  return over?.closest<HTMLElement>(".tbwidget-card") ?? null;
}

/** The values of the cards that can be reached now. */
function reachableValues(view: View, has: (card: GridCard) => boolean): string[] {
  const covering = coveringCard(view);
  const isReached = ({ fixed, key }: ListedCard) =>
    covering === null || (fixed === null ? covering.dataset.key === key : fixed === covering);
  const cards = covering === null && reachable(view, ".tbwidget-main") === null ? [] : [...listCards(view)];
  return cards.flatMap(([value, card]) => (has(card) && isReached(card) ? [value] : []));
}

/** Frames in which a card comes onto the screen and is drawn. */
const MAX_FRAMES = 200;

/** Presses a control once it is within what `find` finds; `menu` opens the menu that it is in. */
function press(find: () => Element | null, selector: string, { menu, act = "click" }: Control = {}): void {
  let isOpened = false;
  pressSoon(
    () => {
      const found = find();
      // A card that fills the window has its controls twice.
      const within = found?.querySelector(LAYER) ?? found;
      const control = within?.querySelector<HTMLElement>(selector) ?? null;
      if (menu !== undefined && within && control === null && !isOpened) {
        const button = within.querySelector<HTMLElement>(menu);
        button?.click();
        isOpened = button !== null;
      }
      return control;
    },
    act,
    MAX_FRAMES,
  );
}

interface Control {
  /** The button that opens the menu with the control. */
  readonly menu?: string;
  readonly act?: "click" | "focus";
  /** The menu of the panel has it for all cards, too. */
  readonly forAll?: boolean;
  /** It is not there while the card fills the window. */
  readonly isBelow?: boolean;
  /** Cards that have it; by default all. */
  has?(card: GridCard, view: View): boolean;
  isOn?(card: GridCard, view: View): boolean;
}

/** Presses a control of a card, or of all cards: the one whose `data-action` is `id`. */
export function onCard(id: string, name: () => string, control: Control = {}): Choice {
  const { forAll = false, isBelow = false, has, isOn } = control;
  const selector = `[data-action="${id}"]`;
  return {
    kind: "choice",
    id,
    isList: true,
    isBelow,
    name,
    values: (view) => {
      const values = reachableValues(view, (card) => has?.(card, view) !== false);
      return forAll && values.length > 1 ? [ALL_CARDS, ...values] : values;
    },
    nameOf: (value, view) => (value === ALL_CARDS ? cardTexts().allCards : (cardAt(view, value)?.name ?? value)),
    ...(isOn && {
      isOn: (view: View, value: string) => {
        const card = cardAt(view, value);
        return card !== undefined && isOn(card, view);
      },
    }),
    choose: (view, value) => {
      if (value === ALL_CARDS) {
        press(() => reachable(view, PANEL), selector, control);
      } else {
        onceAt(view, value, (find) => press(find, selector, control));
      }
    },
  };
}

interface PartControl extends Pick<Control, "act" | "isBelow"> {
  /** Controls that the mark is not on. */
  readonly selector?: string;
}

/** By control: a number that no other one has. */
const numbers = new WeakMap<Element, number>();
let lastNumber = 0;

/** Return the name of the section, or of the part of a card, such as a clip, that a control belongs to. */
function nameOfPart(control: HTMLElement): string {
  const part = control.closest<HTMLElement>("[data-run][data-tag], [data-component], section[data-section]");
  const { tag, section } = part?.dataset ?? {};
  return tag === undefined ? (section ?? part?.title ?? "") : listOf([tag, part?.ariaLabel ?? ""]);
}

/** Presses a control of a section or of a part of a card, while it is on the page: one whose `data-action` is `id`. */
export function onPart(id: string, name: () => string, control: PartControl = {}): Choice {
  const { act = "click", isBelow = false, selector = `[data-action="${id}"]` } = control;
  const controls = (view: View) =>
    [...topLayer(view).querySelectorAll<HTMLElement>(`:is(${selector}):not(:disabled)`)].map((one) => {
      const number = numbers.get(one) ?? ++lastNumber;
      numbers.set(one, number);
      return [`${number}\n${nameOfPart(one)}`, one] as const;
    });
  return {
    kind: "choice",
    id,
    isList: true,
    isBelow,
    name,
    values: (view) => controls(view).map(([value]) => value),
    nameOf: (value) => value.slice(value.indexOf("\n") + 1),
    choose: (view, chosen) => {
      const found = controls(view).find(([value]) => value === chosen)?.[1];
      if (found) {
        bringIntoSight(found);
        found[act]();
      }
    },
  };
}

/** Goes to a card, and acts on it; `find` finds its element once it is on the screen. */
function onceAt(view: View, value: string, act: (find: () => Element | null) => void): void {
  const card = cardAt(view, value);
  if (card === undefined) {
    return;
  }
  if (coveringCard(view) === null) {
    if (card.fixed === null) {
      view.grid.peek()?.goToCard(card.key);
    } else {
      bringIntoSight(card.fixed);
    }
  }
  act(() => (view.goal.peek() === null ? elementOf(card, view) : null));
}

export const fillCard = onCard("card.fill", () => cardTexts().full);

export const describeCard = onCard("card.description", () => cardTexts().about, {
  has: ({ tags }, view) => tags.some((tag) => isDescribed(view, tag)),
});

/** An item of a card's menu that saves. `forAll`: the menu of the panel has it for all cards, too. */
export function saving(item: keyof typeof SAVED, forAll = true): Choice {
  return onCard(`save.${item}`, SAVED[item], { menu: SAVE, forAll });
}

/** The same where only the panel has such a menu. */
export function panelSaving(item: keyof typeof SAVED): Command;
export function panelSaving(item: string, name: () => string): Command;
export function panelSaving(item: string, name = SAVED[item as keyof typeof SAVED]): Command {
  const id = `save.${item}`;
  return commandIn(`${PANEL} ${SAVE}`, `${PANEL} [data-action="${id}"]`, "click", { id, name });
}

const SAVED = {
  csv: () => saveTexts().formats.csv,
  json: () => saveTexts().formats.json,
  copy: () => saveTexts().copyData,
  png: () => saveTexts().formats.png,
  svg: () => saveTexts().formats.svg,
  copy_picture: () => saveTexts().copyPicture,
  files: () => saveTexts().asWritten,
} as const;

/** Actions on the card of a chart. */
export const chartCardActions: readonly Action[] = [
  fillCard,
  onCard("card.reset_zoom", () => uiTexts().resetZoom, { has: ({ tags }, view) => isZoomed(view, tags[0] ?? "") }),
  ...(["csv", "json", "copy", "png", "svg", "copy_picture"] as const).map((item) => saving(item)),
  lightBackground,
  describeCard,
];

/** Actions on cards of several tags. */
export const severalActions: readonly Action[] = [
  onCard("card.dissolve", () => cardTexts().dissolve, {
    isBelow: true,
    has: ({ tags, pattern, isPinned }) => tags.length > 1 && pattern === null && !isPinned,
  }),
  onCard("card.remove", () => cardTexts().remove, { isBelow: true, has: ({ pattern }) => pattern !== null }),
];

/** Draws training and validation of a tag in one card. */
export const joinCard = onCard("card.join", () => cardTexts().join, { isBelow: true, has: ({ canJoin }) => canJoin });

/** Takes a tag out of the card that draws it with others. */
export const takeOut: Choice = {
  kind: "choice",
  id: "card.take_out",
  isList: true,
  isBelow: true,
  name: () => cardTexts().takeOut,
  values: (view) =>
    [...listCards(view)].flatMap(([value, { tags, pattern, isSplit }]) =>
      pattern === null && tags.length > (isSplit ? 2 : 1) ? tags.map((tag) => JSON.stringify([value, tag])) : [],
    ),
  nameOf: (value) => (JSON.parse(value) as [string, string])[1],
  hintOf: (value, view) => cardAt(view, (JSON.parse(value) as [string, string])[0])?.name,
  choose: (view, value) => {
    const [card, tag] = JSON.parse(value) as [string, string];
    onceAt(view, card, (find) => press(find, `[data-tag-line="${CSS.escape(tag)}"] [data-action="card.take_out"]`));
  },
};

/** Moves a card by one place, where another card has that. */
function moving(id: string, name: () => string, by: 1 | -1): Choice {
  const all = onCard(id, name, { isBelow: true });
  return {
    ...all,
    values: (view) => {
      const cards = view.grid.value?.cards.value ?? [];
      // Pinned cards have an order of their own.
      const ends = [true, false].map((isPinned) => {
        const order = cards.filter((card) => card.isPinned === isPinned);
        return order.at(by < 0 ? 0 : -1)?.key;
      });
      return all.values(view).filter((value) => !ends.includes(cardAt(view, value)?.key));
    },
    choose: (view, value) => {
      const card = cardAt(view, value);
      if (card !== undefined) {
        view.grid.peek()?.move(card.key, by);
        view.grid.peek()?.goToCard(card.key);
      }
    },
  };
}

const onSection = (id: string, name: () => string) => onPart(id, name, { isBelow: true });

/** Actions on sections of cards with fixed places. */
export const foldActions: readonly Action[] = [
  onSection("section.fold", () => cardTexts().fold),
  onSection("section.unfold", () => cardTexts().unfold),
  onSection("section.more", () => cardTexts().moreCards),
];

/** Actions on cards that can be arranged, and on their sections. */
export const arrangeActions: readonly Action[] = [
  moving("card.up", () => cardTexts().moveUp, -1),
  moving("card.down", () => cardTexts().moveDown, 1),
  ...foldActions,
  onSection("section.rename", () => cardTexts().rename),
  onSection("section.up", () => cardTexts().up),
  onSection("section.down", () => cardTexts().down),
];
