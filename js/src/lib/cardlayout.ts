// The form of a layout of cards, as the trait `card_layout` has it. Twin of tbwidget/options/cards.py.

export const VERSION = 1;

/** Columns and rows of cards that one card takes at most. */
export const MAX_SPAN = 12;

/** One card: of these tags, or of all whose names match. */
export interface CardSpec {
  readonly tags?: readonly string[];
  readonly pattern?: string;
  readonly title?: string;
  /** In columns and rows. */
  readonly width?: number;
  readonly height?: number;
  /** The user has taken its tag out of the card that it shares by itself. */
  readonly apart?: true;
  /** The user has joined its tags, which stand apart by themselves. */
  readonly joined?: true;
}

export interface SectionSpec {
  readonly name: string;
  /** Absent until the user opens or folds it. */
  readonly open?: boolean;
  /** The beginning of its other tags, up to their first slash, if it differs from the section's name. */
  readonly prefix?: string;
  readonly cards: readonly CardSpec[];
}

/** Tags that the user joined or took apart, without naming their cards in a section. */
export interface Exceptions {
  /** Tags that the user has taken out of the cards that they share by themselves. */
  readonly apart?: readonly string[];
  /** Tags that the user has joined, which stand apart by themselves. */
  readonly joined?: readonly string[];
}

export interface CardLayout extends Exceptions {
  readonly version: typeof VERSION;
  readonly sections: readonly SectionSpec[];
}

/** The layout that a value holds; undefined if it holds none. */
export function parseCardLayout(value: unknown): CardLayout | null | undefined {
  if (value === null) {
    return null;
  }
  if (!isRow(value) || value.version !== VERSION || !Array.isArray(value.sections)) {
    return undefined;
  }
  const sections = value.sections.map(parseSection).filter((section) => section !== undefined);
  return { version: VERSION, sections, ...exceptionsOf(namesIn(value.apart), namesIn(value.joined)) };
}

/** The exceptions without empty lists. */
export function exceptionsOf(apart: readonly string[], joined: readonly string[]): Exceptions {
  return { ...(apart.length > 0 ? { apart } : {}), ...(joined.length > 0 ? { joined } : {}) };
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? [...new Set(value.map(String))] : [];
}

function parseSection(value: unknown): SectionSpec | undefined {
  if (!isRow(value) || typeof value.name !== "string") {
    return undefined;
  }
  const { name, open, prefix, cards } = value;
  return {
    name,
    ...(typeof open === "boolean" ? { open } : {}),
    ...(typeof prefix === "string" ? { prefix } : {}),
    cards: (Array.isArray(cards) ? cards : []).map(parseCard).filter((card) => card !== undefined),
  };
}

function parseCard(value: unknown): CardSpec | undefined {
  if (!isRow(value)) {
    return undefined;
  }
  const { tags, pattern, title, width, height, apart, joined } = value;
  const named = namesIn(tags);
  if (named.length === 0 && typeof pattern !== "string") {
    return undefined;
  }
  return {
    ...(typeof pattern === "string" ? { pattern } : { tags: named }),
    ...(typeof title === "string" ? { title } : {}),
    ...(isSpan(width) ? { width } : {}),
    ...(isSpan(height) ? { height } : {}),
    ...(apart === true ? { apart } : {}),
    ...(joined === true ? { joined } : {}),
  };
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSpan(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_SPAN;
}
