// How the user arranges cards: the place of a card, and the actions that change it.

import { signal } from "@preact/signals";
import { type CSSProperties, createContext } from "preact";
import { type ArrangeOptions, Arranger, type Spans } from "../lib/arrange";
import type { CardLayout } from "../lib/cardlayout";
import { formatCount } from "../lib/format";
import { isOpenToJoins } from "../lib/splitjoins";
import { isSplitCard, type NameOf, splitCards } from "../lib/tagorder";
import { cardOptions } from "../options/cards";
import { cardTexts } from "./texts";
import type { View } from "./view";

/** CSS pixels between cards, and at both sides of them together. */
export const CARD_GAP = 10;
const MARGIN_PX = 20;

export type DropPart = "before" | "behind" | "onto";

/** The place of a card. */
export interface CardPlace {
  readonly key: string;
  /** In the group of pinned cards, which has an order of its own, and fills its rows. */
  readonly pinned: boolean;
  /** As they were chosen; null where they were not. */
  readonly width: number | null;
  readonly height: number | null;
  /** It is half as high as others where no size was chosen for it. */
  readonly small: boolean;
  /** It can be drawn in the same card as others that can. */
  readonly joins: boolean;
  readonly arranging: Arranging;
}

/** Place of the card around a component; null if cards are not arranged. */
export const PlaceContext = createContext<CardPlace | null>(null);

/** Properties of a card that decide its size, together with its place. */
export interface CardShape {
  /** The user can choose its columns and rows, and the options its height; else it is as high as its content. */
  readonly sized: boolean;
  /** Over the whole line of cards. */
  readonly wide: boolean;
  /** Columns of the line of cards that it takes, where it is not one. */
  readonly span?: number | undefined;
  /** In CSS pixels, where it is not the usual one. */
  readonly height?: number | undefined;
}

/** Height of a card in CSS pixels where nothing else is set. */
export const USUAL_HEIGHT_PX = 210;

/**
 * Columns and rows that were chosen for a card; else those that its content needs. Every row of the grid is half a card high, so
 * that small cards stand one upon the other.
 */
export function cardStyle({ span = 1, height, sized }: CardShape, place: CardPlace | null): CSSProperties {
  const chosen = sized ? place : null;
  const [width, high] = [chosen?.width ?? span, chosen?.height ?? 1];
  const columns = chosen?.width == null ? Number.POSITIVE_INFINITY : chosen.arranging.columns;
  const usual = `var(--tbwidget-card-height, ${USUAL_HEIGHT_PX}px)`;
  const small = chosen?.small === true;
  // Cards that are higher than others by themselves stay so.
  const own = height === undefined ? usual : `${usual} + ${height - USUAL_HEIGHT_PX}px`;
  return {
    ...(small ? { height: `calc((${usual} - ${CARD_GAP}px) / 2)` } : {}),
    ...(height === undefined ? {} : { height: `calc(${own})` }),
    ...(high > 1 ? { height: `calc(${own} + ${high - 1} * (${usual} + ${CARD_GAP}px))` } : {}),
    ...(small ? {} : { gridRow: `span ${2 * high}` }),
    ...(width > 1 ? { gridColumn: width >= columns ? "1 / -1" : `span ${width}` } : {}),
  };
}

/** Columns of cards that there is room for. */
export function columnsIn(width: number, cardWidth: number): number {
  return Math.max(1, Math.floor((width - MARGIN_PX + CARD_GAP) / (cardWidth + CARD_GAP)));
}

/** Largest ratio of width to height of a card that is alone in its section. */
const MAX_ASPECT = 5;

/** Columns at most of a section: as many as its cards take, so that they fill its rows, and none gets too wide. */
export function mostColumns(taken: number, width: number, height: number): number {
  return Math.max(1, taken, Math.ceil((width - MARGIN_PX) / (MAX_ASPECT * height)));
}

/** The cards of one panel, and the changes to them. */
export class Arranging {
  readonly #view: View;
  readonly #tags: () => readonly string[];
  readonly #options: () => ArrangeOptions;
  readonly #shown: () => readonly string[];
  /**
   * The card or section that keys have just moved, or the tag of a card that has another place now: its header takes the
   * focus again.
   */
  focus: string | null = null;
  /** Read out by assistive technology. */
  readonly announcement = signal("");

