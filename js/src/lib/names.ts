// Leaves out what all names share, at their beginnings, in their middles or at their ends: it tells none from another. Names
// that still do not fit are cut where they do not differ.

import { bisect } from "./search";

/** Names up to `short` characters stay whole. The others are the fewest characters that are worth leaving out. */
interface Limits {
  readonly short: number;
  readonly start: number;
  /** The same for whole folders; null: a path may be cut at any separator. */
  readonly folders: number | null;
  readonly middle: number;
  readonly end: number;
}

const OF_CARDS: Limits = { short: 24, start: 12, folders: 12, middle: 6, end: 5 };
/** Runs stand in lists and legends, where space is scarce. */
const OF_RUNS: Limits = { short: 16, start: 5, folders: 5, middle: 6, end: 5 };
/** For names that do not fit: every part that they share makes way. */
const OF_NARROW_LISTS = { start: 3, folders: null, middle: 3, end: 3 };

/** Whether the text, cut at this UTF-16 unit, would lose a character: one of two units, which neither of them is alone. */
export function splitsCharacter(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

/** How many characters all names begin with alike, up to a separator; 0 where that is not worth leaving out. */
export function sharedStart(names: readonly string[], { short, start, folders } = OF_CARDS): number {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0 || names.every((name) => name.length <= short)) {
    return 0;
  }
  let length = first.length;
  for (const name of others) {
    let same = 0;
    while (same < length && name[same] === first[same]) {
      same += 1;
    }
    length = same;
  }
  const shared = first.slice(0, length);
  // A name that is nothing but what all share keeps its last part.
  const same = names.some((name) => name.length === length) ? shared.replace(/[/_,\s-]+$/u, "") : shared;
  // A part of a path stays whole, if that leaves out enough: "layer_0" rather than "0".
  const [path = 0, parts = 0] = [/^.*\//su, /^.*[/_,\s-]/su].map((ends) => ends.exec(same)?.[0].length ?? 0);
  if (folders !== null && path >= start) {
    return path;
  }
  return parts >= start ? parts : folders !== null && path >= folders ? path : 0;
}

/** How many characters all names end with alike, from a separator on; 0 where that is not worth leaving out. */
export function sharedEnd(names: readonly string[], { short, end: fewest } = OF_RUNS): number {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0 || names.every((name) => name.length <= short)) {
    return 0;
  }
  let length = first.length;
  for (const name of others) {
    let same = 0;
    while (same < length && name[name.length - 1 - same] === first[first.length - 1 - same]) {
      same += 1;
    }
    length = same;
  }
  // A dash before a digit is mostly the sign of an exponent.
  const end = /(?:[/_,\s]|-(?!\d)).*$/su.exec(first.slice(first.length - length))?.[0].length ?? 0;
  return end >= fewest && names.every((name) => name.length > end) ? end : 0;
}

/** A name without the `shared` characters that it has in common with the others at its beginning. */
export function shortened(name: string, shared: number): string {
  return shared > 0 ? `…${name.slice(shared)}` : name;
}

/** The start and the end of a text that is cut between them. One that was cut there before has one ellipsis, not two. */
export function withEllipsis(start: string, end: string): string {
  return `${start.replace(/…+$/u, "")}…${end.replace(/^…+/u, "")}`;
}

/** A name without what it shares with others. */
export interface Elision {
  readonly text: string;
  /** Where what stands in `[from, to)` of the whole name is in the text; a range that is left out is its ellipsis. */
  span(from: number, to: number): readonly [from: number, to: number];
}

/** Parts of a name that stay, in UTF-16 units of it, in order. */
type Kept = readonly Span[];
type Span = readonly [from: number, to: number];

/** The separators of a name's parts; a dash before a digit is mostly the sign of an exponent. */
const SEPARATOR = /[/_,\s]|-(?!\d)/u;

/** The name of the directory itself as a run, which shares nothing with others. */
const ROOT = ".";

