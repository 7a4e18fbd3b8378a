// Arranges the existing tags by a layout of cards, and changes the layout.
//
// A layout names only changes. Tags in no card follow as `tagorder.ts` arranges them, at the end of the section of their group.
// Sections that the layout does not name follow the others.

import {
  type CardLayout,
  type CardSpec,
  type Exceptions,
  exceptionsOf,
  MAX_SPAN,
  type SectionSpec,
  VERSION,
} from "./cardlayout";
import { withJoins } from "./splitjoins";
import { arrange, isSmall, isSplitCard, type NameOf, type TagGroup, titleOf, UNTITLED } from "./tagorder";

/** The facts that the default arrangement depends on, apart from the tags. */
export interface ArrangeOptions {
  readonly nameOf: NameOf;
  /** Training and validation of one stem share a card; null where the panel has no such cards. */
  readonly joins: boolean | null;
  /** The best ranks of groups that are to stay where they are, whichever tags come. */
  readonly ranks: ReadonlyMap<string, number>;
}

export const DEFAULT_ARRANGEMENT: ArrangeOptions = { nameOf: (tag) => tag, joins: null, ranks: new Map() };

/**
 * Up to this many cards stand together, under their full names. That holds for a single group, too, so that its title does not
 * vanish when another group comes.
 */
const MAX_UNGROUPED_CARDS = 6;

export interface ArrangedCard {
  /** The same as long as the card is; no two have the same. */
  readonly key: string;
  readonly spec: CardSpec;
}

export interface ArrangedSection extends Omit<SectionSpec, "cards" | "open"> {
  /** Whether the user opened or folded it; null: neither. */
  readonly open: boolean | null;
  readonly prefix: string;
  /** Its name stands above its cards. */
  readonly titled: boolean;
  readonly cards: readonly ArrangedCard[];
}

/** The default arrangement, with these exceptions: groups, each with the tags of its cards. */
function defaultOf(
  tags: readonly string[],
  { nameOf, joins, ranks }: ArrangeOptions,
  { apart = [], joined = [] }: Exceptions = {},
) {
  const chosen = new Set(joins ? apart : joined);
  return arrange(tags, nameOf, ranks).map(({ name, cards }: TagGroup) => ({
    name,
    cards: cards.flatMap((card): (readonly string[])[] => {
      const together = joins === null ? [] : card.tags.filter((tag) => chosen.has(tag) !== joins);
      return card.tags.flatMap((tag) => (!together.includes(tag) ? [[tag]] : tag === together[0] ? [together] : []));
    }),
  }));
}

/** By tag, those that share its card by themselves. */
function kinOf(groups: ReturnType<typeof defaultOf>): ReadonlyMap<string, readonly string[]> {
  const shared = groups.flatMap(({ cards }) => cards.filter((tags) => tags.length > 1));
  return new Map(shared.flatMap((tags) => tags.map((tag) => [tag, tags] as const)));
}

/** All sections with all their cards, also of tags that are not there. */
export function arranged(
  layout: CardLayout | null,
  tags: readonly string[],
  options: ArrangeOptions = DEFAULT_ARRANGEMENT,
): ArrangedSection[] {
  const groups = defaultOf(tags, options, layout ?? {});
  const { joins, nameOf } = options;
  const given = layout?.sections ?? [];
  const hasCards = given.some(({ cards }) => cards.length > 0);
  const named =
    joins === null || !hasCards ? given : withJoins(given, tags, { isOn: joins, kin: kinOf(groups) }, nameOf);
  const listed = new Set(named.flatMap(({ cards }) => cards.flatMap((card) => card.tags ?? [])));
  // Counted before cards are put elsewhere, or taken apart: a section keeps its title then, or stays without one.
  const usual = (layout?.apart ?? layout?.joined) === undefined ? groups : defaultOf(tags, options);
  const counts = new Map(usual.map(({ name, cards }) => [name, cards.length]));
  const isAlone = (prefix: string) => (counts.get(prefix) ?? 0) < 2;
  const together = usual.reduce((sum, { cards }) => sum + cards.length, 0) <= MAX_UNGROUPED_CARDS;
  const left = groups.map(({ name, cards }) => ({
    name,
    cards:
      listed.size === 0
        ? cards
        : cards.map((own) => own.filter((tag) => !listed.has(tag))).filter((own) => own.length > 0),
  }));
  const ofPrefix = new Map(left.filter(({ cards }) => cards.length > 0).map((group) => [group.name, group]));
  const claimed = new Set(named.map(({ name, prefix = name }) => prefix));
  // A section without a name has all groups without a title that have no section of their own.
  const groupsOf = (prefix: string) => (prefix === "" ? UNTITLED.filter((group) => !claimed.has(group)) : [prefix]);
  const attached = [...claimed].some((prefix) => groupsOf(prefix).some((group) => ofPrefix.has(group)));
  const keys = new Map<string, number>();
  const cardOf = (spec: CardSpec): ArrangedCard => {
    const own = spec.pattern === undefined ? `t${spec.tags?.[0] ?? ""}` : `p${spec.pattern}`;
    const before = keys.get(own) ?? 0;
    keys.set(own, before + 1);
    return { key: before === 0 ? own : `${own}\n${before}`, spec };
  };
  const plain = (prefix: string) =>
    groupsOf(prefix).flatMap((group) => {
      const cards = ofPrefix.get(group)?.cards ?? [];
      ofPrefix.delete(group);
      return cards.map((tags) => ({ tags }));
    });
  const sections = named.map(({ name, open = null, prefix = name, cards: own }) => {
    // A group that comes later and is called like a section that was renamed joins it: names differ.
    const cards = [...own, ...plain(prefix), ...(name === "" || claimed.has(name) ? [] : plain(name))].map(cardOf);
    const isAsItComes = own.length === 0 && open === null && prefix === name;
    return { name, open, prefix, titled: name !== "" && !(isAsItComes && isAlone(name)), cards };
  });
  const others = [...ofPrefix.keys()].map((prefix) => {
    const name = titleOf(prefix);
    const titled = name !== "" && !isAlone(name) && (attached || !together);
    return { name, open: null, prefix, titled, cards: plain(prefix).map(cardOf) };
  });
  return [...sections, ...others];
}

