// The language of the interface: its texts, plurals, lists and dates.

import { signal } from "@preact/signals";

/** The current language. Each dashboard evaluates the bundle by itself, so each has its own. */
export const language = signal("en");

/** Which of a language's variants writes dates. */
const LOCALES: Readonly<Record<string, string>> = { en: "en-GB" };

/** The text direction of the current language, whatever that of the page: else "-5 of 21 problems" is reordered. */
export const DIRECTION = "ltr";

/** Breaks no line. */
export const NARROW_SPACE = "\u202f";

/** An entry of a table: a text, a function that makes one, or more of them. */
type Entry = string | ((...values: never[]) => string) | readonly Entry[] | { readonly [name: string]: Entry };

/** The table of the current language: English where there is no translation. */
export function defineTexts<T extends Readonly<Record<string, Entry>>>(
  english: T,
  translations: ReadonlyMap<string, T> = new Map(),
): () => T {
  return () => translations.get(language.value) ?? english;
}

/** What is made once for each language, when it is first asked for. */
export function perLanguage<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const current = language.value;
    let value = made.get(current);
    if (value === undefined) {
      value = make(LOCALES[current] ?? current);
      made.set(current, value);
    }
    return value;
  };
}

/** The locale of the current language, as Intl and `lang` know it. */
export const locale = perLanguage((own) => own);

const plurals = perLanguage((own) => new Intl.PluralRules(own));
const lists = perLanguage((own) => new Intl.ListFormat(own, { type: "unit", style: "short" }));

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