/** Names that were elided for lists of any width. */
export interface Elisions {
  /** Characters of the longest name where there is room for all. */
  readonly longest: number;
  /** The names that `room` characters hold. All rooms have one of three results, each computed once. */
  within(room: number): ReadonlyMap<string, Elision>;
}

/**
 * Names up to 16 characters stay whole where there is room for them; longer ones, and those that do not fit, lose what all of
 * them share between separators. They are listed below a `folder`, whose name is left out without an ellipsis.
 */
export function elisionsOf(names: readonly string[], folder = ""): Elisions {
  const skipped = folder === "" ? 0 : folder.length + 1;
  const usual = elidedTo(OF_RUNS, names, skipped);
  const longest = longestOf([...usual.values()].map(({ text }) => text));
  const compared = names.filter((name) => name !== ROOT).map((name) => name.slice(skipped));
  // Names without their shared start keep their end where it fits.
  const start = sharedStart(compared, { ...OF_NARROW_LISTS, short: 0 });
  const longestRest = longestOf(compared) - start;
  const narrow = new Map<number, ReadonlyMap<string, Elision>>();
  return {
    longest,
    within: (room) => {
      if (longest <= room) {
        return usual;
      }
      const short = longestRest <= room ? longestRest : 0;
      const found = narrow.get(short) ?? elidedTo({ ...OF_NARROW_LISTS, short }, names, skipped);
      narrow.set(short, found);
      return found;
    },
  };
}

function longestOf(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}

/** `skipped`: characters that are left out at the beginning without an ellipsis. */
function elidedTo(limits: Limits, names: readonly string[], skipped: number): ReadonlyMap<string, Elision> {
  const compared = names.filter((name) => name !== ROOT).map((name) => name.slice(skipped));
  const start = sharedStart(compared, limits);
  // A shared start may leave nothing to cut at the ends.
  const rests = compared.map((name) => name.slice(start));
  const end = sharedEnd(rests, limits);
  const isLong = compared.some(({ length }) => length > limits.short);
  const inner = rests.map((rest) => rest.slice(0, rest.length - end));
  const between = isLong ? sharedBetween(inner, limits.middle) : null;
  return new Map(
    names.map((name) => {
      if (name === ROOT) {
        return [name, elisionOf(name, [[0, name.length]], 0)];
      }
      const [from, to] = [skipped + start, name.length - end];
      const kept: [number, number][] = [[from, to]];
      for (const [first, last] of between === null ? [] : between(name.slice(from, to))) {
        (kept.at(-1) as [number, number])[1] = from + first;
        kept.push([from + last, to]);
      }
      return [name, elisionOf(name, kept, skipped)];
    }),
  );
}

/** Finds the parts between separators that all names share, if all have the same number of parts; null without any. */
function sharedBetween(
  names: readonly string[],
  fewest: number,
): ((name: string) => (readonly [from: number, to: number])[]) | null {
  const [one, ...others] = names;
  const first = partsOf(one ?? "");
  let shared = [...first.keys()];
  for (const name of others) {
    if (shared.length === 0) {
      break;
    }
    const parts = partsOf(name);
    shared = parts.length === first.length ? shared.filter((i) => parts[i] === first[i]) : [];
  }
  const isShared = new Set(shared);
  // Neighboring gaps become one.
  const length = (i: number) => (first[i] as string).length;
  const runs = shared.flatMap((i) => {
    let [total, end] = [0, i];
    for (; isShared.has(end); end += 1) {
      total += length(end);
    }
    // The first part and the last differ, or they were left out already.
    const isBetween = i > 0 && end < first.length;
    return isShared.has(i - 1) || !isBetween || total < fewest ? [] : [{ part: i, total }];
  });
  if (others.length === 0 || runs.length === 0) {
    return null;
  }
  return (name) => {
    const ends = separatorEnds(name);
    return runs.map(({ part, total }) => {
      const from = ends[part - 1] as number;
      return [from, from + total] as const;
    });
  };
}

const SEPARATORS = new RegExp(SEPARATOR.source, "gu");

