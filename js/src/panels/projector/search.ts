// Finds points by a text or regular expression in their metadata.

import { type ExpressionRunner, NameMatcher } from "../../lib/namematcher";
import type { Column } from "./codec";

export interface Found {
  /** 1 for each point that is found. */
  readonly mask: Uint8Array;
  readonly count: number;
  /** The expression was searched for as plain text: it took too long, or makes no sense. */
  readonly isPlain: boolean;
}

/** Texts that an expression which may backtrack is tried on. */
const MAX_TRIED = 200_000;

/** Code of an empty cell. */
const NO_CODE = 0xffffffff;

/** The points with a match in one of these columns. Null where the search is not wanted any more. */
export async function search(
  text: string,
  columns: readonly Column[],
  count: number,
  worker: ExpressionRunner,
  isWanted: () => boolean,
): Promise<Found | null> {
  const mask = new Uint8Array(count);
  const typed = new NameMatcher(text, worker);
  const plain = new NameMatcher(text, worker, { isPlain: true });
  let matcher = typed.pattern.type === "invalid" ? plain : typed;
  for (const column of columns) {
    const codes = column.sort === "text" ? column.codes : distinct(column).codes;
    // Texts of numbers are not kept: they take more room than the numbers.
    const texts = column.sort === "text" ? column.values : Array.from(distinct(column).values, String);
    matcher = matcher.pattern.type === "unbounded" && texts.length > MAX_TRIED ? plain : matcher;
    let matches = await matcher.match(texts, isWanted);
    if (typeof matches === "string" && matches !== "unwanted") {
      matcher = plain;
      matches = await matcher.match(texts, isWanted);
    }
    if (typeof matches === "string" || !isWanted()) {
      return null;
    }
    for (let i = 0; i < count; i += 1) {
      if (matches[codes[i] as number]) {
        mask[i] = 1;
      }
    }
  }
  return { mask, count: mask.reduce((sum, one) => sum + one, 0), isPlain: matcher === plain };
}

/** The different numbers of a column, and each point's index into them; NaN has an index beyond them. */
interface Distinct {
  readonly values: Float64Array;
  readonly codes: Uint32Array;
}

const known = new WeakMap<Column, Distinct>();

function distinct(column: Extract<Column, { sort: "number" }>): Distinct {
  let found = known.get(column);
  if (found === undefined) {
    const places = new Map<number, number>();
    const codes = Uint32Array.from(column.numbers, (number) => {
      if (Number.isNaN(number)) {
        return NO_CODE;
      }
      const place = places.get(number) ?? places.size;
      places.set(number, place);
      return place;
    });
    found = { values: Float64Array.from(places.keys()), codes };
    known.set(column, found);
  }
  return found;
}
