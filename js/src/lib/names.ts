// Leaves out the beginning that all names share: it tells none of them from another.

/** Names up to this many characters are shown whole, and beginnings shorter than that are not worth leaving out. */
const SHORT = 24;
const FEWEST = 12;
/** The same of what all end with, "seed=0" say: it is left out where space is scarce. */
const SHORT_WITH_END = 16;
const FEWEST_AT_THE_END = 5;
/** Of folders alone, which tell no more than the path in the header does. */
const FEWEST_OF_FOLDERS = 5;

/** Whether the text, cut at this UTF-16 unit, would lose a character: one of two units, which neither of them is alone. */
export function splitsCharacter(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}

/** How many characters all names begin with alike, up to a separator; 0 where that is not worth leaving out. */
export function sharedStart(names: readonly string[]): number {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0 || names.every((name) => name.length <= SHORT)) {
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
  const same = first.slice(0, length);
  // A part of a path stays whole, if that leaves out enough: "layer_0" rather than "0".
  const starts = [/^.*\//su, /^.*[/_,\s-]/su].map((separated) => separated.exec(same)?.[0].length ?? 0);
  const [folders = 0] = starts;
  return starts.find((start) => start >= FEWEST) ?? (folders >= FEWEST_OF_FOLDERS ? folders : 0);
}

/** How many characters all names end with alike, from a separator on; 0 where that is not worth leaving out. */
export function sharedEnd(names: readonly string[]): number {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0 || names.every((name) => name.length <= SHORT_WITH_END)) {
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
  return end >= FEWEST_AT_THE_END ? end : 0;
}

/** A name without what it shares with the others: so many characters at its beginning. */
export function shortened(name: string, shared: number): string {
  return shared > 0 ? `…${name.slice(shared)}` : name;
}