/** Where the parts of a name end, each with the separator behind it, but for the last. */
function separatorEnds(name: string): number[] {
  const ends: number[] = [];
  SEPARATORS.lastIndex = 0;
  while (SEPARATORS.test(name)) {
    ends.push(SEPARATORS.lastIndex);
  }
  return ends;
}

/** Each with the separator behind it. */
function partsOf(name: string): string[] {
  const ends = separatorEnds(name);
  // A separator at the very end begins no part.
  const last = ends.at(-1) === name.length && name !== "" ? ends.slice(0, -1) : ends;
  return [0, ...last].map((from, i) => name.slice(from, last[i] ?? name.length));
}

function elisionOf(name: string, kept: Kept, skipped: number): Elision {
  let [text, before] = ["", skipped];
  for (const [from, to] of kept) {
    text += `${from > before ? "…" : ""}${name.slice(from, to)}`;
    before = to;
  }
  const end = text.length;
  text += before < name.length ? "…" : "";
  return { text, span: (from, to) => spanIn(placesOf(kept, skipped), text, end, from, to) };
}

/** A part of a name, where it is in the text, and where the ellipsis before it is. */
interface KeptPlace {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly gap: number;
}

function placesOf(kept: Kept, skipped: number): KeptPlace[] {
  let [length, before] = [0, skipped];
  return kept.map(([from, to]) => {
    const gap = length;
    const at = gap + (from > before ? 1 : 0);
    [length, before] = [at + to - from, to];
    return { from, to, at, gap };
  });
}

/** `end`: where the last part ends in the text. */
function spanIn(
  places: readonly KeptPlace[],
  text: string,
  end: number,
  from: number,
  to: number,
): readonly [number, number] {
  const first = places.find((part) => from < part.to);
  const last = places.findLast((part) => to > part.from);
  const start = first === undefined ? end : from < first.from ? first.gap : first.at + (from - first.from);
  if (last === undefined) {
    return [start, places[0]?.at ?? 0];
  }
  const next = places[places.indexOf(last) + 1];
  const isInGap = to > last.to;
  return [start, isInGap ? (next?.at ?? text.length) : last.at + (to - last.from)];
}

/** The width of a text, in characters or CSS pixels. */
export type Measure = (text: string) => number;

/** How names are cut: from their part of this number on, which has this share of the room. Their ends have the rest. */
interface Cut {
  readonly part: number;
  readonly share: number;
}

/** The values of a sweep differ at the beginning. */
const USUAL_CUT: Cut = { part: 0, share: 0.6 };
/** All ways to cut, the preferred ones first: a list gets the first that leaves the fewest names alike. */
const CUTS: readonly Cut[] = [
  USUAL_CUT,
  { part: 0, share: 1 },
  { part: 0, share: 0.3 },
  ...[1, 2, 3, 4, 5].flatMap((part) => [1, 0.8].map((share) => ({ part, share }))),
  // A first character, which tells "adam" from "sgd", and the end; or the end alone.
  { part: 0, share: 0.05 },
  { part: 0, share: 0 },
];
/** Names of a list by which its cut is chosen. */
const MAX_SAMPLE = 200;
/** Names that differ keep at least as many UTF-16 units where they do: a character of two, whichever of them differs. */
const MIN_PART = 2;
/** Each round splits the names that read alike; the rest, which only arbitrary names need, get numbers. */
const MAX_ROUNDS = 12;

/**
 * Names in at most `room`, so that no two that differ read alike: whole, or all cut in one way. Names that it does not tell
 * apart keep the part in which they differ, and in too little room for that a number.
 */
export function fittedNames(names: readonly string[], room: number, measure: Measure): ReadonlyMap<string, Elision> {
  const kept = inOneCut(names, (name, by) => withoutMiddle(name, room, measure, by));
  const fitted = new Map([...tellApart(kept, room, measure)].map(([name, parts]) => [name, elisionOf(name, parts, 0)]));
  const taken = new Set<string>();
  let number = 0;
  for (const [name, { text }] of fitted) {
    let own = text;
    while (taken.has(own)) {
      number += 1;
      own = `…${number}`;
    }
    taken.add(own);
    if (own !== text) {
      fitted.set(name, { text: own, span: () => [0, own.length] });
    }
  }
  return fitted;
}

