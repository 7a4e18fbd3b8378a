// The order and size of cards: one function of the names of tags. Twin of tbwidget/logs/tagorder.py, which says why.

import table from "../../../tbwidget/logs/tag_words.json";
import { compareNatural } from "./natural";

const KINDS: readonly string[] =
  "train validation test loss score plain counter aside small learning rate unit reward echo".split(" ");
const SPLITS = 7;
const HELD_OUT_SPLITS = 6;
const [LOSS, COUNTER, ASIDE, LEARNING_RATE, UNIT, SMALLS] = [8, 64, 128, 1536, 2048, 2304];
const [REWARDS, MEASURES, ECHO, PART] = [4096, 4120, 8192, 16384];

const BITS: ReadonlyMap<string, number> = new Map(
  Object.entries(table).flatMap(([kind, words]) => {
    const bits = (1 << KINDS.indexOf(kind)) | (kind === "learning" || kind === "rate" ? PART : 0);
    return words.split(" ").map((word) => [word, bits] as const);
  }),
);

/** The rank of rewards that are no parts of one. */
const REWARD = 0;
const [WHOLE_SCORE, PART_OF_SCORE] = [2, 4];
/** The largest rank of rewards, losses and scores. */
const MEASURE = 4;
const HELD_OUT = 5;
const OTHER = 6;
/** The rank of tags whose cards are small. */
const SMALL = 7;

/** Upper bound for the tags that share a card by themselves. */
const MAX_JOINED_TAGS = 4;

const SEPARATORS = /([/_.\- ():,|[\]=@#]+)/;
const HUMPS = /(?<=[a-z0-9])(?=[A-Z])/;

/** The name that a tag is known by, if it is not the tag itself. */
export type NameOf = (tag: string) => string;

/** The groups of tags without a text before a slash. They stand apart, as no title holds them together. */
export const UNTITLED: readonly string[] = ["/headline", "/ordinary", "/small"];

/** The title of a group; empty for those that have none. */
export function titleOf(group: string): string {
  return UNTITLED.includes(group) ? "" : group;
}

interface TagPlace {
  /** Text before the first slash of the tag or its stem, else one of `UNTITLED`. */
  readonly group: string;
  readonly rank: number;
  /** The name without its word for training, validation or test; the name itself without exactly one such word. */
  readonly stem: string;
  /** That word as it is written; empty without exactly one. */
  readonly split: string;
  /** Among the tags of one stem: training, validation, test. */
  readonly turn: number;
}

/** A card of the default arrangement. */
export interface TagCard {
  readonly tags: readonly string[];
  readonly isSmall: boolean;
}

export interface TagGroup {
  readonly name: string;
  readonly cards: readonly TagCard[];
}

/** Names whose places are kept. */
const MAX_PLACES = 1 << 16;
const places = new Map<string, TagPlace>();

function placeOf(name: string): TagPlace {
  let place = places.get(name);
  if (place === undefined) {
    if (places.size >= MAX_PLACES) {
      places.clear();
    }
    place = findPlace(name);
    places.set(name, place);
  }
  return place;
}

function findPlace(name: string): TagPlace {
  const parts = name.split(SEPARATORS);
  let [found, said, last, at] = [0, 0, 0, -1];
  for (let i = 0; i < parts.length; i += 2) {
    const bits = wordBits(parts[i] as string);
    said |= bits;
    last = parts[i] === "" ? last : bits;
    if ((bits & SPLITS) !== 0) {
      found += 1;
      at = i;
    }
  }
  const first = groupNameOf(name);
  let [stem, split, turn] = [name, "", 0];
  if (found === 1) {
    const left = parts.toSpliced(at === 0 ? 0 : at - 1, 2);
    // Lightning writes "train_loss_epoch", and "val_loss" for as many epochs.
    while (left.length > 1 && (left.at(-1) === "" || (left.length > 2 && left.at(-1) === "epoch"))) {
      left.splice(-2);
    }
    if (left.join("") !== "") {
      [stem, split] = [left.join(""), parts[at] as string];
      turn = Math.log2(wordBits(split) & SPLITS);
    }
  }
  const rank = rankOf(said, wordBits(first), last);
  if (rank <= MEASURE && at === 0 && split !== "" && first === split) {
    return { group: groupNameOf(stem) || untitled(rank), rank, stem, split, turn };
  }
  const isHeldOut = rank === OTHER && first !== "" && (wordBits(first) & HELD_OUT_SPLITS) !== 0;
  return { group: first || untitled(rank), rank: isHeldOut ? HELD_OUT : rank, stem, split, turn };
}

function untitled(rank: number): string {
  return UNTITLED[rank <= MEASURE ? 0 : rank - OTHER + 1] as string;
}

function rankOf(words: number, first: number, last: number): number {
  const measures = words & MEASURES;
  if ((words & ECHO) !== 0 && measures === 0) {
    return SMALL;
  }
  const says = (words & SMALLS) !== 0 || (words & LEARNING_RATE) === LEARNING_RATE;
  if (says && (measures === 0 || isSmallWord(first, SMALLS) || isSmallWord(last, UNIT))) {
    return SMALL;
  }
  const said = says ? words | PART : words;
  if (measures !== 0 && (said & ASIDE) === 0) {
    if (measures === REWARDS && (said & PART) === 0) {
      return REWARD;
    }
    const isLoss = (said & LOSS) !== 0;
    const isPart = (said & PART) !== 0 || (isLoss && measures !== LOSS);
    return (isLoss ? 1 : 2) + (isPart ? 2 : 0);
  }
  return (said & COUNTER) !== 0 && (said & (PART | ASIDE)) === 0 ? SMALL : OTHER;
}

function isSmallWord(bits: number, kinds: number): boolean {
  return (bits & kinds) !== 0 && (bits & MEASURES) === 0;
}

function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
}

const words = new Map<string, number>();

/** The meanings of a word, as bits. */
function wordBits(word: string): number {
  let bits = words.get(word);
  if (bits === undefined) {
    if (words.size >= MAX_PLACES) {
      words.clear();
    }
    bits = findBits(word);
    words.set(word, bits);
  }
  return bits;
}

/** A word without digits at its end. A regular expression would take quadratic time for very many digits before its end. */
function withoutNumber(word: string): string {
  let end = word.length;
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) {
    end -= 1;
  }
  return word.slice(0, end);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function findBits(word: string): number {
  const lower = lowered(word);
  const bare = withoutNumber(lower);
  const known = BITS.get(lower) ?? BITS.get(bare);
  if (known !== undefined) {
    // "val2" is no "val": several of them would be taken for one.
    return (known & SPLITS) !== 0 && !BITS.has(lower) ? 1 << KINDS.indexOf("plain") : known;
  }
  if (bare === "") {
    return 0;
  }
  const humps = word.split(HUMPS);
  return humps.length > 1
    ? humps.reduce((said, hump) => said | wordBits(hump), 0) & ~SPLITS
    : PART | (/loss(?:es)?$/.test(bare) ? LOSS : 0);
}

/** The text before the first slash. */
export function groupNameOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf("/")));
}

