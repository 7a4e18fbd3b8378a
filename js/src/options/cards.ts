// The options of the size of cards, and of their arrangement. Twin of tbwidget/options/cards.py.

import { type CardLayout, parseCardLayout } from "../lib/cardlayout";
import { defineOptions, type OptionSpec, wholeFrom, wholeOrNull } from "./declare";

export const CARD_WIDTHS = [160, 2000] as const;
export const CARD_HEIGHTS = [120, 2000] as const;

/** Height of a card to its width, and at most, where the user has not chosen one. */
const PROPORTION = 210 / 270;
const HIGHEST = 600;

const cardLayout: OptionSpec<CardLayout | null> = { initial: null, remembered: true, parse: parseCardLayout };

export const cardOptions = defineOptions({
  /** In CSS pixels: the least width of a card. */
  card_width: wholeFrom(...CARD_WIDTHS, 270),
  /** In CSS pixels; null: in proportion to the width. */
  card_height: wholeOrNull(...CARD_HEIGHTS),
  card_layout: cardLayout,
});

/** In CSS pixels. */
export function cardHeightOf(width: number, height: number | null): number {
  return height ?? Math.max(CARD_HEIGHTS[0], Math.min(HIGHEST, Math.round(width * PROPORTION)));
}
