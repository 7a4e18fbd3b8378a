// Filters of the table's columns.

import { containsText, parsePattern } from "../../lib/pattern";
import type { Value } from "./columns";
import type { ColumnFilter } from "./options";

/** Whether a value passes a filter. */
export function passesFilter(filter: ColumnFilter): (value: Value | undefined) => boolean {
  if ("values" in filter) {
    const accepted = new Set(filter.values.map((value) => value ?? undefined));
    return (value) => accepted.has(value);
  }
  if ("pattern" in filter) {
    const pattern = parsePattern(filter.pattern);
    const matches =
      pattern.type === "bounded" ? (text: string) => pattern.expression.test(text) : containsText(filter.pattern);
    return (value) => value !== undefined && matches(String(value));
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = filter as { min?: number; max?: number };
  return (value) => typeof value === "number" && value >= min && value <= max;
}
