// The cards of a grid as they are shown: those that have content and match the filter.

import type { ArrangedCard, ArrangedSection } from "../lib/arrange";
import { sharedStart, shortened } from "../lib/names";
import { isSplitCard, type NameOf, stemOf } from "../lib/tagorder";
import { uiTexts } from "./texts";

/** One card as it is shown. */
export interface ShownCard extends ArrangedCard {
  /** Existing tags. */
  readonly tags: readonly string[];
  readonly label: string;
}

export interface ShownSection extends Omit<ArrangedSection, "cards" | "open"> {
  readonly open: boolean;
  readonly cards: readonly ShownCard[];
}

interface ShownOptions {
  readonly nameOf: NameOf;
  readonly joins: boolean;
  readonly pins: readonly string[];
  tagsOf(spec: ArrangedCard["spec"]): readonly string[];
  /** The display name of a tag; null without one. */
  shownAs(tag: string): string | null;
  matches(tag: string): boolean;
}

/** The cards of a section that have content and match the filter. */
export function shownOf(
  section: ArrangedSection,
  { tagsOf, nameOf, joins, matches, pins, shownAs }: ShownOptions,
): ShownCard[] {
  const found = section.cards.flatMap((card) => {
    const tags = tagsOf(card.spec);
    const { pattern, title } = card.spec;
    if (joins && title === undefined && pattern === undefined && isSplitCard(tags, nameOf)) {
      const left = tags.filter((tag) => matches(tag) && !pins.includes(tag));
      return left.length === 0 ? [] : [{ ...card, tags: left }];
    }
    if (joins && (pattern !== undefined || tags.length > 1)) {
      const waits = pattern !== undefined && tags.length === 0 && matches(pattern);
      return waits || tags.some(matches) ? [{ ...card, tags }] : [];
    }
    const single = tags.filter((tag) => matches(tag) && !pins.includes(tag));
    return single.map((tag, i) => ({ ...card, key: i === 0 ? card.key : `${card.key}\n${tag}`, tags: [tag] }));
  });
  const start = `${section.prefix}/`;
  const names = found.map(({ tags }) => {
    const own = nameOf(tags[0] ?? "");
    const name = isSplitCard(tags, nameOf) ? stemOf(own) : own;
    // A tag that ends in the slash of its section's name has no other part to show.
    return (section.titled && name.startsWith(start) && name.slice(start.length)) || name;
  });
  const shared = sharedStart(names);
  return found.map((card, i) => {
    const own = card.tags.length > 1 ? null : shownAs(card.tags[0] ?? "");
    return { ...card, label: own ?? shortened(names[i] || uiTexts().emptyTag, shared) };
  });
}
