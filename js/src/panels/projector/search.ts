// Finds points by a text or regular expression in their metadata.

import { containsText, PATTERN_FLAGS, parsePattern } from "../../lib/pattern";
import type { RegexWorker } from "../../lib/regexworker";
import { type Column, cellText } from "./codec";

export interface Found {
  /** 1 for each point that is found. */
  readonly mask: Uint8Array;
  readonly count: number;
  /** The expression was searched for as plain text: it took too long, or makes no sense. */
  readonly isPlain: boolean;
}

/** Texts that an expression which may backtrack is tried on. */
const MAX_TRIED = 200_000;

/** The points with a match in one of these columns. Null where the search is not wanted any more. */
export async function search(
  text: string,
  columns: readonly Column[],
  count: number,
  worker: Pick<RegexWorker, "match">,
  isWanted: () => boolean,
): Promise<Found | null> {
  const mask = new Uint8Array(count);
  const pattern = parsePattern(text, PATTERN_FLAGS);
  let isPlain = pattern.type === "invalid";
  for (const column of columns) {
    const texts = column.sort === "text" ? column.values : distinct(column.numbers);
    let matches: readonly boolean[];
    if (pattern.type === "bounded") {
      matches = texts.map((one) => pattern.expression.test(one));
    } else if (pattern.type === "unbounded" && texts.length <= MAX_TRIED && !isPlain) {
      const outcome = await worker.match(text, texts, isWanted);
      if (outcome === "unwanted" || !isWanted()) {
        return null;
      }
      isPlain = typeof outcome === "string";
      matches = typeof outcome === "string" ? texts.map(containsText(text)) : outcome.map((span) => span !== null);
    } else {
      isPlain = true;
      matches = texts.map(containsText(text));
    }
    mark(mask, column, texts, matches);
  }
  return { mask, count: mask.reduce((sum, one) => sum + one, 0), isPlain };
}

function mark(mask: Uint8Array, column: Column, texts: readonly string[], matches: readonly boolean[]): void {
  if (column.sort === "text") {
    for (let i = 0; i < mask.length; i += 1) {
      if (matches[column.codes[i] as number]) {
        mask[i] = 1;
      }
    }
    return;
  }
  const found = new Set(texts.filter((_, i) => matches[i]));
  for (let i = 0; i < mask.length && found.size > 0; i += 1) {
    if (found.has(cellText(column, i))) {
      mask[i] = 1;
    }
  }
}

function distinct(numbers: Float64Array): string[] {
  return [...new Set(numbers)].filter((one) => !Number.isNaN(one)).map(String);
}
