// What a text looks like: Markdown or as it was written, and tables of texts of a shape.

import { formatCount } from "../../lib/format";
import { countOf, type TextValue } from "./codec";
import { textPanelTexts } from "./texts";

/** Characters of a text, and values, that are shown until the user shows all. */
const FIRST_CHARACTERS = 100_000;
const FIRST_VALUES = 1_000;

/** Values that are shown at most: a table of more would hold up the page. */
const MOST_VALUES = 20_000;

/**
 * Characters of a word, in scripts that are shaped in context, or with marks upon them. Browsers lay out a word at once, in
 * time that grows with its square: 30,000 accents on one letter take 10 s.
 */
const MAX_WORD = 1_000;

const WORDS = /[^\s\p{ASCII}\u0080-\u02ff\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu;
const PIECES = new RegExp(`.{1,${MAX_WORD}}`, "gsu");

export interface BuiltText {
  readonly nodes: DocumentFragment;
  /** What is not as it was written. */
  readonly notes: readonly string[];
  /** There is more of it here than is shown. */
  readonly more: boolean;
}

/** What is shown of a text. */
export interface ShownPart {
  /** The first values, the last of them perhaps in part. */
  readonly values: readonly string[];
  /** None of them is cut. */
  readonly whole: boolean;
  /** There is more of it here than is shown. */
  readonly more: boolean;
}

/** `all`: not only its beginning. */
export function shownPart(value: TextValue, all: boolean): ShownPart {
  const values = firstOf(value.values, all);
  const isLastHalf = values.at(-1) !== value.values[values.length - 1];
  const isLastCut = value.cut > 0 && values.length === value.values.length;
  return {
    values: values.map(breakLongWords),
    whole: !isLastHalf && !isLastCut,
    more: isLastHalf || values.length < value.values.length,
  };
}

/** The text with a space in words that a browser could not lay out in reasonable time. */
export function breakLongWords(text: string): string {
  return text.length <= MAX_WORD ? text : text.replace(WORDS, (word) => (word.match(PIECES) ?? []).join(" "));
}

/** `markdown`: null for a text as it was written. `raw`: that is what was chosen, or it is still being rendered. */
export function buildText(
  value: TextValue,
  { values, more }: ShownPart,
  markdown: readonly HTMLElement[] | null,
  raw: boolean,
): BuiltText {
  const notes: string[] = [];
  if (!raw && markdown === null) {
    notes.push(textPanelTexts().textAsWritten);
  }
  if (values.some((text, i) => text.length > (value.values[i] ?? "").length)) {
    notes.push(textPanelTexts().wordsBroken);
  }
  const shown = values.map((text, i) => markdown?.[i] ?? written(text));
  const nodes = document.createDocumentFragment();
  const count = countOf(value);
  if (count === 0) {
    nodes.append(quiet(textPanelTexts().noTextValues(value.shape.join(textPanelTexts().byDimensions))));
  } else if (count === 1 && shown.length === 1) {
    nodes.append(value.values[0] === "" ? quiet(textPanelTexts().emptyText) : (shown[0] as Node));
  } else {
    nodes.append(...tables(value.shape, shown));
  }
  if (count > values.length && values.length > 0) {
    notes.push(textPanelTexts().someValues(formatCount(values.length), formatCount(count)));
  }
  return { nodes, notes, more };
}

/** The first values, the last of them perhaps in part. */
function firstOf(values: readonly string[], all: boolean): string[] {
  if (all) {
    return values.slice(0, MOST_VALUES);
  }
  const found: string[] = [];
  let left = FIRST_CHARACTERS;
  for (const text of values.slice(0, FIRST_VALUES)) {
    if (left <= 0) {
      break;
    }
    // No half of a character that takes two.
    found.push(text.length > left ? text.slice(0, left).replace(/[\ud800-\udbff]$/, "") : text);
    left -= text.length + 1;
  }
  return found;
}

function written(text: string): Node {
  const element = document.createElement("pre");
  element.className = "tbwidget-written";
  element.textContent = text;
  return element;
}

function quiet(text: string): Node {
  const element = document.createElement("p");
  element.className = "tbwidget-quiet";
  element.textContent = text;
  return element;
}

/**
 * A list as one column, rows and columns as they are, and of higher ranks a table for each slice, with its indices:
 * TensorBoard shows but the first slice of these.
 */
function tables(shape: readonly number[], cells: readonly Node[]): Node[] {
  const columns = shape.length > 1 ? (shape.at(-1) ?? 1) : 1;
  const rows = shape.at(shape.length > 1 ? -2 : -1) ?? 1;
  const outer = shape.slice(0, -2);
  const found: Node[] = [];
  for (let begin = 0; begin < cells.length; begin += rows * columns) {
    const slice = table(cells.slice(begin, begin + rows * columns), columns);
    if (outer.length > 0) {
      const label = document.createElement("p");
      label.className = "tbwidget-slice";
      label.textContent = textPanelTexts().sliceOf(indicesOf(begin / (rows * columns), outer));
      found.push(label);
    }
    found.push(slice);
  }
  return found;
}

function table(cells: readonly Node[], columns: number): Node {
  const box = document.createElement("div");
  box.className = "tbwidget-text-table";
  const element = document.createElement("table");
  for (let begin = 0; begin < cells.length; begin += columns) {
    const row = element.insertRow();
    for (const cell of cells.slice(begin, begin + columns)) {
      row.insertCell().append(cell);
    }
  }
  box.append(element);
  return box;
}

/** The place `number` in row-major order. */
function indicesOf(number: number, sizes: readonly number[]): number[] {
  const found: number[] = [];
  let left = number;
  for (const size of [...sizes].reverse()) {
    found.unshift(left % size);
    left = Math.floor(left / size);
  }
  return found;
}
