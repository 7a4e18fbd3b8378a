// What the kernel says for people, worded in the language of the page. Its codes and arguments are those of tbwidget/reasons.py.
//
// The language may change later: arriving entries have their reason as a getter, which words it whenever it is read. A component
// that reads it while rendering follows the language; a copy of the text would keep the old one.

import { commonTexts } from "../lib/commontexts";
import { formatBytes, formatCount, formatValue } from "../lib/format";
import { language, type PluralForms, plural } from "../lib/texts";
import { isRow, type Row } from "./columns";

/**
 * Templates by code. `{n}` stands for the argument n, `{n:size}` for a number of bytes, `{n:name}` for a quoted name, `{n:,}`
 * for a count, and `{n:count one=point|other=points}` for a count with its noun. A text under `n:value` stands for that value of
 * the argument n, such as the name of a kind.
 */
type Templates = Readonly<Record<string, string>>;

/** By language. English needs none: the kernel sends its own text with each code. */
export const reasonTemplates = new Map<string, Templates>();

/** The text of a reason as it travels, with its code and arguments; null where there is no text. */
export function reasonIn(row: Row): string | null {
  const { reason, code, arguments: args } = row;
  return typeof reason === "string" ? (worded(code, args) ?? reason) : null;
}

/** The texts of a list of reasons; whatever is none is left out. */
export function reasonsIn(rows: unknown): string[] {
  return Array.isArray(rows) ? rows.flatMap((one) => (isRow(one) ? (reasonIn(one) ?? []) : [])) : [];
}

/** An entry with its reason, which `write` words whenever it is read. A copy of the entry by `...` would keep one text. */
export function withReason<T extends object, R extends string | null>(
  entry: T,
  write: () => R,
): T & { readonly reason: R } {
  return Object.defineProperty(entry as T & { readonly reason: R }, "reason", { get: write, enumerable: true });
}

/** An error whose message is worded whenever it is read. */
export class WordedError extends Error {
  constructor(message: () => string) {
    super();
    Object.defineProperty(this, "message", { get: message });
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The text of a code in the language of the page; null where that has none, or the arguments are others. */
export function worded(code: unknown, args: unknown): string | null {
  const templates = reasonTemplates.get(language());
  if (templates === undefined || typeof code !== "string" || !Object.hasOwn(templates, code) || !isRow(args)) {
    return null;
  }
  let isComplete = true;
  const text = templates[code]?.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name: string, form = "") => {
    const said = Object.hasOwn(args, name) ? argumentText(args, name, form) : null;
    isComplete &&= said !== null;
    return said ?? "";
  });
  return isComplete ? (text ?? null) : null;
}

function argumentText(args: Row, name: string, form: string): string | null {
  const value = args[name];
  if (typeof value === "number") {
    if (form === "size") {
      return formatBytes(value);
    }
    if (form.startsWith("count ")) {
      const forms = Object.fromEntries(form.slice("count ".length).split("|").map(pair)) as unknown as PluralForms;
      return `${formatCount(value)} ${plural(value, forms)}`;
    }
    return form === "," && Number.isInteger(value) ? formatCount(value) : formatValue(value);
  }
  if (Array.isArray(value)) {
    // A shape.
    return `[${value.join(", ")}]`;
  }
  if (typeof value !== "string") {
    return null;
  }
  const templates = reasonTemplates.get(language());
  const own = worded(args[`${name}_code`], args[`${name}_arguments`]) ?? templates?.[`${name}:${value}`] ?? value;
  return form === "name" ? commonTexts().quoted(own) : own;
}

function pair(text: string): [string, string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}
