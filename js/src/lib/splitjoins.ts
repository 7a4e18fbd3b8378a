// Applies joining by itself, as it is on or off now, to the cards of a layout.
//
// A layout names every card before the last one that was moved or sized. Most of them only hold a place: only what
// says `apart` or `joined`, has a title or holds tags of several stems was put together, or split, by the user.

import type { CardSpec, SectionSpec } from "./cardlayout";
import { isSplitCard, type NameOf } from "./tagorder";

/** Whether a card does not say which tags share it. */
export function isOpenToJoins({ tags, title, apart, joined }: CardSpec, nameOf: NameOf): boolean {
  return (
    tags !== undefined && (title ?? apart ?? joined) === undefined && (tags.length === 1 || isSplitCard(tags, nameOf))
  );
}

/** Where tags of one stem share cards: by themselves, or only those that the user has joined. */
export interface Joins {
  readonly isOn: boolean;
  /** By tag, those that share a card where no section names them. */
  readonly kin: ReadonlyMap<string, readonly string[]>;
}

/** The sections with their cards joined or split as those that no section names; cards of tags that are not there stay. */
export function withJoins(
  sections: readonly SectionSpec[],
  tags: readonly string[],
  { isOn, kin }: Joins,
  nameOf: NameOf,
): readonly SectionSpec[] {
  const change = isOn ? joining(sections, kin, nameOf) : splitting(new Set(tags), kin);
  return sections.map((section) => ({
    ...section,
    cards: section.cards.flatMap((card) => (isOpenToJoins(card, nameOf) ? change(card) : [card])),
  }));
}

function splitting(there: ReadonlySet<string>, kin: Joins["kin"]): (card: CardSpec) => readonly CardSpec[] {
  return (card) => {
    const { tags = [] } = card;
    return tags.length > 1 && tags.some((tag) => there.has(tag) && !kin.has(tag))
      ? tags.map((tag) => ({ ...card, tags: [tag] }))
      : [card];
  };
}

function joining(
  sections: readonly SectionSpec[],
  kin: Joins["kin"],
  nameOf: NameOf,
): (card: CardSpec) => readonly CardSpec[] {
  const others = sections.flatMap(({ cards }) => cards.filter((card) => !isOpenToJoins(card, nameOf)));
  const placed = new Set(others.flatMap(({ tags = [] }) => tags));
  const taken = new Set<string>();
  return (card) => {
    const own = (card.tags ?? []).filter((tag) => !taken.has(tag));
    if (own.length === 0) {
      return [];
    }
    const all = own.map((tag) => kin.get(tag)).find((found) => found !== undefined) ?? [];
    const more = own.some((tag) => placed.has(tag)) ? [] : all.filter((tag) => !placed.has(tag) && !own.includes(tag));
    for (const tag of more) {
      taken.add(tag);
    }
    for (const tag of [...own, ...more]) {
      placed.add(tag);
    }
    const inTurn = all.filter((tag) => own.includes(tag) || more.includes(tag));
    return [{ ...card, tags: more.length === 0 ? own : [...inTurn, ...own.filter((tag) => !inTurn.includes(tag))] }];
  };
}
