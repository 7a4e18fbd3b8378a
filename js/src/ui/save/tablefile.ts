// A table as the file or the text that is saved or copied.

import { headText, rowsText, seriesJson } from "../../lib/seriestext";
import type { Gathered } from "./gather";
import type { TableKind } from "./tablekind";

/** Formats of saved tables. */
export const TABLE_FORMATS = ["csv", "json"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Not the text's own type: with this one, a browser saves the file and never shows it. */
const TYPE = "application/octet-stream";

/** Lines of all rows, after the names of their columns; in parts. */
function* lines({ series, summarized }: Gathered, kind: TableKind, separator: "," | "\t"): Generator<string> {
  yield headText(summarized ? kind.summaryColumns : kind.columns, separator);
  for (const one of series) {
    for (const rows of one.chunks) {
      yield rowsText(one, rows, separator);
    }
  }
}

function* json({ series, summarized, exact }: Gathered, kind: TableKind): Generator<string> {
  yield `{"exact":${exact},"series":[`;
  for (const [i, one] of series.entries()) {
    yield i === 0 ? "\n" : ",\n";
    yield* seriesJson(one, summarized ? kind.summaryColumns : kind.columns);
  }
  yield "\n]}\n";
}

/** Milliseconds of work after which the page may run. */
const AT_ONCE = 50;

/** The file, written part by part: finished parts leave the memory of strings, and the page stays responsive. */
export async function tableFile(gathered: Gathered, kind: TableKind, format: TableFormat): Promise<Blob> {
  const parts = format === "csv" ? lines(gathered, kind, ",") : json(gathered, kind);
  const blobs: Blob[] = [];
  let texts: string[] = [];
  let since = performance.now();
  for (const part of parts) {
    texts.push(part);
    if (performance.now() - since > AT_ONCE) {
      blobs.push(new Blob(texts));
      texts = [];
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
    }
  }
  return new Blob([...blobs, ...texts], { type: TYPE });
}

/** Characters that are copied at most: programs stop at more. */
const MAX_COPIED = 50e6;

/** For the clipboard: columns separated by tabs; null where that is too much for it. */
export function tableText(gathered: Gathered, kind: TableKind): string | null {
  const parts: string[] = [];
  let length = 0;
  for (const part of lines(gathered, kind, "\t")) {
    parts.push(part);
    length += part.length;
    if (length > MAX_COPIED) {
      return null;
    }
  }
  return parts.join("");
}