/** Whether these share a card by themselves, or would: training, validation and test of one stem. */
export function isSplitCard(tags: readonly string[], nameOf: NameOf = (tag) => tag): boolean {
  const found = tags.map((tag) => placeOf(nameOf(tag)));
  const [first] = found;
  return (
    first !== undefined &&
    first.rank < SMALL &&
    tags.length > 1 &&
    tags.length <= MAX_JOINED_TAGS &&
    new Set(found.map(({ split }) => lowered(split))).size === tags.length &&
    found.every(({ group, rank, stem }) => group === first.group && rank === first.rank && stem === first.stem)
  );
}

/** By tag, those that it shares a card with by itself, and it, in their order; only tags with such a card. */
export function splitCards(tags: readonly string[], nameOf: NameOf): ReadonlyMap<string, readonly string[]> {
  const byStem = new Map<string, string[]>();
  for (const tag of tags) {
    const { group, rank, stem } = placeOf(nameOf(tag));
    const key = `${group}\n${rank}\n${stem}`;
    const members = byStem.get(key) ?? [];
    members.push(tag);
    byStem.set(key, members);
  }
  const cards = new Map<string, readonly string[]>();
  for (const members of byStem.values()) {
    if (isSplitCard(members, nameOf)) {
      const inTurn = members.toSorted((one, other) => placeOf(nameOf(one)).turn - placeOf(nameOf(other)).turn);
      for (const tag of members) {
        cards.set(tag, inTurn);
      }
    }
  }
  return cards;
}

