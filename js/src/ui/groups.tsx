// Cards in sections, as they were arranged; at first by the text before the first slash of their tags.

import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  type ArrangedCard,
  type ArrangedSection,
  type ArrangeOptions,
  arranged,
  isSmallCard,
  type SectionId,
} from "../lib/arrange";
import { isSplitCard, type NameOf, ranksOf, splitCards, stemOf } from "../lib/tagorder";
import { listOf } from "../lib/texts";
import { cardHeightOf, cardOptions } from "../options/cards";
import { ALL } from "../options/selection";
import { Arranging, type CardPlace, columnsIn, mostColumns, pinKey, pinnedCards } from "./arranging";
import { bringIntoSight, type CardGrid, cardOfKey, cardOfTag, type GridCard, pointOut } from "./cardgrid";
import { watchCardStops } from "./cardstops";
import { CardSizes, WindowedCard } from "./cardwindow";
import { WaitsFor } from "./filter";
import { Folding } from "./keyed";
import { Mismatches } from "./mismatches";
import { MoreCards, Section, type SectionChanges } from "./section";
import { type ShownCard, type ShownSection, shownOf } from "./showncards";
import { shownName } from "./tagtitle";
import { cardTexts, uiTexts } from "./texts";
import { MAX_CARDS, useOptions, useView, type View } from "./view";
import "./arrange.css";

export interface CardProps<D> {
  readonly tag: string;
  readonly label: string;
  readonly data: D;
  /** Draws the tag and those of training, validation or test with the same stem in one card; null where there are none. */
  readonly join: (() => void) | null;
}

/** Props of a card of several tags. */
export interface SeveralProps<D> {
  /** The same as long as the card is. */
  readonly id: string;
  readonly tags: readonly string[];
  readonly title: string | null;
  /** What they are of, where they are training, validation and test of one stem; null for others. */
  readonly stem: string | null;
  /** Null for a card of tags that were chosen one by one. */
  readonly pattern: string | null;
  readonly of: { tag(name: string): D | undefined };
  takeOut(tag: string): void;
  /** Ends the card; null where it cannot be ended. */
  readonly dissolve: (() => void) | null;
}

interface Props<D> {
  /** Content of the cards: series, items or documents of one kind. */
  readonly of: {
    /** Natural order. */
    readonly tags: ReadonlySignal<readonly string[]>;
    tag(name: string): D | undefined;
  };
  readonly Card: FunctionComponent<CardProps<D>>;
  /** Where several tags can share a card; without it, each has its own. */
  readonly Several?: FunctionComponent<SeveralProps<D>>;
  readonly nameOf?: NameOf;
  /** Training and validation of one stem share a card by themselves, and cards of what matters less are small. */
  readonly joinsSplits?: boolean | null;
}

const ITSELF: NameOf = (tag) => tag;

/** Key of the group of pinned cards. */
const PINNED = " pinned";

/** Up to this many cards also fill the panel's height. */
const MAX_FILLING_CARDS = 2;
/** Largest height of such a card, as a share of its width. */
const MAX_FILLING_ASPECT = 0.48;
/** Height of the dashboard around such a card, in CSS pixels. */
const AROUND_CARD_PX = 200;

/** Cards that are made at first, so that the first screen paints early. */
const FIRST_CARDS = 24;

/** Milliseconds before more are made, and before others after these: in between, the page paints and is used. */
const FIRST_REST_MS = 200;
const MORE_REST_MS = 50;

function idOf({ prefix }: Pick<ArrangedSection, "prefix">): string {
  return `/${prefix}`;
}

