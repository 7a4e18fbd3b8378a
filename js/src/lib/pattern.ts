// The text of a filter, judged before any name is matched: regular expressions can take forever, and none can be interrupted.

/** The fault of an invalid regular expression. */
export type PatternFault =
  | "openGroup"
  | "closedGroup"
  | "openClass"
  | "nothingToRepeat"
  | "loneBackslash"
  | "orderOfNumbers"
  | "orderOfRange"
  | "badGroup"
  | "badName"
  | "other";

export type ParsedPattern =
  /** Empty: every name matches. */
  | { readonly type: "all" }
  /** Matches in a time that grows no faster than pattern × names; safe to run anywhere. */
  | { readonly type: "bounded"; readonly expression: RegExp }
  /** May backtrack: to be run only where it can be ended. */
  | { readonly type: "unbounded" }
  | { readonly type: "invalid"; readonly fault: PatternFault };

/**
 * Without quantifiers, groups and references to them, each alternative has one length, and is tried once at each place.
 * That leaves plain characters, escapes, classes, anchors and alternatives of the whole expression.
 */
const BOUNDED = /^(?:[^\\[\](){}*+?]|\\[^\dkpPxuc]|\[(?:[^\\\]]|\\[^\dkpPxuc])*\])*$/s;

/** Messages of engines (V8; SpiderMonkey; JavaScriptCore), and the faults that they mean. */
const FAULTS: readonly (readonly [RegExp, PatternFault])[] = [
  [/unterminated group|unterminated parenthetical|missing \)/i, "openGroup"],
  [/unmatched/i, "closedGroup"],
  [/character class.*(?:missing|unterminated)|(?:missing|unterminated).*character class/i, "openClass"],
  [/nothing to repeat/i, "nothingToRepeat"],
  [/\\ at end/i, "loneBackslash"],
  [/numbers out of order/i, "orderOfNumbers"],
  [/range out of order|invalid range/i, "orderOfRange"],
  [/invalid (?:regexp )?group|unrecognized character after \(\?/i, "badGroup"],
  [/group (?:name|specifier)|named (?:reference|capture)/i, "badName"],
];

/** Filters are found anywhere in a name, upper and lower case alike. */
export const PATTERN_FLAGS = "i";

export function parsePattern(text: string, flags = PATTERN_FLAGS): ParsedPattern {
  if (text === "") {
    return { type: "all" };
  }
  try {
    // The expression is only parsed here; engines match no name before they are asked to.
    const expression = new RegExp(text, flags);
    return BOUNDED.test(text) ? { type: "bounded", expression } : { type: "unbounded" };
  } catch (error) {
    return { type: "invalid", fault: faultOf(error instanceof Error ? error.message : "", text) };
  }
}

function faultOf(message: string, text: string): PatternFault {
  // Engines put the expression before the reason: "Invalid regular expression: /(/i: Unterminated group".
  const reason = message.replace(`/${text}/`, "");
  return FAULTS.find(([expression]) => expression.test(reason))?.[1] ?? "other";
}

/** Where no regular expression can be run safely: whether `text` itself stands in the name. */
export function containsText(text: string): (name: string) => boolean {
  const searched = text.toLowerCase();
  return (name) => name.toLowerCase().includes(searched);
}
