// The language of all texts, and how counts are said in it.

/** The language of all texts, as Intl knows it; it also says in which order days and months stand. */
export const LANGUAGE = "en-GB";

/** The direction in which it is written, whatever that of the page: else "-5 of 21 problems" would stand the other way round. */
export const DIRECTION = "ltr";

/** Breaks no line. */
export const NARROW_SPACE = "\u202f";

const plurals = new Intl.PluralRules(LANGUAGE);
export const lists = new Intl.ListFormat(LANGUAGE, { type: "unit", style: "short" });

/** A count with its noun; `n` is the count as it is written. */
export function counted(count: number, n: string, one: string, other: string): string {
  return `${n} ${plurals.select(count) === "one" ? one : other}`;
}
