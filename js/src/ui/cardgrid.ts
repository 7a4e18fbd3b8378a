// The grid of cards that the shown panel has, for parts of the dashboard outside of it: which tags there are, and going to one.

import type { ReadonlySignal } from "@preact/signals";
import type { ArrangeOptions } from "../lib/arrange";
import type { NameOf } from "../lib/tagorder";

/** A card of the grid, whether it is on the page or not. */
export interface GridCard {
  /** No two cards have the same. */
  readonly key: string;
  /** Its title, or the names of its tags. */
  readonly name: string;
  readonly tags: readonly string[];
  /** The regular expression that chooses its tags; null for others. */
  readonly pattern: string | null;
  /** In the group of pinned cards. */
  readonly isPinned: boolean;
  /** Its tags are training, validation and test of one stem. */
  readonly isSplit: boolean;
  /** Others share its stem, and could be drawn with it. */
  readonly canJoin: boolean;
}

export interface CardGrid {
  /** The name of its panel, which may not be the one that is about to be shown. */
  readonly panel: string;
  /** Tags that have cards, in natural order, whether they match the filter or not. */
  readonly tags: ReadonlySignal<readonly string[]>;
  readonly nameOf: NameOf;
  /** The facts that the default arrangement depends on, apart from the tags. */
  arrangeOptions(): ArrangeOptions;
  /** Number of cards that match the filter and do not exist: their section is folded, or "Show more" would make them. */
  readonly folded: ReadonlySignal<number>;
  /** The cards that match the filter, in their order, those in folded sections, too. */
  readonly cards: ReadonlySignal<readonly GridCard[]>;
  /**
   * Brings the card of a tag onto the screen; a filter that keeps it away is dropped. `takesFocus`: the card gets the focus
   * if the dashboard has it.
   */
  go(tag: string, takesFocus?: boolean): void;
  /** Brings a card onto the screen, and gives it the focus if the dashboard has it. */
  goToCard(key: string): void;
  /** Moves a card by `by` places. */
  move(key: string, by: number): void;
}

/** The element of a card, or of its placeholder. */
export function cardOfKey(key: string, root: ParentNode): HTMLElement | undefined {
  return [...root.querySelectorAll<HTMLElement>(".tbwidget-card")].find(({ dataset }) => dataset.key === key);
}

/** The card of a tag, if there is one. */
export function cardOfTag(tag: string, root: HTMLElement): HTMLElement | undefined {
  return [...root.querySelectorAll<HTMLElement>(".tbwidget-card")].find(({ dataset }) => {
    return dataset.tag === tag || (dataset.tags !== undefined && JSON.parse(dataset.tags).includes(tag));
  });
}

/** Milliseconds for which a card is pointed out. */
const POINTED_MS = 1_200;

/** Between the title of a section and a card that was gone to. */
const MARGIN_PX = 10;

/** Scrolls the cards, and nothing around them, so far that a card is on the screen, below the title of its section. */
export function bringIntoSight(card: HTMLElement): void {
  const scroller = card.closest<HTMLElement>(".tbwidget-main");
  if (scroller === null) {
    return;
  }
  const title = card.closest("section")?.querySelector("h3")?.offsetHeight ?? 0;
  const [own, around] = [card.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const above = own.top - around.top - title - MARGIN_PX;
  if (above < 0 || own.bottom > around.bottom) {
    scroller.scrollTop += above;
  }
}

/** Draws a line around a card for a moment, once it is mounted. */
export function pointOut(cardNow: () => HTMLElement | undefined): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const accent = "2px solid var(--tbwidget-accent)";
      const clear = "2px solid transparent";
      cardNow()?.animate([{ outline: accent }, { outline: accent, offset: 0.6 }, { outline: clear }], POINTED_MS);
    }),
  );
}
