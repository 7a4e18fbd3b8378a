// Markdown to HTML, unless that would take too long. What HTML a text holds comes out as text.
//
// Time grows with the square of some texts: with their lines, with marks of emphasis in a paragraph, with how deep lists
// and quotes are nested. The first is noticed by the clock, between lines; the others are refused at once.

import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

/** Characters of a text, of all its values together, that is taken for Markdown. */
export const MOST_CHARACTERS = 100_000;

/** Marks of emphasis in one paragraph. */
const MOST_MARKS = 4_000;

/** Lists and quotes within one another. */
const TOO_DEEP = /^(?:[ \t]{0,8}(?:>|[-+*]|\d{1,9}[.)])){30}/mu;

/** Milliseconds for one text. */
const PATIENCE = 500;

type Extension = ReturnType<typeof gfmTable>;
type Construct = Exclude<NonNullable<Extension["flow"]>[number], undefined | readonly unknown[]>;

class TooSlow extends Error {}

/** The texts as HTML, or null where that takes too long. */
export function markdownHtml(texts: readonly string[], now: () => number = () => performance.now()): string[] | null {
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  if (size > MOST_CHARACTERS || texts.some(isHard)) {
    return null;
  }
  const end = now() + PATIENCE;
  // Stands before everything that may begin, and never does.
  const watch: Construct = {
    tokenize: (_effects, _ok, nok) => (code) => {
      if (now() > end) {
        throw new TooSlow();
      }
      return nok(code);
    },
  };
  const watched: Extension = { document: { null: [watch] }, flow: { null: [watch] }, text: { null: [watch] } };
  const options = { extensions: [gfmTable(), watched], htmlExtensions: [gfmTableHtml()] };
  try {
    return texts.map((text) => micromark(text, options));
  } catch (error) {
    if (error instanceof TooSlow) {
      return null;
    }
    throw error;
  }
}

function isHard(text: string): boolean {
  return (
    TOO_DEEP.test(text) ||
    (text.length > MOST_MARKS && text.split(/\n[ \t]*\n/u).some((part) => countMarks(part) > MOST_MARKS))
  );
}

function countMarks(text: string): number {
  let count = 0;
  for (const character of text) {
    count += character === "*" || character === "_" ? 1 : 0;
  }
  return count;
}
