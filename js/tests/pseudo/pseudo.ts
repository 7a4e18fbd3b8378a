// The pseudo-locale: the English texts, each between ⟦ and ⟧. Visible text without brackets is in no table.

import type { Entry } from "../../src/lib/texts";

export const PSEUDO = "en-XA";

const BEGIN = "⟦";
const END = "⟧";

function bracketed(text: string): string {
  return text === "" ? "" : `${BEGIN}${text}${END}`;
}

function wrapped(entry: unknown): unknown {
  if (typeof entry === "string") {
    return bracketed(entry);
  }
  if (typeof entry === "function") {
    return (...values: readonly unknown[]) => bracketed(entry(...values));
  }
  if (Array.isArray(entry)) {
    return entry.map(wrapped);
  }
  return Object.fromEntries(Object.entries(entry as object).map(([name, value]) => [name, wrapped(value)]));
}

/** The same table with all its texts, and all results of its functions, in brackets. */
export function pseudoTable<T extends Readonly<Record<string, Entry>>>(english: T): T {
  return wrapped(english) as T;
}
