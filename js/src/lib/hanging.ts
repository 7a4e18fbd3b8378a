// Regular expressions that may take for ever, told by their text: no engine can be stopped in the middle of a name.

/** Times that what matches in several ways may be repeated. */
const MOST_TIMES = 3;

/** Repetitions without an end that may follow one another; each multiplies the time by the length of the name. */
const MOST_REPEATS = 5;

interface Group {
  /** Something in it matches in several lengths: repeated, it matches one text in very many ways. */
  varies: boolean;
  /** Characters that its alternatives begin with; null for one that is no plain character. */
  readonly begins: (string | null)[];
}

/** Whether `text`, a regular expression, repeats what can match one text in several ways, as (a+)+ and (a|a)* do. */
export function mayHang(text: string): boolean {
  const open: Group[] = [opened(text, 0)];
  let closed: Group | null = null;
  let repeats = 0;
  for (let i = 0; i < text.length; i += 1) {
    const rest = text.slice(i);
    const [quantifier, most] = quantifierAt(rest);
    const inner = open.at(-1) as Group;
    if (quantifier > 0) {
      // Optional is not repeated, but varies.
      if (most > MOST_TIMES && closed !== null && (closed.varies || isAmbiguous(closed))) {
        return true;
      }
      repeats += most === Number.POSITIVE_INFINITY ? 1 : 0;
      inner.varies ||= !/^\{\d+\}/.test(rest);
      closed = null;
      i += quantifier - 1;
      continue;
    }
    closed = null;
    const [character] = rest;
    if (character === "\\") {
      i += 1;
    } else if (character === "[") {
      i += (/^\[(?:\\.|[^\]\\])*\]/s.exec(rest)?.[0].length ?? 1) - 1;
    } else if (character === "(") {
      const head = /^\((?:\?(?:<?[=!]|:|<[^>]*>))?/.exec(rest)?.[0].length ?? 1;
      open.push(opened(text, i + head));
      i += head - 1;
    } else if (character === "|") {
      inner.begins.push(beginning(text, i + 1));
    } else if (character === ")" && open.length > 1) {
      closed = open.pop() as Group;
      const outer = open.at(-1) as Group;
      outer.varies ||= closed.varies || isAmbiguous(closed);
    }
  }
  return repeats > MOST_REPEATS;
}

function opened(text: string, at: number): Group {
  return { varies: false, begins: [beginning(text, at)] };
}

function beginning(text: string, at: number): string | null {
  const character = text.charAt(at).toLowerCase();
  return /[\w\-/ ]/.test(character) ? character : null;
}

/** Whether two alternatives may match the same. */
function isAmbiguous({ begins }: Group): boolean {
  return begins.length > 1 && (begins.includes(null) || new Set(begins).size < begins.length);
}

/** Length of the quantifier that a text begins with, and how often it repeats at most; 0 if there is none. */
function quantifierAt(rest: string): [number, number] {
  const [whole, braces, upper] = /^(?:[*+?]|\{\d+(,(\d*))?\})\??/.exec(rest) ?? [""];
  if (whole === "" || whole.startsWith("?")) {
    return [whole.length, 1];
  }
  if (!whole.startsWith("{")) {
    return [whole.length, Number.POSITIVE_INFINITY];
  }
  const most =
    braces === undefined ? Number.parseInt(whole.slice(1), 10) : upper ? Number(upper) : Number.POSITIVE_INFINITY;
  return [whole.length, most];
}
