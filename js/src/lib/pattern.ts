// The filters' regular expressions.

import { mayHang } from "./hanging";
import { strings } from "./strings";

/** Milliseconds that a filter may take for all names together. */
const MOST_TIME = 200;

export interface Pattern {
  matches(name: string): boolean;
  /** What is wrong with the text, if it is no regular expression or takes too long; everything matches then. */
  readonly error: string | null;
}

const all = () => true;

export const TOO_SLOW: Pattern = { matches: all, error: strings.tooSlow };

/**
 * Found anywhere in a name, upper and lower case alike; an empty text matches every name. `slow` is called once when the
 * pattern has taken too long: from then on everything matches.
 */
export function compilePattern(text: string, slow?: () => void): Pattern {
  if (text === "") {
    return { matches: all, error: null };
  }
  try {
    const expression = new RegExp(text, "i");
    return mayHang(text) ? TOO_SLOW : { matches: timed(expression, slow), error: null };
  } catch (error) {
    // Engines put the expression before the reason: "Invalid regular expression: /(/i: Unterminated group".
    const message = error instanceof Error ? error.message : String(error);
    return { matches: all, error: message.slice(message.lastIndexOf(": ") + 1).trim() };
  }
}

/** Tests each name once, until the time is used up. */
function timed(expression: RegExp, slow?: () => void): (name: string) => boolean {
  const known = new Map<string, boolean>();
  let left = MOST_TIME;
  return (name) => {
    if (left <= 0) {
      return true;
    }
    const before = known.get(name);
    if (before !== undefined) {
      return before;
    }
    const start = performance.now();
    const found = expression.test(name);
    left -= performance.now() - start;
    known.set(name, found);
    if (left <= 0) {
      slow?.();
    }
    return found;
  };
}