/** The default arrangement, for cards that no layout names. */
class DefaultOrder {
  readonly #groups = new Map<string, number>();
  readonly #cards = new Map<string, { readonly prefix: string; readonly at: number }>();

  /** By tag, those that share its card. */
  readonly kin: ReadonlyMap<string, readonly string[]>;

  constructor(tags: readonly string[], options: ArrangeOptions, exceptions: Exceptions) {
    const groups = defaultOf(tags, options, exceptions);
    this.kin = kinOf(groups);
    for (const { name, cards } of groups) {
      this.#groups.set(name, this.#groups.size);
      for (const own of cards) {
        this.#cards.set(JSON.stringify(own), { prefix: name, at: this.#cards.size });
      }
    }
  }

  /** Whether a section without changes comes before another one by itself. */
  follow(prefix: string, next: string): boolean {
    const [one, other] = [this.#groups.get(prefix), this.#groups.get(next)];
    return one !== undefined && other !== undefined && one < other;
  }

  /** The place of a card among all, where it is in the section that it comes to by itself; null if it is not. */
  placeOf({ tags, title, width, height, pattern, apart, joined }: CardSpec, prefix: string): number | null {
    const isBare = (pattern ?? title ?? width ?? height ?? apart ?? joined) === undefined;
    const found = isBare ? this.#cards.get(JSON.stringify(tags)) : undefined;
    const isHere = found?.prefix === prefix || (prefix === "" && UNTITLED.includes(found?.prefix ?? ""));
    return found !== undefined && isHere ? found.at : null;
  }
}

/** The sections of the layout that gives this arrangement; none if the default order gives it. */
function sectionsOf(all: readonly ArrangedSection[], order: DefaultOrder): readonly SectionSpec[] {
  const arranged = asOneSection(all);
  const sections: SectionSpec[] = arranged.map(({ name, open, prefix, cards }) => ({
    name,
    ...(open === null ? {} : { open }),
    ...(prefix === name ? {} : { prefix }),
    cards: changed(
      cards.map(({ spec }) => spec),
      prefix,
      order,
    ),
  }));
  let end = sections.length;
  for (let next: string | null = null; end > 0; end -= 1) {
    const { name, open, prefix } = arranged[end - 1] as ArrangedSection;
    const follows = next === null || order.follow(prefix, next);
    if (open !== null || titleOf(prefix) !== name || sections[end - 1]?.cards.length !== 0 || !follows) {
      break;
    }
    next = prefix;
  }
  return sections.slice(0, end);
}

function layoutOf(sections: readonly SectionSpec[], exceptions: Exceptions): CardLayout | null {
  const isUsual = sections.length === 0 && Object.keys(exceptions).length === 0;
  return isUsual ? null : { version: VERSION, sections, ...exceptions };
}

/** Few tags of several groups stand together: once they are arranged, as a section without a name. */
function asOneSection(all: readonly ArrangedSection[]): readonly ArrangedSection[] {
  return all.length < 2 || all.some(({ titled }) => titled)
    ? all
    : [{ name: "", open: null, prefix: "", titled: false, cards: all.flatMap(({ cards }) => cards) }];
}

/** The cards up to the last that would not be where it is by itself, or that only another panel knows. */
function changed(cards: readonly CardSpec[], prefix: string, order: DefaultOrder): readonly CardSpec[] {
  let end = cards.length;
  for (let next = Number.POSITIVE_INFINITY; end > 0; end -= 1) {
    const place = order.placeOf(cards[end - 1] as CardSpec, prefix);
    if (place === null || place > next) {
      break;
    }
    next = place;
  }
  return cards.slice(0, end);
}

/** How many columns and rows a card takes. */
export interface Spans {
  readonly width: number;
  readonly height: number;
}

/** Identifies a section: several may have no name, and several of a layout that was written by hand one prefix. */
export type SectionId = Pick<ArrangedSection, "name" | "prefix">;

/** Changes to an arrangement; each returns the changed layout. Cards are identified by their keys. */
export class Arranger {
  readonly #given: readonly SectionSpec[];
  readonly #all: readonly ArrangedSection[];
  readonly #tags: readonly string[];
  readonly #options: ArrangeOptions;
  #order: DefaultOrder;
  #exceptions: Exceptions;

