// Values as literals of Python: each has the same value there, whatever it holds.

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

/** Any value as an expression of Python: a literal, but for `float("nan")` and `float("inf")`, which have none. */
export function pythonValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return pythonLiteral(value);
    case "boolean":
      return value ? "True" : "False";
    case "bigint":
      return value.toString();
    case "number":
      return pythonNumber(value);
    default:
      break;
  }
  if (Array.isArray(value)) {
    return `[${value.map(pythonValue).join(", ")}]`;
  }
  if (value instanceof Set) {
    return value.size === 0 ? "set()" : `{${[...value].map(pythonValue).join(", ")}}`;
  }
  if (typeof value !== "object" || value === null) {
    return "None";
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{${entries.map(([key, one]) => `${pythonValue(key)}: ${pythonValue(one)}`).join(", ")}}`;
}

function pythonNumber(value: number): string {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? "nan" : "inf";
    return `${value < 0 ? "-" : ""}float("${name}")`;
  }
  return Object.is(value, -0) ? "-0.0" : String(value);
}