/** A card for every tag with content. */
export function Groups<D>({ of, Card, Several, nameOf = ITSELF, joinsSplits = null }: Props<D>) {
  const view = useView();
  const { channel, options } = view;
  const { store } = channel;
  const root = useRef<HTMLDivElement>(null);
  const { card_width, card_height, card_layout } = useOptions(cardOptions);
  const tags = of.tags.value;
  const { tagFilter } = options;
  const matches = tagFilter.matches.value;
  const there = useMemo(() => new Set(tags), [tags]);
  const layout = card_layout.value;
  const arrangeOptions = useArrangeOptions(tags, nameOf, joinsSplits, store.settled.value);
  const all = useMemo(() => arranged(layout, tags, arrangeOptions), [layout, tags, arrangeOptions]);
  const pins = options.board.pinned.value.filter((tag) => there.has(tag));
  const pinned = pinnedCards(pins, nameOf, joinsSplits, layout);
  const keys = useRef<readonly string[]>([]);
  const latestOptions = useRef(arrangeOptions);
  latestOptions.current = arrangeOptions;
  const arranging = useMemo(
    () =>
      new Arranging(
        view,
        () => of.tags.peek(),
        () => latestOptions.current,
        () => keys.current,
      ),
    [view, of],
  );
  const panel = view.panel.value?.name ?? "";
  const joins = Several !== undefined;
  const splits = useMemo(() => splitCards(joins ? tags : [], nameOf), [tags, nameOf, joins]);
  const tagsOf = ({ tags: named, pattern }: ArrangedCard["spec"]) =>
    pattern === undefined
      ? (named ?? []).filter((tag) => there.has(tag))
      : joins
        ? tags.filter(options.patterns.anywhere(pattern).matches.value)
        : [];
  const shownAs = (tag: string) => shownName(view, tag);
  const found = all
    .map((section) => ({ ...section, cards: shownOf(section, { tagsOf, nameOf, joins, matches, pins, shownAs }) }))
    .filter(({ cards }) => cards.length > 0);
  // Also in a page that was saved while its logs were read: no more tags come.
  const ready = store.settled.value;
  const folding = useMemo(() => new Folding(), []);
  const openByItself = folding.open(found, tagFilter.inEffect.value !== "", ready);
  const isOpen = ({ titled, open, name }: ArrangedSection) => !titled || (open ?? openByItself.has(name));
  const sections = found.map((section): ShownSection => ({ ...section, open: isOpen(section) }));
  const setOpen = (section: SectionId, open: boolean) =>
    arranging.change((arranger) => arranger.open(section, open === openByItself.has(section.name) ? null : open));
  const pinKeys = pinned.map(([tag = ""]) => pinKey(tag));
  keys.current = [...pinKeys, ...sections.flatMap(({ cards }) => cards.map(({ key }) => key))];
  const cards = keys.current.length;

  useLayoutEffect(() => {
    const { focus } = arranging;
    if (focus !== null) {
      arranging.focus = null;
      const found =
        [...(root.current?.querySelectorAll<HTMLElement>("[data-key], [data-section]") ?? [])].find(
          ({ dataset }) => dataset.key === focus || dataset.section === focus,
        ) ?? (root.current === null ? undefined : cardOfTag(focus, root.current));
      (found?.querySelector<HTMLElement>(".tbwidget-section-fold") ?? found)?.focus();
    }
  });

  /** Key of the card that is gone to, where it is not any card of the tag; and whether it takes the focus. */
  const aim = useRef<{ readonly key: string | null; readonly takesFocus: boolean }>({ key: null, takesFocus: false });
  const go = (tag: string, takesFocus = false, key: string | null = null) => {
    aim.current = { key, takesFocus };
    const isPinned = key === null ? pins.includes(tag) : pinKeys.includes(key);
    if (!tagFilter.matches.peek()(tag) && !isPinned && key === null) {
      tagFilter.set("", "typed");
    }
    const has = (card: ArrangedCard) => (key === null ? card.spec.tags?.includes(tag) === true : card.key === key);
    const section = (key === null ? all : found).find(({ cards }) => cards.some(has));
    const state = view.groups.of(panel, isPinned || section === undefined ? PINNED : idOf(section));
    state.value = { open: true, most: Math.max(state.peek().most, (section?.cards.findIndex(has) ?? 0) + 1) };
    if (section !== undefined && !isPinned && !isOpen(section)) {
      setOpen(section, true);
    }
    view.goal.value = tag;
  };
  /** Made when they are asked for: there may be very many. */
  const gridCards = (): GridCard[] => [
    ...pinned.map((tags) => cardFacts({ key: pinKey(tags[0] ?? ""), spec: {}, tags }, true)),
    ...found.flatMap(({ cards }) => cards.map((card) => cardFacts(card, false))),
  ];
  const cardFacts = ({ key, spec, tags }: Omit<ShownCard, "label">, isPinned: boolean): GridCard => ({
    ...{ key, tags, isPinned, pattern: spec.pattern ?? null },
    name: nameOfCard(spec, tags),
    isSplit: spec.pattern === undefined && isSplitCard(tags, nameOf),
    canJoin: !isPinned && spec.tags?.length === 1 && splits.has(tags[0] ?? ""),
  });
  const foldedNow = sections.reduce(
    (sum, section) => {
      const { most } = view.groups.of(panel, idOf(section)).value;
      return sum + Math.max(0, section.cards.length - (section.open ? most : 0));
    },
    view.groups.of(panel, PINNED).value.open ? 0 : pinned.length,
  );
  const folded = useSignal(foldedNow);
  const latest = useSignal(gridCards);
  useLayoutEffect(() => {
    folded.value = foldedNow;
    latest.value = gridCards;
  });
  const gridCardsNow = useComputed(() => latest.value());
  const latestGo = useRef(go);
  latestGo.current = go;
  useLayoutEffect(() => {
    const arrangeOptions = () => latestOptions.current;
    const grid: CardGrid = {
      ...{ panel, tags: of.tags, nameOf, arrangeOptions, folded, cards: gridCardsNow },
      go: (tag, takesFocus) => latestGo.current(tag, takesFocus),
      goToCard: (key) => {
        const [tag = ""] = gridCardsNow.peek().find((card) => card.key === key)?.tags ?? [];
        latestGo.current(tag, true, key);
      },
      move: (key, by) => arranging.moveBy(key, by),
    };
    view.grid.value = grid;
    return () => {
      if (view.grid.peek() === grid) {
        view.grid.value = null;
      }
    };
  }, [view, panel, of, nameOf, folded, gridCardsNow, arranging]);
  useLayoutEffect(
    () => () => {
      view.goal.value = null;
    },
    [view],
  );
  const goal = view.goal.value;
  useLayoutEffect(() => {
    const { current } = root;
    const { key, takesFocus } = aim.current;
    const cardNow = () =>
      goal === null || current === null ? undefined : key === null ? cardOfTag(goal, current) : cardOfKey(key, current);
    const card = cardNow();
    if (card !== undefined) {
      view.goal.value = null;
      bringIntoSight(card);
      if (takesFocus && current?.closest(".tbwidget")?.matches(":focus-within")) {
        card.focus({ preventScroll: true });
      }
      pointOut(cardNow);
    }
  });

  useLayoutEffect(() => (root.current === null ? undefined : watchCardStops(root.current)), []);

  const places = useRef(new Map<string, CardPlace>()).current;
  const sizes = useMemo(() => new CardSizes(), []);
  const opened = sections.flatMap(({ open, cards }) => (open ? cards : []));
  const firstKeys = new Set([...pinKeys, ...opened.map(({ key }) => key)].slice(0, FIRST_CARDS));
  // A last view has the layout that its page had, and keeps it while the kernel sends the data again.
  const isLaidOut = useRef(false);
  isLaidOut.current ||= ready || store.isLastView.value;
  const few = isLaidOut.current && cards <= MAX_FILLING_CARDS && card_height.value === null;
  const canBeSmall = ({ height, ...spec }: ArrangedCard["spec"]) =>
    joins && height === undefined && isSmallCard(spec, nameOf);
  // Alone, they fill the panel like others.
  const areAllSmall = few && sections.every((section) => section.cards.every(({ spec }) => canBeSmall(spec)));
  const isSmall = (spec: ArrangedCard["spec"]) => !areAllSmall && canBeSmall(spec);
  const cardOf = (shown: ShownCard, pinned = false) => {
    const { key, spec, label } = shown;
    const place = samePlace(places, {
      ...{ key, pinned, arranging, width: spec.width ?? null, height: spec.height ?? null },
      small: !pinned && isSmall(spec),
      joins: joins && !pinned && spec.pattern === undefined,
    });
    const [tag] = shown.tags;
    const stem = spec.pattern === undefined && isSplitCard(shown.tags, nameOf) ? label : null;
    const several =
      spec.title ??
      stem ??
      (spec.pattern === undefined
        ? listOf(shown.tags.map((tag) => shownAs(tag) ?? tag))
        : cardTexts().pattern(spec.pattern));
    const isSeveral = spec.pattern !== undefined || shown.tags.length > 1;
    return (
      <WindowedCard
        key={key}
        {...{ place, sizes, panel, isSeveral, tags: shown.tags, first: firstKeys.has(key) }}
        label={isSeveral ? several : label}
        title={isSeveral ? several : (tag ?? label)}
      >
        {() => {
          const data = tag === undefined ? undefined : of.tag(tag);
          return Several !== undefined && isSeveral ? (
            <Several
              id={key}
              tags={shown.tags}
              title={spec.title ?? null}
              stem={stem}
              pattern={spec.pattern ?? null}
              of={of}
              takeOut={(one) =>
                pinned ? options.togglePins([one]) : arranging.change((arranger) => arranger.takeOut(key, one))
              }
              dissolve={pinned ? null : () => arranging.change((arranger) => arranger.dissolve(key))}
            />
          ) : (
            tag !== undefined && data !== undefined && (
              <Card tag={tag} label={label} data={data} join={pinned || spec.tags?.length !== 1 ? null : joinOf(tag)} />
            )
          );
        }}
      </WindowedCard>
    );
  };
  const joinOf = (tag: string) => {
    const kin = splits.get(tag);
    return kin === undefined ? null : () => arranging.change((arranger) => arranger.join(kin));
  };
  const mostMade = useMostMade(cards);
  const made = useRef(new Set<string>()).current;
  for (const [i, { key }] of opened.entries()) {
    if (i < mostMade) {
      made.add(key);
    }
  }
  const usual = cardHeightOf(card_width.value, card_height.value);
  const height = few ? grown(usual, cards, view) : usual;
  const columnsOf = (shown: readonly ShownSection[]) => {
    const taken = shown.map((section) => columnsTaken(section.cards, isSmall)).reduce((a, b) => a + b, 0);
    // During the initial scan, cards do not shrink with every new tag.
    return isLaidOut.current ? mostColumns(taken, view.width.value, height) : 99;
  };
  const style = {
    "--tbwidget-card-height": `${height}px`,
    "--tbwidget-card-width": `${card_width.value}px`,
    "--tbwidget-most-columns": columnsOf(sections),
  };
  const titled = sections.filter((one) => one.titled);
  const besideOf = (section: ShownSection, by: 1 | -1) => titled[titled.indexOf(section) + by];
  const moved = (section: ShownSection, by: 1 | -1) => {
    const beside = besideOf(section, by);
    if (beside !== undefined) {
      arranging.focus = section.name;
      arranging.change((arranger) => arranger.moveSection(section, beside, by > 0));
    }
  };
  return (
    <div ref={root} class="tbwidget-arranged" style={style}>
      <NoRunShown />
      <WaitsForTags />
      {pinned.length > 0 && <Pinned pinned={pinned} nameOf={nameOf} card={(card) => cardOf(card, true)} />}
      {sections.length > 0 && (
        // One grid for all sections: the cards of a section stay mounted when it gets its title, and when others come.
        <div
          class="tbwidget-groups"
          style={{ "--tbwidget-most-columns": Math.max(...untitledRows(sections).map(columnsOf)) }}
        >
          {sections.map((section) => (
            <Group
              key={idOf(section)}
              section={section}
              made={made}
              card={cardOf}
              columns={columnsOf([section])}
              toggle={(open) => setOpen(section, open)}
              changes={{
                move: (by) => moved(section, by),
                canMove: (by) => besideOf(section, by) !== undefined,
                rename: (name) => {
                  arranging.focus = name;
                  arranging.change((arranger) => arranger.rename(section, name));
                },
              }}
            />
          ))}
        </div>
      )}
      <Mismatches tags={there} />
      {cards === 0 && tagFilter.inEffect.value !== "" && !tagFilter.waits.value && (
        <p class="tbwidget-waiting">
          {uiTexts().nothingMatches} <code>{tagFilter.inEffect.value}</code>{" "}
          <button type="button" class="tbwidget-link" onClick={() => tagFilter.set("", "typed")}>
            {uiTexts().showAll}
          </button>
        </p>
      )}
      <p class="tbwidget-announcement" aria-live="assertive">
        {arranging.announcement.value}
      </p>
    </div>
  );
}

