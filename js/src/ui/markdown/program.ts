// Markdown to HTML as one function, which runs in a worker, or in the page if it has no workers. HTML within a text comes
// out as text.
//
// In the bundle (see bundle.mjs) the function contains everything that it needs, so that its own text makes a worker.
//
// Time grows with the square of some texts: with their lines, with marks of emphasis and brackets in a paragraph, with how
// deep lists and quotes are nested. So does HTML: short rows of a table are padded, and references repeat their addresses.

import { compile, parse, postprocess, preprocess } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import type { WorkerLike } from "../../lib/workers";
import { setCharacters } from "./characters";

/** Characters of a text, of all its values together, that is taken for Markdown. */
const MAX_CHARACTERS = 100_000;

/** Marks of emphasis in one paragraph. */
const MAX_MARKS = 4_000;

/** Brackets in one paragraph, where nothing can end the parser: of links and images there may be as many pairs. */
const MAX_BRACKETS = 400;

/** Lists and quotes within one another. */
const TOO_DEEP = /^(?:[ \t]{0,8}(?:>|[-+*]|\d{1,9}[.)])){30}/mu;

/** Cells of all tables, padded ones included. */
const MAX_CELLS = 20_000;

/** Characters of HTML, and elements in it: all of it is made safe in one go, while the page waits. */
const MAX_HTML = 1_000_000;
const MAX_ELEMENTS = 25_000;

/** Milliseconds for the values of one text. */
const DEADLINE = 500;

/** Question to a worker, which answers with what `html` returns. */
export interface Question {
  readonly texts: readonly string[];
  /** Named characters in the texts; only a page can look them up. */
  readonly characters: Readonly<Record<string, string>>;
}

export interface Program {
  readonly limits: {
    readonly characters: number;
    readonly cells: number;
    readonly html: number;
    readonly deadline: number;
  };
  /**
   * Each text as HTML, or null where that takes too long or becomes too much. `alone`: nothing else ends it, which takes
   * more care.
   */
  html(question: Question, alone: boolean, now?: () => number): string[] | null;
  /** Elements in HTML. */
  readonly countElements: typeof countElements;
  /** Answers questions in a worker, one after the other. It says once that it has started. */
  serve(scope: Pick<WorkerLike, "onmessage" | "postMessage">): void;
}

type Events = ReturnType<typeof postprocess>;
type Extension = ReturnType<typeof gfmTable>;
type Construct = Exclude<NonNullable<Extension["flow"]>[number], undefined | readonly unknown[]>;

class TooSlow extends Error {}

export function program(): Program {
  const html: Program["html"] = ({ texts, characters }, alone, now = () => performance.now()) => {
    const size = texts.reduce((sum, { length }) => sum + length, 0);
    if (size > MAX_CHARACTERS || texts.some((text) => isHard(text, alone))) {
      return null;
    }
    setCharacters(characters);
    const end = now() + DEADLINE;
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
    const found: string[] = [];
    let [cells, characterCount, elements] = [0, 0, 0];
    try {
      for (const text of texts) {
        const events = postprocess(
          parse(options)
            .document()
            .write(preprocess()(text, undefined, true)),
        );
        cells += countCells(events);
        if (cells > MAX_CELLS || referencedCharacters(events) > MAX_HTML) {
          return null;
        }
        const compiled = compile(options)(events);
        characterCount += compiled.length;
        elements += countElements(compiled);
        if (characterCount > MAX_HTML || elements > MAX_ELEMENTS) {
          return null;
        }
        found.push(compiled);
      }
      return found;
    } catch (error) {
      if (error instanceof TooSlow) {
        return null;
      }
      throw error;
    }
  };
  return {
    limits: { characters: MAX_CHARACTERS, cells: MAX_CELLS, html: MAX_HTML, deadline: DEADLINE },
    html,
    countElements,
    serve(scope) {
      scope.onmessage = ({ data }) => scope.postMessage(html(data as Question, false));
      scope.postMessage("started");
    },
  };
}

function isHard(text: string, alone: boolean): boolean {
  return (
    TOO_DEEP.test(text) ||
    (text.length > MAX_BRACKETS &&
      text
        .split(/\n[ \t]*\n/u)
        .some((part) => count(part, "*_") > MAX_MARKS || (alone && count(part, "[") > MAX_BRACKETS)))
  );
}

function count(text: string, characters: string): number {
  let found = 0;
  for (const character of text) {
    found += characters.includes(character) ? 1 : 0;
  }
  return found;
}

/** Cells of the tables, whose rows all have as many as the head. */
function countCells(events: Events): number {
  let cells = 0;
  let columns = 0;
  for (const [way, token] of events) {
    if (way === "enter" && token.type === "table") {
      columns = token._align?.length ?? 0;
    } else if (way === "enter" && token.type === "tableRow") {
      cells += columns;
    }
  }
  return cells;
}

/** Upper bound for the characters that references take from definitions. */
function referencedCharacters(events: Events): number {
  let references = 0;
  let longest = 0;
  for (const [way, { type, start, end }] of events) {
    if (way === "enter") {
      references += type === "link" || type === "image" ? 1 : 0;
      longest = Math.max(longest, type === "definition" ? end.offset - start.offset : 0);
    }
  }
  return references * longest;
}

function countElements(html: string): number {
  let found = 0;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
    found += html[at + 1] === "/" ? 0 : 1;
  }
  return found;
}