/** Change what names that read alike keep, to where they differ. */
function tellApart(kept: Map<string, Kept>, room: number, measure: Measure): Map<string, Kept> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const byText = new Map<string, string[]>();
    for (const [name, parts] of kept) {
      const { text } = elisionOf(name, parts, 0);
      const group = byText.get(text);
      if (group === undefined) {
        byText.set(text, [name]);
      } else {
        group.push(name);
      }
    }
    const alike = [...byText.values()].filter(({ length }) => length > 1);
    if (alike.length === 0) {
      break;
    }
    for (const group of alike) {
      for (const [name, part] of aroundDifference(group, room, measure)) {
        kept.set(name, [part]);
      }
    }
  }
  return kept;
}

/** The parts that names keep in the first cut that leaves the fewest of them alike. */
function inOneCut(names: readonly string[], keep: (name: string, by: Cut) => Kept): Map<string, Kept> {
  const sample = [...new Set(names)].slice(0, MAX_SAMPLE);
  let [best, most] = [USUAL_CUT, 0];
  for (const by of CUTS) {
    const apart = new Set(sample.map((name) => elisionOf(name, keep(name, by), 0).text)).size;
    if (apart > most) {
      [best, most] = [by, apart];
    }
    if (most === sample.length) {
      break;
    }
  }
  return new Map(names.map((name) => [name, keep(name, best)]));
}

/** Where a part of a name begins, or its last one. */
function startOf(name: string, { part }: Cut): number {
  const ends = part === 0 ? [] : separatorEnds(name);
  return ends[Math.min(part, ends.length) - 1] ?? 0;
}

function withoutMiddle(name: string, room: number, measure: Measure, by: Cut): Kept {
  if (measure(name) <= room) {
    return [[0, name.length]];
  }
  const begin = startOf(name, by);
  const cut = (length: number): Kept => {
    const from = Math.min(begin, name.length - length);
    const ahead = from + Math.ceil(by.share * length);
    const behind = name.length - (from + length - ahead);
    return ahead >= behind
      ? [trimmed(name, from, name.length)]
      : [trimmed(name, from, ahead), trimmed(name, behind, name.length)];
  };
  const fits = (length: number) => measure(elisionOf(name, cut(length), 0).text) <= room;
  return cut(bisect(1, name.length, fits) - 1);
}

/** The same part of names that begin alike, from before the first character in which they differ. */
function aroundDifference(names: readonly string[], room: number, measure: Measure): [string, Span][] {
  const [first = ""] = names;
  let same = first.length;
  for (const name of names) {
    let at = 0;
    while (at < same && name[at] === first[at]) {
      at += 1;
    }
    same = at;
  }
  const longest = longestOf(names);
  const parts = (length: number) => {
    // Where a word or a number begins, if there is room; a name that is the beginning of another keeps something.
    const least = Math.max(0, same - (length >> 1));
    const word = least === 0 ? 0 : Math.max(0, first.slice(least - 1, same).search(/[^\p{L}\p{N}.][\p{L}\p{N}]/u));
    const from = Math.max(0, Math.min(least + word, longest - length));
    return names.map((name): [string, Span] => [name, trimmed(name, from, Math.min(name.length, from + length))]);
  };
  const fits = (length: number) =>
    parts(length).every(([name, part]) => measure(elisionOf(name, [part], 0).text) <= room);
  return parts(Math.max(MIN_PART, bisect(1, longest + 1, fits) - 1));
}

/** A part of a name with whole characters. A gap beside it takes its dots, which would read as more of the ellipsis. */
function trimmed(name: string, start: number, end: number): Span {
  const from = start + (splitsCharacter(name, start) || (start > 0 && isDot(name[start])) ? 1 : 0);
  const to = end - (splitsCharacter(name, end) || (end < name.length && isDot(name[end - 1])) ? 1 : 0);
  return [Math.min(from, end), Math.max(from, to)];
}

function isDot(character: string | undefined): boolean {
  return character === "…" || character === ".";
}