/** The title of a card, or the names of its tags. */
function nameOfCard({ title, pattern }: ArrangedCard["spec"], tags: readonly string[]): string {
  return (
    title ??
    (pattern === undefined ? listOf(tags.map((tag) => tag || uiTexts().emptyTag)) : cardTexts().pattern(pattern))
  );
}

/**
 * What the default arrangement depends on beside the tags. Once the initial scan has arrived, groups that are there keep their
 * places, even if better tags come to them: cards do not change places under the pointer.
 */
function useArrangeOptions(
  tags: readonly string[],
  nameOf: NameOf,
  joins: boolean | null,
  settled: boolean,
): ArrangeOptions {
  const kept = useRef(new Map<string, number>());
  const ranks = useMemo(() => {
    if (!settled) {
      return new Map<string, number>();
    }
    kept.current = new Map([...ranksOf(tags, nameOf), ...kept.current]);
    return kept.current;
  }, [tags, nameOf, settled]);
  return useMemo(() => ({ nameOf, joins, ranks }), [nameOf, joins, ranks]);
}

/** The columns that cards take: small ones stand two upon another behind others, else side by side. */
function columnsTaken(cards: readonly ShownCard[], isSmall: (spec: ArrangedCard["spec"]) => boolean): number {
  const small = cards.filter(({ spec }) => isSmall(spec)).length;
  const others = cards.reduce((sum, { spec }) => sum + (isSmall(spec) ? 0 : (spec.width ?? 1)), 0);
  return others + (others === 0 ? small : Math.ceil(small / 2));
}

