// The language of the interface: its texts, plurals, lists and dates.

import { signal } from "@preact/signals";

/** Makes the table of another language from the English one. Tests read every text by one. */
type Derive = <T extends Table>(english: T) => T;

/** The languages that have tables. Keep them equal to those of `language` in tbwidget/options/common.py. */
export const LANGUAGES = ["en", "ko"] as const;

/** With those that tests add. */
const languages = new Map<string, Derive | null>(LANGUAGES.map((name) => [name, null]));

const current = signal("en");

/** Which of a language's variants writes dates. */
const LOCALES: Readonly<Record<string, string>> = { en: "en-GB", ko: "ko-KR" };

/** Adds a language without tables of its own. */
export function deriveLanguage(name: string, derive: Derive): void {
  languages.set(name, derive);
}

/**
 * Sets the language: the one that the user chose, else the page's, else the browser's; English where none of them has tables.
 * All dashboards of a page share it, since they share one evaluated script: the last one that sets it decides.
 */
export function setLanguage(chosen: string | null): void {
  const page = globalThis.document?.documentElement?.lang;
  const names = [chosen, page, globalThis.navigator?.language].map((name) => name ?? "");
  const known = names.flatMap((name) => [name, name.split("-")[0] ?? ""]).find((name) => languages.has(name));
  current.value = known ?? "en";
}

/** Breaks no line. */
export const NARROW_SPACE = "\u202f";

/** An entry of a table: a text, a function that makes one, or more of them. */
export type Entry = string | ((...values: never[]) => string) | readonly Entry[] | { readonly [name: string]: Entry };

export type Table = Readonly<Record<string, Entry>>;

/** Gives the table of the current language. */
export interface Texts<T extends Table> {
  (): T;
  /** By language. */
  readonly tables: Map<string, T>;
}

/** The English table of some texts; those of other languages are added by `translate`. */
export function defineTexts<T extends Table>(english: T): Texts<T> {
  const tables = new Map([["en", english]]);
  const texts = () => {
    const own = language();
    let table = tables.get(own);
    if (table === undefined) {
      table = languages.get(own)?.(english) ?? english;
      tables.set(own, table);
    }
    return table;
  };
  return Object.assign(texts, { tables });
}

/** Adds the table of another language. Its type is that of the English one: a text that is missing does not compile. */
export function translate<T extends Table>(texts: Texts<T>, language: string, table: NoInfer<T>): void {
  texts.tables.set(language, table);
}

/** What is made once for each language, when it is first asked for. */
export function perLanguage<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const own = language();
    let value = made.get(own);
    if (value === undefined) {
      value = make(LOCALES[own] ?? own);
      made.set(own, value);
    }
    return value;
  };
}

/** The current language, as tables are named by it. */
export function language(): string {
  return current.value;
}

/** The locale of the current language, as Intl and `lang` know it. */
export const locale = perLanguage((own) => own);

const RIGHT_TO_LEFT = new Set(["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]);

/** The text direction of the current language, whatever that of the page: else "-5 of 21 problems" is reordered. */
export const direction = perLanguage((own) => (RIGHT_TO_LEFT.has(own.split("-")[0] ?? "") ? "rtl" : "ltr"));

const plurals = perLanguage((own) => new Intl.PluralRules(own));
/** Intl separates the items of Korean lists by spaces, which are in names, too. */
const lists = perLanguage((own) =>
  own === "ko-KR"
    ? { format: (items: readonly string[]) => items.join(", ") }
    : new Intl.ListFormat(own, { type: "unit", style: "short" }),
);

/** The forms of a word by the plural categories of its language. */
export type PluralForms = { readonly other: string } & { readonly [category in Intl.LDMLPluralRule]?: string };

/** The form of a word that goes with a count. */
export function plural(count: number, forms: PluralForms): string {
  return forms[plurals().select(count)] ?? forms.other;
}

/** A count with its noun; `n` is the count as it is written. */
export function counted(count: number, n: string, forms: PluralForms): string {
  return `${n} ${plural(count, forms)}`;
}

/** The items as a list of the current language. */
export function listOf(items: readonly string[]): string {
  return lists().format(items);
}

/** A text from a log or a file, within another one: whatever its direction, what stands around it keeps its own. */
export function isolated(text: string): string {
  // Isolates of its own could end this one.
  return `\u2068${text.replace(/[\u2066-\u2069]/g, "")}\u2069`;
}
