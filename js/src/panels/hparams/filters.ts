// Filters of the table's columns.

import { computed, untracked } from "@preact/signals";
import { RegexWorker } from "../../lib/regexworker";
import { type PatternMatches, Patterns } from "../../options/patterns";
import { parameterText, type Value } from "./columns";
import type { ColumnFilter } from "./options";

export type Passes = (value: Value | undefined) => boolean;

/** Whether a value passes a filter that needs no expression. */
export function passesFilter(filter: Exclude<ColumnFilter, { pattern: string }>): Passes {
  if ("values" in filter) {
    const accepted = new Set(filter.values.map((value) => value ?? undefined));
    return (value) => accepted.has(value);
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = filter as { min?: number; max?: number };
  return (value) => typeof value === "number" && value >= min && value <= max;
}

/** The text that an expression is matched against: as it is shown, and with a plain minus. */
export function matchedText(value: Value): string {
  return typeof value === "number" ? parameterText(value).replace("−", "-") : String(value);
}

/** Filters by expressions. Each is matched against the texts of its column, where it can be ended. */
export class PatternFilters {
  readonly #worker = new RegexWorker();
  readonly #byKey = new Map<string, Patterns>();

  /** `valuesOf` gives the values of the column. */
  of(key: string, valuesOf: () => readonly (Value | undefined)[], pattern: string): PatternMatches {
    // It may be asked for while something is computed, which sets nothing.
    return untracked(() => {
      let patterns = this.#byKey.get(key);
      if (patterns === undefined) {
        const texts = computed(() => [...new Set(valuesOf().flatMap((value) => matchedTexts(value)))]);
        // Filters end when nobody follows them, and the worker when it has nothing to do.
        patterns = new Patterns(texts, this.#worker, this.#worker, new AbortController().signal);
        this.#byKey.set(key, patterns);
      }
      return patterns.anywhere(pattern);
    });
  }
}

function matchedTexts(value: Value | undefined): string[] {
  return value === undefined ? [] : [matchedText(value)];
}