/** Sections without a title, in rows that those between two titles fill together. */
function untitledRows(sections: readonly ShownSection[]): ShownSection[][] {
  const rows: ShownSection[][] = [[]];
  for (const section of sections) {
    if (section.titled) {
      rows.push([]);
    } else {
      rows.at(-1)?.push(section);
    }
  }
  return rows;
}

/** Number of cards to mount: starts small and doubles until all are mounted. */
function useMostMade(cards: number): number {
  const [made, setMade] = useState(FIRST_CARDS);
  const isDone = made >= cards;
  useEffect(() => {
    if (isDone) {
      return;
    }
    const rested = setTimeout(() => setMade(2 * made), made === FIRST_CARDS ? FIRST_REST_MS : MORE_REST_MS);
    return () => clearTimeout(rested);
  }, [made, isDone]);
  return made;
}

/** Height of one or two cards that have the panel for themselves. */
function grown(height: number, cards: number, { width, options, isMaximized }: View): number {
  const room = (isMaximized.value ? window.innerHeight : options.board.height.value) - AROUND_CARD_PX;
  return Math.round(Math.max(height, Math.min(room, (MAX_FILLING_ASPECT * width.value) / Math.max(1, cards))));
}

/** The place of a card: the same object as before where nothing of it is different, so that its card is not rendered again. */
function samePlace(places: Map<string, CardPlace>, place: CardPlace): CardPlace {
  const known = places.get(place.key);
  const keys = Object.keys(place) as (keyof CardPlace)[];
  if (known !== undefined && keys.every((key) => known[key] === place[key])) {
    return known;
  }
  places.set(place.key, place);
  return place;
}