/** A name without its word for training, validation or test. */
export function stemOf(name: string): string {
  return placeOf(name).stem;
}

/** The word of a name for training, validation or test; empty without one. */
export function splitOf(name: string): string {
  return placeOf(name).split;
}

/** Which of the tags of a card of training, validation and test tells most: that of validation, else of test. */
export function tellingSplit(tags: readonly string[]): string {
  return tags.find((tag) => placeOf(tag).turn === 1) ?? tags.at(-1) ?? "";
}

/** Whether a tag is a whole reward: what a run that trains an agent came to. */
export function isReward(name: string): boolean {
  return placeOf(name).rank === REWARD;
}

/** Whether the card of a tag is small. */
export function isSmall(name: string): boolean {
  return placeOf(name).rank === SMALL;
}

/**
 * Arranges tags, which come in their natural order, as cards in groups; groups in the order of their best cards. `ranks`: the
 * best ranks of groups that are to stay where they are, whichever tags have come to them.
 */
export function arrange(
  tags: readonly string[],
  nameOf: NameOf = (tag) => tag,
  ranks: ReadonlyMap<string, number> = new Map(),
): TagGroup[] {
  const groups = new Map<string, TagAt[]>();
  for (const [at, tag] of tags.entries()) {
    const place = placeOf(nameOf(tag));
    const members = groups.get(place.group) ?? [];
    members.push({ tag, at, place });
    groups.set(place.group, members);
  }
  return [...groups]
    .map(([name, members]) => ({ name, members, rank: ranks.get(name) ?? bestRank(members) }))
    .sort((one, other) => compareGroups(one, other))
    .map(({ name, members }) => ({ name, cards: cardsOf(members) }));
}

interface RankedGroup {
  readonly name: string;
  readonly rank: number;
}

function compareGroups(one: RankedGroup, other: RankedGroup): number {
  const [[rank, late], [otherRank, isOtherLate]] = [sortKey(one), sortKey(other)];
  return rank - otherRank || Number(late) - Number(isOtherLate) || compareNatural(one.name, other.name);
}

/** Groups without a title come before others: their scores, too, before losses. With a reward they come behind others. */
function sortKey({ name, rank }: RankedGroup): [rank: number, isLate: boolean] {
  const isUntitled = UNTITLED.includes(name);
  const isScore = rank === WHOLE_SCORE || rank === PART_OF_SCORE;
  return [isUntitled && isScore ? rank - 1 : rank, isUntitled === (rank === REWARD)];
}

interface TagAt {
  readonly tag: string;
  /** Its place in the natural order of tags. */
  readonly at: number;
  readonly place: TagPlace;
}

function bestRank(members: readonly TagAt[]): number {
  return members.reduce((best, { place }) => Math.min(best, place.rank), SMALL);
}

function cardsOf(members: readonly TagAt[]): TagCard[] {
  // Names are slow to compare, and those that are their own stems come in order.
  const compare = (one: TagAt, other: TagAt) =>
    one.place.rank - other.place.rank ||
    (one.place.stem === one.tag && other.place.stem === other.tag
      ? one.at - other.at
      : compareNatural(one.place.stem, other.place.stem) || one.place.turn - other.place.turn || one.at - other.at);
  const sorted = members.toSorted(compare);
  const cards: TagCard[] = [];
  for (let from = 0; from < sorted.length; ) {
    const { rank, stem } = (sorted[from] as TagAt).place;
    let end = from + 1;
    while (sorted[end]?.place.stem === stem && sorted[end]?.place.rank === rank) {
      end += 1;
    }
    const own = sorted.slice(from, end);
    const splits = new Set(own.map(({ place }) => lowered(place.split)));
    const joins = rank < SMALL && splits.size === own.length && own.length <= MAX_JOINED_TAGS;
    for (const tags of joins ? [own] : own.map((one) => [one])) {
      cards.push({ tags: tags.map(({ tag }) => tag), isSmall: rank === SMALL });
    }
    from = end;
  }
  return cards;
}

/** The best ranks of the groups of some tags: with them, groups stay where they are. */
export function ranksOf(tags: readonly string[], nameOf: NameOf): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const tag of tags) {
    const { group, rank } = placeOf(nameOf(tag));
    ranks.set(group, Math.min(rank, ranks.get(group) ?? SMALL));
  }
  return ranks;
}
