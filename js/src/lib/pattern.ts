// The filters' regular expressions.

export interface Pattern {
  matches(name: string): boolean;
  /** What is wrong with the text, if it is no regular expression; everything matches then. */
  readonly error: string | null;
}

/** Found anywhere in a name, upper and lower case alike; an empty text matches every name. */
export function compilePattern(text: string): Pattern {
  if (text === "") {
    return { matches: () => true, error: null };
  }
  try {
    const expression = new RegExp(text, "i");
    return { matches: (name) => expression.test(name), error: null };
  } catch (error) {
    // Engines put the expression before the reason: "Invalid regular expression: /(/i: Unterminated group".
    const message = error instanceof Error ? error.message : String(error);
    return { matches: () => true, error: message.slice(message.lastIndexOf(": ") + 1).trim() };
  }
}