/** Why the charts are empty, where no run is shown. */
function NoRunShown() {
  const { channel, options } = useView();
  const none = useComputed(() => {
    return !options.runFilter.waits.value && !channel.store.runs.value.some((run) => options.shows(run));
  }).value;
  return (
    none && (
      <p class="tbwidget-hint">
        {uiTexts().noRunShown}{" "}
        {options.runs.noneThere.value && (
          <button type="button" class="tbwidget-link" onClick={() => options.select(ALL)}>
            {uiTexts().allRuns}
          </button>
        )}
      </p>
    )
  );
}

/** Pinned tags that no panel has, once all is read: they may still come. */
function WaitsForTags() {
  const { channel, options } = useView();
  const { settled, tags } = channel.store;
  if (!settled.value || options.board.pinned.value.length === 0) {
    return null;
  }
  const there = new Set(tags.value);
  return <WaitsFor names={options.board.pinned.value.filter((tag) => !there.has(tag))} text={uiTexts().waitsForTags} />;
}

interface PinnedProps {
  /** The tags of each card. */
  readonly pinned: readonly (readonly string[])[];
  readonly nameOf: NameOf;
  card(card: ShownCard): ComponentChildren;
}

/** The pinned cards, in rows that are full: about equally long, and the last card fills the last one. */
function Pinned({ pinned, nameOf, card }: PinnedProps) {
  const view = useView();
  const { card_width } = useOptions(cardOptions);
  const state = view.groups.of(view.panel.value?.name ?? "", PINNED);
  const rows = Math.ceil(pinned.length / columnsIn(view.width.value, card_width.value));
  const columns = Math.ceil(pinned.length / rows);
  const { open } = state.value;
  return (
    <Section
      name={uiTexts().pinned}
      titled
      open={open}
      count={pinned.length}
      toggle={() => {
        state.value = { ...state.peek(), open: !open };
      }}
    >
      <div class="tbwidget-cards" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {pinned.map((tags, i) => {
          const [tag = ""] = tags;
          const rest = i === pinned.length - 1 ? columns * rows - pinned.length : 0;
          const spec = rest > 0 ? { width: 1 + rest } : {};
          return card({
            key: pinKey(tag),
            spec,
            tags,
            label:
              tags.length > 1 ? stemOf(nameOf(tag)) : (shownName(view, tag) ?? (nameOf(tag) || uiTexts().emptyTag)),
          });
        })}
      </div>
    </Section>
  );
}

interface GroupProps {
  readonly section: ShownSection;
  /** Keys of the cards that are made now, of all sections. */
  readonly made: ReadonlySet<string>;
  readonly changes: SectionChanges;
  /** At most. */
  readonly columns: number;
  card(card: ShownCard): ComponentChildren;
  toggle(open: boolean): void;
}

function Group({ section, made, card, columns, changes, toggle }: GroupProps) {
  const view = useView();
  const state = view.groups.of(view.panel.value?.name ?? "", idOf(section));
  const { most } = state.value;
  const { titled, name, cards, open } = section;
  return (
    <Section
      name={name}
      titled={titled}
      open={open}
      count={cards.length}
      changes={changes}
      toggle={() => toggle(!open)}
    >
      <div class="tbwidget-cards" style={{ "--tbwidget-most-columns": columns }}>
        {cards.flatMap((one, i) => (i < most && made.has(one.key) ? [card(one)] : []))}
      </div>
      <MoreCards
        left={cards.length - most}
        step={MAX_CARDS}
        more={() => {
          state.value = { ...state.peek(), most: most + MAX_CARDS };
        }}
      />
    </Section>
  );
}
