// Series as text, CSV or JSON, from which every number is read back as it was: float64 to the last bit, steps as int64.

import { delimitedCell, type Separator } from "./delimited";

/** Consecutive rows of a series; columns of one length but for nested ones. */
export interface SeriesRows {
  /** int64 where float64 would round some. */
  readonly step: Float64Array | BigInt64Array;
  /** Seconds since the epoch. */
  readonly wall: Float64Array;
  /** How many cells of each column a row has, which follow upon each other; null for one each. */
  readonly lengths: ArrayLike<number> | null;
  readonly columns: readonly Float64Array[];
}

export interface NamedRows {
  readonly run: string;
  readonly tag: string;
  /** Rows that the logs hold. */
  readonly total: number;
  /** One after the other. */
  readonly chunks: readonly SeriesRows[];
}

/** A float as Python writes it; NaN is empty, as in pandas tables. */
export function floatText(value: number): string {
  if (value - value !== 0) {
    return Number.isNaN(value) ? "" : value > 0 ? "inf" : "-inf";
  }
  // A whole number stays a float for what reads it, and a negative zero negative.
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${Object.is(value, -0) ? "-0" : value}.0` : String(value);
}

/** JSON has no NaN and no infinities: they are texts that Python's float() understands. */
function floatJson(value: number): string {
  if (value - value !== 0) {
    return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
  }
  return floatText(value);
}

/** int64 in full: JavaScript writes the whole numbers of a float64 beyond 1e21 with an exponent, which no step is. */
function stepText(step: number | bigint): string {
  return String(Object.is(step, -0) ? 0 : step);
}

export function headText(columns: readonly string[], separator: Separator): string {
  return `${["run", "tag", "step", "wall_time", ...columns].join(separator)}\r\n`;
}

/** A line for each cell, with the names of its run and tag. */
export function rowsText({ run, tag }: Pick<NamedRows, "run" | "tag">, rows: SeriesRows, separator: Separator): string {
  const { step, wall, lengths, columns } = rows;
  const names = `${delimitedCell(run, separator)}${separator}${delimitedCell(tag, separator)}${separator}`;
  const lines: string[] = [];
  let cell = 0;
  for (let i = 0; i < step.length; i += 1) {
    const start = `${names}${stepText(step[i] as number)}${separator}${floatText(wall[i] as number)}`;
    const end = cell + (lengths === null ? 1 : (lengths[i] as number));
    for (; cell < end; cell += 1) {
      let line = start;
      for (const column of columns) {
        line += separator + floatText(column[cell] as number);
      }
      lines.push(line);
    }
  }
  return lines.length === 0 ? "" : `${lines.join("\r\n")}\r\n`;
}

/** An object with an array a column, of nested columns one with an array a row; in parts, since texts have an end. */
export function seriesJson({ run, tag, total, chunks }: NamedRows, names: readonly string[]): string[] {
  const joined = (of: (rows: SeriesRows) => string[]) => {
    const texts = chunks.map((rows) => of(rows).join(",")).filter((text) => text !== "");
    return texts.flatMap((text, i) => (i === 0 ? [text] : [",", text]));
  };
  const valuesOf = ({ lengths, columns }: SeriesRows, k: number) => {
    const column = columns[k] as Float64Array;
    if (lengths === null) {
      return Array.from(column, floatJson);
    }
    let cell = 0;
    return Array.from(lengths, (length) => {
      const own = column.subarray(cell, cell + length);
      cell += length;
      return `[${Array.from(own, floatJson).join(",")}]`;
    });
  };
  return [
    `{"run":${JSON.stringify(run)},"tag":${JSON.stringify(tag)},"total":${total},"step":[`,
    ...joined(({ step }) => Array.from<number | bigint, string>(step, stepText)),
    '],"wall_time":[',
    ...joined(({ wall }) => Array.from(wall, floatJson)),
    ...names.flatMap((name, k) => [`],${JSON.stringify(name)}:[`, ...joined((rows) => valuesOf(rows, k))]),
    "]}",
  ];
}