  constructor(layout: CardLayout | null, tags: readonly string[], options: ArrangeOptions = DEFAULT_ARRANGEMENT) {
    this.#given = layout?.sections ?? [];
    this.#all = asOneSection(arranged(layout, tags, options));
    this.#tags = tags;
    this.#options = options;
    this.#exceptions = exceptionsOf(layout?.apart ?? [], layout?.joined ?? []);
    this.#order = new DefaultOrder(tags, options, this.#exceptions);
  }

  /** Puts a card before another one, or behind it. */
  move(key: string, beside: string, behind: boolean): CardLayout | null {
    const card = this.#card(key);
    if (card === undefined || key === beside) {
      return this.#layout(this.#all);
    }
    return this.#cards((one) =>
      one.key === key ? [] : one.key !== beside ? [one] : behind ? [one, card] : [card, one],
    );
  }

  /** Draws the tags of one card in another. */
  merge(key: string, onto: string): CardLayout | null {
    const card = this.#card(key);
    const tags = card?.spec.tags;
    if (tags === undefined || key === onto) {
      return this.#layout(this.#all);
    }
    return this.#cards((one) => {
      if (one.key !== onto || one.spec.tags === undefined) {
        return one.key === key ? [] : [one];
      }
      return [{ ...one, spec: this.#chosen([...new Set([...one.spec.tags, ...tags])], one.spec) }];
    });
  }

  /** Gives a card a size. A small card is small again where that has no row. */
  resize(key: string, { width, height }: Spans): CardLayout | null {
    const within = (span: number) => Math.max(1, Math.min(MAX_SPAN, Math.round(span)));
    return this.#cards((one) => {
      if (one.key !== key) {
        return [one];
      }
      const { width: _width, height: _height, ...spec } = one.spec;
      const [columns, rows] = [within(width), within(height)];
      const isUsual = rows === 1 && (Math.round(height) < 1 || !isSmallCard(spec, this.#options.nameOf));
      const spans = { ...(columns > 1 ? { width: columns } : {}), ...(isUsual ? {} : { height: rows }) };
      return [{ ...one, spec: { ...spec, ...spans } }];
    });
  }