  /** `shown`: the keys of the cards on the page, in their order. */
  constructor(
    view: View,
    tags: () => readonly string[],
    options: () => ArrangeOptions,
    shown: () => readonly string[],
  ) {
    this.#view = view;
    this.#tags = tags;
    this.#options = options;
    this.#shown = shown;
  }

  get columns(): number {
    const { options, width } = this.#view;
    return columnsIn(width.peek(), options.of(cardOptions).card_width.peek());
  }

  change(change: (arranger: Arranger) => CardLayout | null): void {
    const { card_layout } = this.#view.options.of(cardOptions);
    const before = card_layout.peek();
    const after = change(new Arranger(before, this.#tags(), this.#options()));
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      card_layout.set(after);
    }
  }

  drop(key: string, beside: string, part: DropPart): void {
    if (isPin(key)) {
      this.#movePin(tagOfPin(key), tagOfPin(beside), part === "behind");
    } else if (part === "onto") {
      this.change((arranger) => arranger.merge(key, beside));
    } else {
      this.change((arranger) => arranger.move(key, beside, part === "behind"));
    }
  }

  /** Moves a card by `by` places. */
  moveBy(key: string, by: number): void {
    const keys = this.#shown().filter((other) => isPin(other) === isPin(key));
    const from = keys.indexOf(key);
    const to = Math.max(0, Math.min(keys.length - 1, from + by));
    const beside = keys[to];
    if (from < 0 || beside === undefined || to === from) {
      return;
    }
    this.focus = key;
    this.drop(key, beside, to > from ? "behind" : "before");
    this.announcement.value = cardTexts().movedTo(formatCount(to + 1), formatCount(keys.length));
  }

  resize(key: string, spans: Spans): void {
    const [width, height] = [Math.max(1, Math.min(spans.width, this.columns)), Math.max(0, spans.height)];
    this.change((arranger) => arranger.resize(key, { width, height }));
    this.announcement.value = cardTexts().sized(width, Math.max(1, height));
  }

  #movePin(tag: string, beside: string, behind: boolean): void {
    const { pinned } = this.#view.options.board;
    const { nameOf, joins } = this.#options();
    const layout = this.#view.options.of(cardOptions).card_layout.peek();
    // Those of one card stand together.
    const [cards, of] = [
      pinnedCards(pinned.peek(), nameOf, joins, layout),
      (one: string) => (card: readonly string[]) => card[0] === one,
    ];
    const moved = cards.find(of(tag));
    const others = cards.filter((card) => card !== moved);
    const at = others.findIndex(of(beside));
    if (moved !== undefined && at >= 0) {
      pinned.set(others.toSpliced(at + (behind ? 1 : 0), 0, moved).flat());
    }
  }
}

/** Pinned tags by card, in their order. Those that share a card by themselves, also in the layout, do so where the first of them is. */
export function pinnedCards(
  pins: readonly string[],
  nameOf: NameOf,
  joins: boolean | null,
  layout: CardLayout | null,
): readonly (readonly string[])[] {
  const chosen = (layout?.sections ?? []).flatMap(({ cards }) => cards.filter((card) => !isOpenToJoins(card, nameOf)));
  const tagsOf = (isWanted: (tags: readonly string[]) => boolean) =>
    chosen.flatMap(({ tags = [] }) => (isWanted(tags) ? tags : []));
  const alone = new Set([...tagsOf((tags) => tags.length === 1), ...(layout?.apart ?? [])]);
  const joined = new Set([...tagsOf((tags) => isSplitCard(tags, nameOf)), ...(layout?.joined ?? [])]);
  const cards = splitCards(
    pins.filter((tag) => (joins ? !alone.has(tag) : joins === false && joined.has(tag))),
    nameOf,
  );
  return [...new Set(pins.map((tag) => cards.get(tag) ?? [tag]))];
}

/** The key of a pinned card, which no card of a section has. */
export function pinKey(tag: string): string {
  return `!${tag}`;
}

function isPin(key: string): boolean {
  return key.startsWith("!");
}

function tagOfPin(key: string): string {
  return key.slice(1);
}
