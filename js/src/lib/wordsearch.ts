// Finds names by words that are typed, among very many names with each key press: the beginning of a name counts most, then the
// beginning of a word in it, then any place, then the beginnings of several words: "vacc" finds "validation/accuracy".
//
// The work is bounded: it grows with the characters of the names, whatever is typed.

/** Characters of what is typed, and of a name, that are looked at. */
export const MAX_QUERY_CHARACTERS = 100;
const MAX_NAME_CHARACTERS = 400;

/** Characters of a word whose pieces may be spread over several words: one bit each. */
const MAX_SPREAD_CHARACTERS = 30;

/** Places that are tried before one that begins a word is given up. */
const MAX_PLACES = 8;

/** How well a word matches; the less, the better. */
const RANK = { whole: 0, start: 1, wordStart: 2, context: 3, inside: 4, spread: 6 } as const;

/** The rank of a name that is not found. */
export const NOT_FOUND = -1;

/** From, to: a part of a name that was found. */
type Part = readonly [from: number, to: number];

/** One word of a query. */
class Word {
  readonly text: string;
  /** By character code: bit i is set where character i of the word is that one. */
  readonly #places: ReadonlyMap<number, number> | null;
  /** By context: whether it holds the word. Names share a few. */
  readonly #contexts = new Map<string, boolean>();

  constructor(text: string) {
    this.text = text;
    const places = new Map<number, number>();
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      places.set(code, (places.get(code) ?? 0) | (1 << i));
    }
    this.#places = text.length >= 2 && text.length <= MAX_SPREAD_CHARACTERS ? places : null;
  }

  rank(name: string, lower: string, context: string): number {
    const at = this.#find(name, lower);
    if (at === 0) {
      return lower.length === this.text.length ? RANK.whole : RANK.start;
    }
    if (at > 0 && beginsWord(name, at)) {
      return RANK.wordStart;
    }
    if (this.isIn(context)) {
      return RANK.context;
    }
    return at > 0 ? RANK.inside : this.#isSpread(name, lower) ? RANK.spread : NOT_FOUND;
  }

  /** The parts of a name that it matches; none where it matches the context alone. */
  parts(name: string, lower: string): readonly Part[] {
    const at = this.#find(name, lower);
    if (at >= 0) {
      return [[at, at + this.text.length]];
    }
    return this.#spreadParts(name, lower);
  }

  /** Where it stands: at the beginning of a word, if it does anywhere; -1 where it does not stand. */
  #find(name: string, lower: string): number {
    const first = lower.indexOf(this.text);
    for (let at = first, i = 0; at >= 0 && i < MAX_PLACES; at = lower.indexOf(this.text, at + 1), i += 1) {
      if (beginsWord(name, at)) {
        return at;
      }
    }
    return first;
  }

  /** Whether it begins a word of a context. */
  isIn(context: string): boolean {
    let found = this.#contexts.get(context);
    if (found === undefined) {
      const at = this.#find(context, lowered(context));
      found = at >= 0 && beginsWord(context, at);
      this.#contexts.set(context, found);
    }
    return found;
  }

  /** Whether its pieces begin words of the name, in this order. Bit i of a set: the first i characters have been found. */
  #isSpread(name: string, lower: string): boolean {
    if (this.#places === null) {
      return false;
    }
    const all = 1 << this.text.length;
    let [reached, adjacent] = [1, 0];
    for (let at = 0; at < lower.length && reached < all; at += 1) {
      const places = this.#places.get(lower.charCodeAt(at)) ?? 0;
      const from = places === 0 ? 0 : adjacent | (beginsWord(name, at) ? reached : 0);
      adjacent = (from & places) << 1;
      reached |= adjacent;
    }
    return reached >= all;
  }

  #spreadParts(name: string, lower: string): readonly Part[] {
    if (!this.#isSpread(name, lower)) {
      return [];
    }
    const { text } = this;
    /** By place: how many characters may have been found when the last of them stands there, as bits. */
    const ends: number[] = [];
    let [reached, adjacent] = [1, 0];
    for (let at = 0; at < lower.length; at += 1) {
      const places = this.#places?.get(lower.charCodeAt(at)) ?? 0;
      adjacent = ((adjacent | (beginsWord(name, at) ? reached : 0)) & places) << 1;
      reached |= adjacent;
      ends.push(adjacent);
    }
    const found: Part[] = [];
    let [left, at] = [text.length, lower.length - 1];
    while (left > 0 && at >= 0) {
      if (((ends[at] as number) & (1 << left)) === 0) {
        at -= 1;
        continue;
      }
      const end = at + 1;
      left -= 1;
      while (left > 0 && !beginsWord(name, at)) {
        at -= 1;
        left -= 1;
      }
      found.unshift([at, end]);
      at -= 1;
    }
    return found;
  }
}

/** The typed text. */
export class WordQuery {
  readonly #words: readonly Word[];

  constructor(text: string) {
    const words = lowered(text.slice(0, MAX_QUERY_CHARACTERS)).split(/\s+/).filter(Boolean);
    this.#words = words.map((word) => new Word(word));
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /** Whether one of its words begins a word of a context. */
  isAbout(context: string): boolean {
    return this.#words.some((word) => word.isIn(context));
  }

  /**
   * How well a name matches, less for better; `NOT_FOUND` where a word of the query stands neither in it nor in its context.
   * `lower` is `lowered(name)`.
   */
  rank(name: string, lower: string, context = ""): number {
    let sum = 0;
    for (const word of this.#words) {
      const rank = word.rank(name, lower, context);
      if (rank === NOT_FOUND) {
        return NOT_FOUND;
      }
      sum += rank;
    }
    return sum;
  }

  /** The parts of a name that were found, in order and without overlaps. */
  parts(name: string): Part[] {
    const lower = lowered(name);
    const parts = this.#words.flatMap((word) => word.parts(name, lower)).sort((a, b) => a[0] - b[0]);
    const joined: [number, number][] = [];
    for (const [from, to] of parts) {
      const last = joined.at(-1);
      if (last !== undefined && from <= last[1]) {
        last[1] = Math.max(last[1], to);
      } else {
        joined.push([from, to]);
      }
    }
    return joined;
  }
}

/** In lower case, of the same length, and not longer than what is looked at. */
export function lowered(name: string): string {
  const text = name.length > MAX_NAME_CHARACTERS ? name.slice(0, MAX_NAME_CHARACTERS) : name;
  const lower = text.toLowerCase();
  // Some capitals have longer small letters: places would not be those of the name.
  return lower.length === text.length ? lower : text;
}

/** Whether a word begins at a place: after anything but a letter or digit, at a capital after a small letter, at a number. */
function beginsWord(name: string, at: number): boolean {
  if (at === 0) {
    return true;
  }
  const [before, here] = [kindOf(name.charCodeAt(at - 1)), kindOf(name.charCodeAt(at))];
  return here !== "other" && here !== before && !(here === "small" && before === "capital");
}

function kindOf(code: number): "small" | "capital" | "digit" | "other" {
  if (code >= 97 && code <= 122) {
    return "small";
  }
  if (code >= 65 && code <= 90) {
    return "capital";
  }
  return code >= 48 && code <= 57 ? "digit" : code >= 128 ? "small" : "other";
}
