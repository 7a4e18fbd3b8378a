// A text as a literal of Python: its value in Python is the text, whatever it holds.

/** Characters that are written as they are: visible ones, and the space. */
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const NAMED: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The literal, as `repr` quotes it. Control characters, marks of direction and lone surrogates are escapes. */
export function pythonLiteral(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const written = Array.from(text, (character) => {
    if (character === quote) {
      return `\\${quote}`;
    }
    return NAMED[character] ?? (VISIBLE.test(character) ? character : escaped(character.codePointAt(0) as number));
  });
  return quote + written.join("") + quote;
}

function escaped(code: number): string {
  const digits = code.toString(16);
  return code < 0x100
    ? `\\x${digits.padStart(2, "0")}`
    : code < 0x10000
      ? `\\u${digits.padStart(4, "0")}`
      : `\\U${digits.padStart(8, "0")}`;
}
