// Arranges the existing tags by a layout of cards, and changes the layout.
//
// A layout names only changes. Tags in no card follow in natural order, at the end of the section named by the text before
// their first slash. Sections that the layout does not name follow the others. A leading tag and its kin come first in their
// section; see `leadOf`.

import { type CardLayout, type CardSpec, MAX_SPAN, type SectionSpec, VERSION } from "./cardlayout";
import { compareIn, groupNameOf, groupTags, type Lead, leadOf, type NameOf } from "./groups";
import { compareNatural } from "./natural";

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

/** All sections with all their cards, also of tags that are not there. */
export function arranged(
  layout: CardLayout | null,
  tags: readonly string[],
  nameOf: NameOf = (tag) => tag,
  leading: string | null = null,
): ArrangedSection[] {
  const named = layout?.sections ?? [];
  const listed = new Set(named.flatMap(({ cards }) => cards.flatMap((card) => card.tags ?? [])));
  const lead = leadOf(tags, nameOf, leading);
  const groups = groupTags(listed.size === 0 ? tags : tags.filter((tag) => !listed.has(tag)), nameOf, lead);
  const ofPrefix = new Map(groups.map((group) => [group.name, group]));
  const attached = named.some((section) => ofPrefix.has(section.prefix ?? section.name));
  const claimed = new Set(named.map(({ name, prefix = name }) => prefix));
  const keys = new Map<string, number>();
  const cardOf = (spec: CardSpec): ArrangedCard => {
    const own = spec.pattern === undefined ? `t${spec.tags?.[0] ?? ""}` : `p${spec.pattern}`;
    const before = keys.get(own) ?? 0;
    keys.set(own, before + 1);
    return { key: before === 0 ? own : `${own}\n${before}`, spec };
  };
  const plain = (prefix: string) => {
    const group = ofPrefix.get(prefix);
    ofPrefix.delete(prefix);
    return (group?.tags ?? []).map(({ tag }) => ({ tags: [tag] }));
  };
  // Not those that remain: a section keeps its title when its cards are put elsewhere.
  const counts = new Map<string, number>();
  const leads = new Set(lead?.tags);
  for (const tag of tags.filter((tag) => !leads.has(tag))) {
    const group = groupNameOf(nameOf(tag));
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const isAlone = (prefix: string) => (counts.get(prefix) ?? 0) < 2;
  const sections = named.map(({ name, open = null, prefix = name, cards: own }) => {
    // A group that comes later and is called like a section that was renamed joins it: names differ.
    const cards = [...own, ...plain(prefix), ...(claimed.has(name) ? [] : plain(name))].map(cardOf);
    const isAsItComes = own.length === 0 && open === null && prefix === name;
    return { name, open, prefix, titled: name !== "" && !(isAsItComes && isAlone(name)), cards };
  });
  const others = [...ofPrefix.values()].map(({ name, titled }) => ({
    ...{ name, open: null, prefix: name, titled: titled || (attached && name !== "" && !isAlone(name)) },
    cards: plain(name).map(cardOf),
  }));
  return [...sections, ...others];
}

/** The default order, for cards that no layout names. */
interface Order {
  readonly tags: ReadonlySet<string>;
  readonly nameOf: NameOf;
  readonly lead: Lead | null;
}

/** The layout that gives this arrangement; null if the default order gives it. */
function layoutOf(all: readonly ArrangedSection[], order: Order): CardLayout | null {
  const sections: SectionSpec[] = joined(all).map(({ name, open, prefix, cards }) => ({
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
    const { name, open, prefix, cards } = sections[end - 1] as SectionSpec;
    const { group } = order.lead ?? {};
    const [leads, isLed] = [name === group, next === group];
    const follows =
      next === null || name === "" || (next !== "" && (leads || (!isLed && compareNatural(name, next) < 0)));
    if (open !== undefined || prefix !== undefined || cards.length > 0 || !follows) {
      break;
    }
    next = name;
  }
  return end === 0 ? null : { version: VERSION, sections: sections.slice(0, end) };
}

/** Few tags of several groups stand together: once they are arranged, as a section without a name. */
function joined(all: readonly ArrangedSection[]): readonly ArrangedSection[] {
  return all.length < 2 || all.some(({ titled }) => titled)
    ? all
    : [{ name: "", open: null, prefix: "", titled: false, cards: all.flatMap(({ cards }) => cards) }];
}

/** The cards up to the last that would not be where it is by itself, or that only another panel knows. */
function changed(
  cards: readonly CardSpec[],
  prefix: string,
  { tags: there, nameOf, lead }: Order,
): readonly CardSpec[] {
  const compare = compareIn(prefix, nameOf, lead);
  const leads = new Set(lead?.tags);
  let end = cards.length;
  for (let next: string | null = null; end > 0; end -= 1) {
    const { tags, title, width, height, pattern } = cards[end - 1] as CardSpec;
    const tag: string = tags?.[0] ?? "";
    const isHere =
      there.has(tag) && (lead !== null && leads.has(tag) ? lead.group : groupNameOf(nameOf(tag))) === prefix;
    const bare = pattern === undefined && tags?.length === 1 && title === undefined && (width ?? height) === undefined;
    if (!bare || !isHere || (next !== null && compare(tag, next) > 0)) {
      break;
    }
    next = tag;
  }
  return cards.slice(0, end);
}

/** How many columns and rows a card takes. */
export interface Spans {
  readonly width: number;
  readonly height: number;
}

/** Changes to an arrangement; each returns the changed layout. Cards are identified by their keys. */
export class Arranger {
  readonly #all: readonly ArrangedSection[];
  readonly #order: Order;

  constructor(
    layout: CardLayout | null,
    tags: readonly string[],
    nameOf: NameOf = (tag) => tag,
    leading: string | null = null,
  ) {
    this.#all = joined(arranged(layout, tags, nameOf, leading));
    this.#order = { tags: new Set(tags), nameOf, lead: leadOf(tags, nameOf, leading) };
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
      return [{ ...one, spec: { ...one.spec, tags: [...new Set([...one.spec.tags, ...tags])] } }];
    });
  }

  resize(key: string, { width, height }: Spans): CardLayout | null {
    const within = (span: number) => Math.max(1, Math.min(MAX_SPAN, Math.round(span)));
    return this.#cards((one) => {
      if (one.key !== key) {
        return [one];
      }
      const { width: _width, height: _height, ...spec } = one.spec;
      const [columns, rows] = [within(width), within(height)];
      const spans = { ...(columns > 1 ? { width: columns } : {}), ...(rows > 1 ? { height: rows } : {}) };
      return [{ ...one, spec: { ...spec, ...spans } }];
    });
  }

  /** Takes a tag out of a card: it has a card of its own behind that again. */
  takeOut(key: string, tag: string): CardLayout | null {
    return this.#cards((one) => {
      const tags = one.spec.tags?.filter((other) => other !== tag);
      if (one.key !== key || tags === undefined || tags.length === 0 || tags.length === one.spec.tags?.length) {
        return [one];
      }
      const { title, ...spec } = one.spec;
      const kept = { ...spec, ...(tags.length > 1 && title !== undefined ? { title } : {}), tags };
      return [
        { ...one, spec: kept },
        { key: "", spec: { tags: [tag] } },
      ];
    });
  }

  /** Removes a card of a pattern; gives each tag of another its own again. */
  dissolve(key: string): CardLayout | null {
    return this.#cards((one) =>
      one.key === key ? (one.spec.tags ?? []).map((tag) => ({ key: "", spec: { tags: [tag] } })) : [one],
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
  open(name: string, open: boolean | null): CardLayout | null {
    return this.#layout(this.#all.map((section) => (section.name === name ? { ...section, open } : section)));
  }

  /** Renames a section; a name that another section has changes nothing. */
  rename(name: string, renamed: string): CardLayout | null {
    const taken = renamed === "" || this.#all.some((section) => section.name === renamed);
    return this.#layout(
      this.#all.map((section) => (section.name === name && !taken ? { ...section, name: renamed } : section)),
    );
  }

  /** Puts a section before another one, or behind it. */
  moveSection(name: string, beside: string, behind: boolean): CardLayout | null {
    const moved = this.#all.find((section) => section.name === name);
    if (moved === undefined || name === beside) {
      return this.#layout(this.#all);
    }
    return this.#layout(
      this.#all.flatMap((one) =>
        one === moved ? [] : one.name !== beside ? [one] : behind ? [one, moved] : [moved, one],
      ),
    );
  }

  #card(key: string): ArrangedCard | undefined {
    return this.#all.flatMap(({ cards }) => cards).find((card) => card.key === key);
  }

  #cards(change: (card: ArrangedCard) => readonly ArrangedCard[]): CardLayout | null {
    return this.#layout(this.#all.map((section) => ({ ...section, cards: section.cards.flatMap(change) })));
  }

  #layout(sections: readonly ArrangedSection[]): CardLayout | null {
    return layoutOf(sections, this.#order);
  }
}
