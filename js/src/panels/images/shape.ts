// How much room the images of a tag take: learned from those that were seen, so that all tiles of a card are alike.

import type { Size } from "../../charts/geometry";

/** The extremes of the images seen so far. */
export interface Shape extends Size {
  /** Least and greatest width for a height of 1. */
  readonly narrowest: number;
  readonly widest: number;
}

/** CSS pixels: between tiles, below a picture for its caption, and least width of a tile, for the same. */
export const GAP = 8;
export const CAPTION = 34;
const MIN_WIDTH = 76;
const MIN_HEIGHT = 16;

/** Smallest factor by which tiles change their size to fill a line. */
const MIN_GROWTH = 0.9;
/** Largest factor by which tiles change their size to fill a line. */
const MAX_GROWTH = 1.5;

/** The least width of a card: its name and its slider need some. */
const MIN_CARD = 230;

/** Padding on both sides of a card's tiles, together, in CSS pixels. */
export const CARD_PADDING = 22;

/** Between cards. */
const CARD_GAP = 10;

/** The shape with one more image; the same object where that changes nothing. */
export function grown(shape: Shape | null, { width, height }: Size): Shape {
  const ratio = width / height;
  if (shape === null) {
    return { width, height, narrowest: ratio, widest: ratio };
  }
  const next = {
    width: Math.max(shape.width, width),
    height: Math.max(shape.height, height),
    narrowest: Math.min(shape.narrowest, ratio),
    widest: Math.max(shape.widest, ratio),
  };
  const keys = ["width", "height", "narrowest", "widest"] as const;
  return keys.every((key) => next[key] === shape[key]) ? shape : next;
}

/** The box that all images of a tag fit into: their longer side is `size`; or, if `actual`, as many pixels as they have. */
export function boxOf(shape: Shape | null, size: number, actual: boolean, pixelRatio: number): Size {
  if (shape === null) {
    return { width: size, height: size };
  }
  if (actual) {
    return { width: shape.width / pixelRatio, height: shape.height / pixelRatio };
  }
  return {
    width: size * Math.min(1, shape.widest),
    height: Math.max(MIN_HEIGHT, size / Math.max(1, shape.narrowest)),
  };
}

/** The largest size of an image within a box; or, if `actual`, one pixel of it for one of the screen. */
export function fitted({ width, height }: Size, box: Size, actual: boolean, pixelRatio: number): Size {
  const scale = actual ? 1 / pixelRatio : Math.min(box.width / width, box.height / height);
  return { width: Math.max(1, width * scale), height: Math.max(1, height * scale) };
}

export interface CardColumns {
  readonly columns: number;
  /** Width of one column, in CSS pixels. */
  readonly width: number;
}

/** The columns of cards in `width` CSS pixels. */
export function cardColumns(width: number, size: number): CardColumns {
  const least = Math.min(width, Math.max(MIN_CARD, size + CARD_PADDING));
  const columns = Math.max(1, Math.floor((width + CARD_GAP) / (least + CARD_GAP)));
  return { columns, width: (width - (columns - 1) * CARD_GAP) / columns };
}

/** Number of columns that a card of `tiles` tiles takes. */
export function spanOf(tiles: number, box: Size, { columns, width }: CardColumns): number {
  const needed = tiles * (MIN_GROWTH * tileWidth(box) + GAP) - GAP + CARD_PADDING;
  return Math.max(1, Math.min(columns, Math.ceil((needed + CARD_GAP) / (width + CARD_GAP))));
}

/** Width for the tiles of a card that spans `span` columns. */
export function roomIn(span: number, { width }: CardColumns): number {
  return span * width + (span - 1) * CARD_GAP - CARD_PADDING;
}

function tileWidth({ width }: Size): number {
  return Math.max(MIN_WIDTH, width);
}

export interface Lines {
  readonly columns: number;
  /** Width of a tile, in CSS pixels. */
  readonly width: number;
  /** The box that a picture must fit into. */
  readonly box: Size;
}

/** Tiles in lines: as many as fit, enlarged to fill the line. With several runs, a run's tiles stay together. */
export function linesOf(tiles: number, samples: number, room: number, box: Size, actual: boolean): Lines {
  const least = tileWidth(box);
  const fitting = Math.max(1, Math.floor((room + GAP) / ((actual ? 1 : MIN_GROWTH) * least + GAP)));
  const whole =
    samples > 1 && samples < tiles && samples <= fitting ? Math.floor(fitting / samples) * samples : fitting;
  const columns = Math.max(1, Math.min(whole, tiles));
  const share = (room - (columns - 1) * GAP) / columns;
  const growth = actual ? 1 : Math.max(Math.min(MIN_GROWTH, share / least), Math.min(MAX_GROWTH, share / least));
  return { columns, width: least * growth, box: { width: box.width * growth, height: box.height * growth } };
}
