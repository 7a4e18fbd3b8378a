import { afterEach, expect, test } from "vitest";
import {
  counted,
  defineTexts,
  deriveLanguage,
  direction,
  listOf,
  locale,
  plural,
  setLanguage,
  translate,
} from "../../src/lib/texts";
import { PSEUDO, pseudoTable } from "../pseudo/pseudo";
import { differences } from "./tables";

afterEach(() => setLanguage("en"));

test("a table is in the current language, and English if it has no translation", () => {
  const texts = defineTexts({ name: "Runs", of: (n: string) => `${n} runs` });
  expect([texts().name, texts().of("3")]).toEqual(["Runs", "3 runs"]);
  deriveLanguage(PSEUDO, pseudoTable);
  setLanguage(PSEUDO);
  expect([texts().name, texts().of("3")]).toEqual(["⟦Runs⟧", "⟦3 runs⟧"]);
  expect(texts()).toBe(texts());
  setLanguage("xx");
  expect([texts().name, locale()]).toEqual(["Runs", "en-GB"]);
});

test("a translation is used where its language is", () => {
  const texts = defineTexts({ of: (n: string) => `${n} runs` });
  translate(texts, "de", { of: (n) => `${n} Läufe` });
  deriveLanguage("de", (table) => table);
  setLanguage("de-AT");
  expect([texts().of("3"), locale(), direction()]).toEqual(["3 Läufe", "de", "ltr"]);
});

test("languages that are written from right to left turn the dashboard round", () => {
  deriveLanguage("ar", (table) => table);
  setLanguage("ar");
  expect(direction()).toBe("rtl");
});

test("plurals have the categories of their language", () => {
  const forms = { one: "one", few: "few", many: "many", other: "other" };
  expect([0, 1, 2, 5].map((n) => plural(n, forms))).toEqual(["other", "one", "other", "other"]);
  deriveLanguage("pl", (table) => table);
  setLanguage("pl");
  expect([0, 1, 2, 5].map((n) => plural(n, forms))).toEqual(["many", "one", "few", "many"]);
  expect(counted(2, "2", { other: "other" })).toBe("2 other");
});

test("lists follow the language", () => {
  expect(listOf(["a", "b", "c"])).toBe("a, b, c");
  setLanguage("ko");
  expect(listOf(["a", "b", "c"])).toBe("a, b, c");
});

test("two tables are compared by their keys, and by the arguments that their texts hold", () => {
  const english = {
    name: "Runs",
    of: (count: number, n: string) => `${n} runs of ${count}`,
    modes: { on: "On", list: ["a", "b"] },
    some: (names: readonly string[], isLast: boolean) => `${names.join()}${isLast ? "." : ""}`,
  };
  const right = { ...english, name: "Läufe", modes: { on: "An", list: ["c", "d"] } };
  expect(differences(english, right)).toEqual([]);
  expect(differences(english, { ...right, name: undefined })).toEqual(["name"]);
  expect(differences(english, { ...right, of: (_: number, n: string) => `${n} Läufe` })).toEqual(["of"]);
  expect(differences(english, { ...right, modes: { on: "An", list: ["c"] } })).toEqual(["modes.list.1"]);
  expect(differences(english, { ...right, more: "x" })).toEqual(["more"]);
});