  /** Takes a tag out of a card: it has a card of its own behind that again. */
  takeOut(key: string, tag: string): CardLayout | null {
    if (this.#isUnnamed(this.#card(key)?.spec.tags)) {
      return this.#apart([tag]);
    }
    return this.#cards((one) => {
      const tags = one.spec.tags?.filter((other) => other !== tag);
      if (one.key !== key || tags === undefined || tags.length === 0 || tags.length === one.spec.tags?.length) {
        return [one];
      }
      const { title, ...spec } = one.spec;
      const kept = this.#chosen(tags, { ...spec, ...(tags.length > 1 && title !== undefined ? { title } : {}) });
      return [
        { ...one, spec: kept },
        { key: "", spec: this.#chosen([tag]) },
      ];
    });
  }

  /** Removes a card of a pattern; gives each tag of another its own again. */
  dissolve(key: string): CardLayout | null {
    const tags = this.#card(key)?.spec.tags;
    if (tags !== undefined && this.#isUnnamed(tags)) {
      return this.#apart(tags);
    }
    return this.#cards((one) =>
      one.key === key ? (one.spec.tags ?? []).map((tag) => ({ key: "", spec: this.#chosen([tag]) })) : [one],
    );
  }

  /** A card of all tags that match, before all others. */
  add(pattern: string, title?: string): CardLayout | null {
    const card = { key: "", spec: { pattern, ...(title === undefined ? {} : { title }) } };
    const [first, ...others] = this.#all;
    return this.#layout(
      first === undefined
        ? [{ name: "", open: null, prefix: "", titled: false, cards: [card] }]
        : [{ ...first, cards: [card, ...first.cards] }, ...others],
    );
  }

  /** Removes all cards of a pattern. */
  remove(pattern: string): CardLayout | null {
    return this.#cards((one) => (one.spec.pattern === pattern ? [] : [one]));
  }

  /** Opens or folds a section; null: as it is by itself. */
  open(id: SectionId, open: boolean | null): CardLayout | null {
    return this.#layout(this.#all.map((section) => (isSection(section, id) ? { ...section, open } : section)));
  }

  /** Renames a section; a name that another section has changes nothing. */
  rename(id: SectionId, renamed: string): CardLayout | null {
    const taken = renamed === "" || this.#all.some((section) => section.name === renamed);
    return this.#layout(
      this.#all.map((section) => (isSection(section, id) && !taken ? { ...section, name: renamed } : section)),
    );
  }

  /** Puts a section before another one, or behind it. */
  moveSection(id: SectionId, beside: SectionId, behind: boolean): CardLayout | null {
    const moved = this.#all.find((section) => isSection(section, id));
    if (moved === undefined || isSection(moved, beside)) {
      return this.#layout(this.#all);
    }
    return this.#layout(
      this.#all.flatMap((one) =>
        one === moved ? [] : !isSection(one, beside) ? [one] : behind ? [one, moved] : [moved, one],
      ),
    );
  }

  /** Draws tags that have cards in one, where the first of these is. */
  join(tags: readonly string[]): CardLayout | null {
    const { apart = [], joined = [] } = this.#exceptions;
    const without = apart.filter((tag) => !tags.includes(tag));
    if (this.#isUnnamed(tags)) {
      const chosen = this.#options.joins ? joined : [...new Set([...joined, ...tags])];
      return layoutOf(this.#given, exceptionsOf(without, chosen));
    }
    if (without.length < apart.length) {
      this.#exceptions = exceptionsOf(without, joined);
      this.#order = new DefaultOrder(this.#tags, this.#options, this.#exceptions);
    }
    const wanted = new Set(tags);
    const isMember = ({ spec }: ArrangedCard) => spec.tags?.some((tag) => wanted.has(tag)) === true;
    const first = this.#all.flatMap(({ cards }) => cards).find(isMember);
    return this.#cards((one) => {
      const left = one.spec.tags?.filter((tag) => !wanted.has(tag)) ?? [];
      const others = left.length > 0 ? [{ ...one, spec: { ...one.spec, tags: left } }] : [];
      return one === first ? [{ ...one, spec: this.#chosen(tags) }, ...others] : isMember(one) ? others : [one];
    });
  }

  /** A card of tags that the user has chosen; it says so where joining by itself would give another. */
  #chosen(tags: readonly string[], { apart: _apart, joined: _joined, ...spec }: CardSpec = {}): CardSpec {
    const isApart = tags.length === 1 && this.#order.kin.has(tags[0] as string);
    const isJoined = this.#options.joins === false && isSplitCard(tags, this.#options.nameOf);
    return { ...spec, tags, ...(isApart ? { apart: true } : {}), ...(isJoined ? { joined: true } : {}) };
  }

  #card(key: string): ArrangedCard | undefined {
    return this.#all.flatMap(({ cards }) => cards).find((card) => card.key === key);
  }

  #cards(change: (card: ArrangedCard) => readonly ArrangedCard[]): CardLayout | null {
    return this.#layout(this.#all.map((section) => ({ ...section, cards: section.cards.flatMap(change) })));
  }

  /** Whether tags share a card, or could, where they stand by themselves: the layout need not say where that is. */
  #isUnnamed(tags: readonly string[] = []): boolean {
    const isNamed = ({ tags: named = [] }: CardSpec) => named.some((tag) => tags.includes(tag));
    return tags.length > 1 && this.#options.joins !== null && !this.#given.some(({ cards }) => cards.some(isNamed));
  }

  /** Gives tags cards of their own, in the place of the card that they share. */
  #apart(tags: readonly string[]): CardLayout | null {
    const { apart = [], joined = [] } = this.#exceptions;
    const chosen = this.#options.joins ? [...new Set([...apart, ...tags])] : apart;
    const left = joined.filter((tag) => !tags.includes(tag));
    return layoutOf(this.#given, exceptionsOf(chosen, left));
  }

  #layout(sections: readonly ArrangedSection[]): CardLayout | null {
    return layoutOf(sectionsOf(sections, this.#order), this.#exceptions);
  }
}

function isSection({ name, prefix }: ArrangedSection, id: SectionId): boolean {
  return name === id.name && prefix === id.prefix;
}

/** Whether a card is small as long as no size was chosen for it. */
export function isSmallCard({ tags, pattern }: CardSpec, nameOf: NameOf): boolean {
  return pattern === undefined && tags?.length === 1 && isSmall(nameOf(tags[0] as string));
}
