// Leaves out what all names share, at their beginnings, in their middles or at their ends: it tells none from another.

/** Names up to `short` characters are shown whole, and beginnings shorter than `fewest` are not worth leaving out. */
interface Limits {
  readonly short: number;
  readonly fewest: number;
}

const OF_CARDS: Limits = { short: 24, fewest: 12 };
/** Runs stand in lists and legends, where space is scarce. */
const OF_RUNS: Limits = { short: 16, fewest: 5 };
/** Below the name of their group, with which most of them begin. */
const OF_GROUP: Limits = { short: 8, fewest: 4 };
/** A shared middle shorter than this is not worth leaving out. */
const MIN_MIDDLE = 6;
/** The same of what all end with, "seed=0" say: it is left out where space is scarce. */
const MAX_UNCUT_END = 16;
const MIN_END = 5;
/** Of folders alone, which tell no more than the path in the header does. */
const MIN_FOLDERS = 5;

/** Whether the text, cut at this UTF-16 unit, would lose a character: one of two units, which neither of them is alone. */
export function splitsCharacter(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}

/** How many characters all names begin with alike, up to a separator; 0 where that is not worth leaving out. */
export function sharedStart(names: readonly string[], { short, fewest } = OF_CARDS): number {
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
  const starts = [/^.*\//su, /^.*[/_,\s-]/su].map((separated) => separated.exec(same)?.[0].length ?? 0);
  const [folders = 0] = starts;
  return starts.find((start) => start >= fewest) ?? (folders >= MIN_FOLDERS ? folders : 0);
}

/** How many characters all names end with alike, from a separator on; 0 where that is not worth leaving out. */
export function sharedEnd(names: readonly string[]): number {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0 || names.every((name) => name.length <= MAX_UNCUT_END)) {
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
  return end >= MIN_END && names.every((name) => name.length > end) ? end : 0;
}

/** A name without what it shares with the others: so many characters at its beginning. */
export function shortened(name: string, shared: number): string {
  return shared > 0 ? `…${name.slice(shared)}` : name;
}

/** A name without what it shares with others. */
export interface Elision {
  readonly text: string;
  /** Where what stands in `[from, to)` of the whole name is in the text; a range that is left out is its ellipsis. */
  span(from: number, to: number): readonly [from: number, to: number];
}

/** Parts of a name that stay, in UTF-16 units of it, in order. */
type Kept = readonly (readonly [from: number, to: number])[];

/** The separators of a name's parts; a dash before a digit is mostly the sign of an exponent. */
const SEPARATOR = /[/_,\s]|-(?!\d)/u;

/** The name of the directory itself as a run, which shares nothing with others. */
const ROOT = ".";

/**
 * Names without what all of them share. `folder`: they are listed below this folder, whose name is left out without an
 * ellipsis; null: below nothing.
 */
export function elided(names: readonly string[], folder: string | null = null): ReadonlyMap<string, Elision> {
  const skipped = folder === null || folder === "" ? 0 : folder.length + 1;
  const compared = names.filter((name) => name !== ROOT).map((name) => name.slice(skipped));
  const limits = folder === null ? OF_RUNS : OF_GROUP;
  const start = sharedStart(compared, limits);
  // A shared start may leave nothing to cut at the ends.
  const rests = compared.map((name) => name.slice(start));
  const end = sharedEnd(rests);
  const isLong = compared.some(({ length }) => length > limits.short);
  const between = sharedBetween(!isLong ? [] : rests.map((rest) => rest.slice(0, rest.length - end)));
  return new Map(
    names.map((name) => {
      if (name === ROOT) {
        return [name, elisionOf(name, [[0, name.length]], 0)];
      }
      const [from, to] = [skipped + start, name.length - end];
      const gaps = between(name.slice(from, to)).map(([first, last]) => [from + first, from + last] as const);
      const edges = [from, ...gaps.flat(), to];
      const kept = Array.from(
        { length: edges.length / 2 },
        (_, i) => [edges[2 * i], edges[2 * i + 1]] as [number, number],
      );
      return [name, elisionOf(name, kept, skipped)];
    }),
  );
}

/** Finds the parts between separators that all names share, if all have the same number of parts. */
function sharedBetween(names: readonly string[]): (name: string) => (readonly [from: number, to: number])[] {
  const parts = names.map((name) => partsOf(name));
  const [first = [], ...others] = parts;
  if (others.length === 0 || others.some(({ length }) => length !== first.length)) {
    return () => [];
  }
  const isShared = first.map((part, i) => others.every((other) => other[i] === part));
  return (name) => {
    const found: [number, number][] = [];
    let at = 0;
    for (const [i, { length }] of partsOf(name).entries()) {
      const last = found.at(-1);
      if (isShared[i] && last?.[1] === at) {
        last[1] = at + length;
      } else if (isShared[i]) {
        found.push([at, at + length]);
      }
      at += length;
    }
    // The first part and the last differ, or they were left out already.
    return found.filter(([from, to]) => from > 0 && to < name.length && to - from >= MIN_MIDDLE);
  };
}

/** Each with the separator behind it. */
function partsOf(name: string): string[] {
  return name.split(new RegExp(`(?<=${SEPARATOR.source})`, "u"));
}

function elisionOf(name: string, kept: Kept, skipped: number): Elision {
  let text = "";
  let before = skipped;
  const places: { readonly from: number; readonly to: number; readonly at: number; readonly gap: number }[] = [];
  for (const [from, to] of kept) {
    const gap = text.length;
    text += from > before ? "…" : "";
    places.push({ from, to, at: text.length, gap });
    text += name.slice(from, to);
    before = to;
  }
  const end = text.length;
  text += before < name.length ? "…" : "";
  return {
    text,
    span: (from, to) => {
      const first = places.find((part) => from < part.to);
      const last = places.findLast((part) => to > part.from);
      const start = first === undefined ? end : from < first.from ? first.gap : first.at + (from - first.from);
      if (last === undefined) {
        return [start, places[0]?.at ?? 0];
      }
      const next = places[places.indexOf(last) + 1];
      const isInGap = to > last.to;
      return [start, isInGap ? (next?.at ?? text.length) : last.at + (to - last.from)];
    },
  };
}
