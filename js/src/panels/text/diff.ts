// Differences of two texts: of their lines first, then of the words within replaced lines.

import { diffLines, diffWordsWithSpace } from "diff";

/** Milliseconds for the lines, and for the words of each stretch. */
const LINES_TIMEOUT_MS = 400;
const WORDS_TIMEOUT_MS = 60;

/** Characters of a stretch whose words are compared. */
const MAX_WORDS = 20_000;

/** Smallest equal share of an edited passage; below it, the passage counts as replaced and its words are not compared. */
const MIN_EQUAL_SHARE = 0.3;

/** Equal lines that are shown on either side of what differs; and how many more are worth being left out. */
const CONTEXT = 3;
const WORTH_FOLDING = 4;

interface Part {
  readonly text: string;
  /** Another than in the line's counterpart. */
  readonly changed: boolean;
}

type Way = "same" | "removed" | "added";

export interface DiffLine {
  readonly way: Way;
  readonly parts: readonly Part[];
}

/** Equal lines that are not shown at first. */
export interface Fold {
  readonly lines: readonly DiffLine[];
}

/** The lines of both texts; null where comparing them takes too long. */
export function compareTexts(before: string, after: string): DiffLine[] | null {
  const changes = diffLines(withEnd(before), withEnd(after), { timeout: LINES_TIMEOUT_MS });
  if (changes === undefined) {
    return null;
  }
  const lines: DiffLine[] = [];
  for (let i = 0; i < changes.length; i += 1) {
    const { value, removed, added } = changes[i] as (typeof changes)[number];
    const next = changes[i + 1];
    if (removed && next?.added) {
      lines.push(...replaced(value, next.value));
      i += 1;
    } else {
      lines.push(...linesOf([{ text: value, changed: false }], removed ? "removed" : added ? "added" : "same"));
    }
  }
  return lines;
}

/** The lines, with long stretches of equal ones folded. */
export function folded(lines: readonly DiffLine[]): (DiffLine | Fold)[] {
  const found: (DiffLine | Fold)[] = [];
  let begin = 0;
  while (begin < lines.length) {
    if (lines[begin]?.way !== "same") {
      found.push(lines[begin] as DiffLine);
      begin += 1;
      continue;
    }
    let end = begin;
    while (lines[end]?.way === "same") {
      end += 1;
    }
    const first = begin + (begin === 0 ? 0 : CONTEXT);
    const last = end - (end === lines.length ? 0 : CONTEXT);
    if (last - first >= WORTH_FOLDING) {
      found.push(...lines.slice(begin, first), { lines: lines.slice(first, last) }, ...lines.slice(last, end));
    } else {
      found.push(...lines.slice(begin, end));
    }
    begin = end;
  }
  return found;
}

/** The lines of a replaced passage, with the replaced words. */
function replaced(before: string, after: string): DiffLine[] {
  const words =
    before.length + after.length <= MAX_WORDS
      ? diffWordsWithSpace(before, after, { timeout: WORDS_TIMEOUT_MS })
      : undefined;
  const alike = (words ?? []).reduce(
    (sum, { value, removed, added }) => sum + (removed || added ? 0 : value.length),
    0,
  );
  const isEdited = words !== undefined && 2 * alike >= MIN_EQUAL_SHARE * (before.length + after.length);
  const of = (text: string, way: "removed" | "added") => {
    const other = way === "removed" ? "added" : "removed";
    const parts = words?.filter((part) => !part[other]).map((part) => ({ text: part.value, changed: part[way] }));
    return linesOf(isEdited && parts !== undefined ? parts : [{ text, changed: false }], way);
  };
  return [...of(before, "removed"), ...of(after, "added")];
}

/** Cuts parts into lines; each line ends with a break. */
function linesOf(parts: readonly Part[], way: Way): DiffLine[] {
  const lines: DiffLine[] = [];
  let line: Part[] = [];
  for (const { text, changed } of parts) {
    const pieces = text.split("\n");
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) {
        lines.push({ way, parts: line });
        line = [];
      }
      if (piece !== "") {
        line.push({ text: piece, changed });
      }
    }
  }
  return line.length > 0 ? [...lines, { way, parts: line }] : lines;
}

function withEnd(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n");
  return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
}
