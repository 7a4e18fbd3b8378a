// Texts that are data: JSON, a subset of YAML that contains `key: value` lines, and Markdown tables of two columns. Keys and
// scalars stay as they are written: a number of 20 digits has no other spelling, and equal keys are entries of their own.

import { countOf, isCut, type TextValue } from "./codec";

/** Characters of a text that is read as data: this takes some milliseconds. */
const MAX_CHARACTERS = 100_000;

/** Entries of all branches. Each of them becomes elements of the page. */
const MAX_ENTRIES = 2_000;

/** Branches within one another. */
const MAX_DEPTH = 60;

/** Characters of the paths of all entries: a long key above many entries is part of each path, which comparisons look up. */
const MAX_PATHS = 2_000_000;

/** Keys that make a text of lines data, where nothing else says so: one line with a colon may be prose. */
const MIN_KEYS = 2;

/** A scalar as it is written, or the entries of a list or mapping. */
export type Data = string | Branch;

export interface Branch {
  readonly entries: readonly Entry[];
  /** Its keys are the places of the entries, which the text does not have. */
  readonly isList: boolean;
}

type Entry = readonly [key: string, value: Data];

interface DataText {
  /** Null if it is not understood, or beyond the limits of depth, entries and paths. */
  readonly root: Branch | null;
  /** It is a Markdown table, which is well shown as one. */
  readonly isTable: boolean;
}

class BeyondLimits extends Error {}

// The patterns of this file take linear time: a text may be any bytes that a run has logged. No two repetitions that match the
// same signs follow one another, not even where what stands between them is optional.

const FENCE = /^(`{3,}|~{3,})[ \t]*(?:(json|ya?ml)[ \t]*)?\n(.*)\n[ \t]*\1[ \t]*$/is;

const found = new WeakMap<TextValue, DataText | null>();

/** Read a value that is one text, and whole. */
export function dataIn(value: TextValue): DataText | null {
  let data = found.get(value);
  if (data === undefined) {
    data = countOf(value) === 1 && !isCut(value) ? dataOf(value.values[0] as string) : null;
    found.set(value, data);
  }
  return data;
}

/** Read a text whose whole is data, or looks like it; null for other texts. */
export function dataOf(text: string): DataText | null {
  if (text.length > MAX_CHARACTERS) {
    return null;
  }
  const whole = dedented(text);
  const fence = FENCE.exec(whole);
  const inner = fence === null ? whole : dedented(fence[3] as string);
  try {
    const table = fence === null ? tableOf(inner) : null;
    const root = table ?? (/^[[{]/.test(inner) ? new Json(inner).root() : linesOf(inner, fence?.[2] !== undefined));
    if (root === null) {
      return fence === null && looksLikeData(inner) ? { root, isTable: false } : null;
    }
    return { root: pathsOf(root, 0) > MAX_PATHS ? null : root, isTable: table !== null };
  } catch (error) {
    if (error instanceof BeyondLimits) {
      return { root: null, isTable: false };
    }
    throw error;
  }
}

/** Characters of the paths of all entries; `above`: of the one to the branch. */
function pathsOf({ entries }: Branch, above: number): number {
  return entries.reduce((sum, [key, value]) => {
    const path = above + key.length;
    return sum + path + (typeof value === "string" ? 0 : pathsOf(value, path));
  }, 0);
}

/** Without empty lines around it, and without the indentation that all lines share. */
function dedented(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replace(/^\ufeff?(?:[ \t]*\n)*/, "");
  const own = lines.trimEnd();
  const [indent] = /^[ \t]*/.exec(own) as RegExpExecArray;
  const all = own.split("\n");
  return indent !== "" && all.every((line) => line.startsWith(indent) || line.trim() === "")
    ? all.map((line) => line.slice(indent.length)).join("\n")
    : own;
}

/** Collects entries up to the limits. */
class Branches {
  #count = 0;

  make(depth: number, isList: boolean): { readonly branch: Branch; add(key: string, value: Data): void } {
    if (depth > MAX_DEPTH) {
      throw new BeyondLimits();
    }
    const entries: Entry[] = [];
    const add = (key: string, value: Data) => {
      this.#count += 1;
      if (this.#count > MAX_ENTRIES) {
        throw new BeyondLimits();
      }
      entries.push([key, value]);
    };
    return { branch: { entries, isList }, add };
  }
}

const STRING = /"[^"\\\n]*(?:\\(?:["\\/bfnrt]|u[\da-f]{4})[^"\\\n]*)*"/iy;
// Python writes NaN and Infinity.
const OTHER = /-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Infinity)|true|false|null|NaN/iy;
const SPACE = /\s*/y;

/** JSON, with the source of each scalar. */
class Json {
  readonly #text: string;
  readonly #branches = new Branches();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The whole text; null if it is not JSON. */
  root(): Branch | null {
    const found = this.#branch(1);
    return found !== null && this.#at === this.#text.length ? found : null;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  /** Whether a sign comes next; then it is behind it, and behind spaces. */
  #skip(sign: string): boolean {
    const isNext = this.#text[this.#at] === sign;
    if (isNext) {
      this.#at += 1;
      this.#take(SPACE);
    }
    return isNext;
  }

  #branch(depth: number): Branch | null {
    const isList = this.#skip("[");
    if (!isList && !this.#skip("{")) {
      return null;
    }
    const { branch, add } = this.#branches.make(depth, isList);
    const end = isList ? "]" : "}";
    if (this.#skip(end)) {
      return branch;
    }
    do {
      const key = isList ? String(branch.entries.length) : this.#take(STRING)?.slice(1, -1);
      this.#take(SPACE);
      if (key === undefined || !(isList || this.#skip(":"))) {
        return null;
      }
      const value = this.#branch(depth + 1) ?? this.#take(STRING) ?? this.#take(OTHER);
      if (value === null) {
        return null;
      }
      add(key, value);
      this.#take(SPACE);
    } while (this.#skip(","));
    return this.#skip(end) ? branch : null;
  }
}

/** The line below the titles of a Markdown table of two columns, without spaces around it. */
const RULE = /^\|?\s*:?-+:?\s*\|\s*:?-+:?(?:\s*\|)?$/;

/** The rows of a Markdown table of two columns, but for its titles. */
function tableOf(text: string): Branch | null {
  const lines = text.split("\n");
  if (lines.length < 3 || !RULE.test((lines[1] as string).trim())) {
    return null;
  }
  const { branch, add } = new Branches().make(1, false);
  for (const [i, line] of lines.entries()) {
    const cells = line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    if (cells.length !== 2) {
      return null;
    }
    if (i > 1) {
      add(cells[0] as string, cells[1] as string);
    }
  }
  return branch;
}

interface Line {
  readonly indent: number;
  readonly text: string;
}

/**
 * A key, and what stands behind its colon. Keys without quotes have none of the signs of Markdown. What stands there begins
 * with no space: where it does not match, as it has a line separator (U+2028), fewer spaces in front of it are not tried.
 */
const PAIR = /^("[^"\\]*"|'[^']*'|[\p{L}\p{N}_][\p{L}\p{N}_./@()%+ -]{0,99}):(?:[ \t]+(?![ \t])(.*))?$/u;
const ITEM = /^-(?:( +)(?! )(.*))?$/;

/** Scalars on one line: no anchor, alias, tag, block or key, and no quotes or brackets that another line ends. */
const SCALAR = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[.*\]|\{.*\}|(?![&*!|>%@`"'[{]|[?-](?: |$)).*)$/;

/** The header of a block scalar: the lines below it are one text. A digit says how far they are indented. */
const BLOCK = /^[|>][+-]?([1-9]?)[+-]?$/;

/** Lines as a subset of YAML; null for others. `isYaml`: they are said to be YAML. */
function linesOf(text: string, isYaml: boolean): Branch | null {
  const all = new Lines(text);
  const first = all.next();
  if (first === undefined || !(PAIR.test(first.text) || (isYaml && ITEM.test(first.text)))) {
    return null;
  }
  const found = all.branch(first.indent, 1);
  return found !== null && all.next() === undefined && (isYaml || all.keys >= MIN_KEYS) ? found : null;
}

class Lines {
  readonly #written: readonly string[];
  readonly #lines: Line[];
  readonly #branches = new Branches();
  #at = 0;
  /** Keys that were read. */
  keys = 0;

  constructor(text: string) {
    this.#written = text.split("\n");
    this.#lines = this.#written.map((line) => {
      const own = line.trimStart();
      return { indent: line.length - own.length, text: own.trimEnd() };
    });
    const first = this.next();
    if (first?.indent === 0 && withoutComment(first.text) === "---") {
      this.#at += 1;
    }
  }

  /** The line from here that is neither empty nor a comment. */
  next(): Line | undefined {
    while (/^(?:#|$)/.test(this.#lines[this.#at]?.text ?? "-")) {
      this.#at += 1;
    }
    return this.#lines[this.#at];
  }

  /** The entries of the lines from here that are indented so. */
  branch(indent: number, depth: number): Branch | null {
    const isList = ITEM.test(this.next()?.text ?? "");
    const { branch, add } = this.#branches.make(depth, isList);
    for (let line = this.next(); line?.indent === indent; line = this.next()) {
      const item = ITEM.exec(line.text);
      if (isList !== (item !== null)) {
        // A list may stand below its key without being indented: the key's mapping goes on.
        return isList ? branch : null;
      }
      const pair = item ?? PAIR.exec(line.text);
      if (pair === null) {
        return null;
      }
      this.keys += item === null ? 1 : 0;
      const rest = pair[2] ?? "";
      const key = item ? String(branch.entries.length) : (pair[1] as string);
      let value: Data | null = withoutComment(rest);
      if (item !== null && (PAIR.test(rest) || ITEM.test(rest))) {
        // An entry on the line of a dash is indented by the dash.
        const inner = indent + 1 + (item[1] as string).length;
        this.#lines[this.#at] = { indent: inner, text: rest };
        value = this.branch(inner, depth + 1);
      } else {
        this.#at += 1;
        const block = BLOCK.exec(value);
        const isScalar = block !== null || SCALAR.test(value);
        if (block !== null) {
          value = this.#block(indent, Number(block[1]));
        }
        const next = this.next();
        const isDeeper = next !== undefined && next.indent > indent;
        if (
          value === "" &&
          block === null &&
          next &&
          (isDeeper || (!isList && next.indent === indent && ITEM.test(next.text)))
        ) {
          value = this.branch(next.indent, depth + 1);
        } else if (isDeeper || !isScalar) {
          return null;
        }
      }
      if (value === null) {
        return null;
      }
      add(key, value);
    }
    return branch;
  }

  /** The lines of a block scalar as they are written, without their indentation and without empty lines at the end. */
  #block(above: number, digit: number): string {
    const begin = this.#at;
    let indent = above + digit;
    for (let at = begin; at < this.#lines.length; at += 1) {
      const line = this.#lines[at] as Line;
      if (line.text === "") {
        continue;
      }
      if (indent === above) {
        indent = line.indent;
      }
      if (line.indent < indent || indent <= above) {
        break;
      }
      this.#at = at + 1;
    }
    const lines = this.#written.slice(begin, this.#at);
    return lines.map((line) => line.slice(indent)).join("\n");
  }
}

/** A line without its comment, which begins with a `#` behind a space, outside quotes. */
function withoutComment(text: string): string {
  const isFlow = /^[[{]/.test(text);
  let quote = "";
  for (let i = 0; i < text.length; i += 1) {
    const sign = text[i] as string;
    const before = text[i - 1] ?? " ";
    if (quote !== "") {
      if ((sign === "\\" && quote === '"') || (sign === "'" && quote === sign && text[i + 1] === sign)) {
        i += 1;
      } else if (sign === quote) {
        quote = "";
      }
    } else if (sign === "#" && /\s/.test(before)) {
      return text.slice(0, i).trimEnd();
    } else if (/["']/.test(sign) && (i === 0 || (isFlow && /[\s[{,:]/.test(before)))) {
      quote = sign;
    }
  }
  return text;
}

/** Marks of Markdown that are rare in data. */
const MARKDOWN = /\*\*|\S\*$|\S\*\s|`|\]\(|^ *(?:[*+>|]|\d+[.)]) /m;

/** A line at the left of a YAML document that is no entry: of a tag, a directive, a merge, or brackets. */
const OUTER = /^(?:[!%]\S|<<:|---|\.\.\.|[\]}],?$|- )/;

/**
 * Whether a text that is not understood looks like data: brackets around all of it, or only entries of YAML at its left.
 * Markdown would join their lines.
 */
function looksLikeData(text: string): boolean {
  if (MARKDOWN.test(text)) {
    return false;
  }
  if (/^(?:\{|\[\s*[[{"'])/.test(text)) {
    return text.endsWith(text[0] === "{" ? "}" : "]");
  }
  const lines = text.split("\n");
  const isPair = (line: string) => PAIR.test(line.trim());
  const left = lines.filter((line) => /^[^\s#]/.test(line));
  return lines.filter(isPair).length >= MIN_KEYS && left.every((line) => OUTER.test(line) || isPair(line));
}

/** Flat entries by an identity of their path. */
export type FlatData = ReadonlyMap<string, { readonly path: string; readonly value: string }>;

/** The scalars of data, each with the keys that lead to it. An empty branch counts as a scalar. */
export function flatData(root: Branch): FlatData {
  const found = new Map<string, { readonly path: string; readonly value: string }>();
  const counts = new Map<string, number>();
  const visit = (data: Data, path: string, id: string) => {
    if (typeof data !== "string" && data.entries.length > 0) {
      for (const [key, value] of data.entries) {
        const next = data.isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
        visit(value, next, `${id}${JSON.stringify(data.isList ? Number(key) : key)}`);
      }
      return;
    }
    const value = typeof data === "string" ? data : data.isList ? "[]" : "{}";
    // Readers of data disagree about which of equal keys counts: all are here.
    if (found.has(id)) {
      const count = (counts.get(id) ?? 1) + 1;
      counts.set(id, count);
      found.set(`${id} ${count}`, { path: `${path} (${count})`, value });
    } else {
      found.set(id, { path, value });
    }
  };
  visit(root, "", "");
  return found;
}

export interface DifferenceRow {
  readonly id: string;
  readonly path: string;
  /** One value for each text; null where it lacks the entry. */
  readonly values: readonly (string | null)[];
  readonly differs: boolean;
}

/** A row for each entry of some texts up to a number of them, in the order of the first text that has it. */
export function differencesOf(texts: readonly FlatData[], most: number): DifferenceRow[] {
  const rows = new Map<string, { readonly path: string; readonly values: (string | null)[] }>();
  for (const [i, text] of texts.entries()) {
    for (const [id, { path, value }] of text) {
      let row = rows.get(id);
      if (row === undefined && rows.size < most) {
        row = { path, values: texts.map(() => null) };
        rows.set(id, row);
      }
      if (row !== undefined) {
        row.values[i] = value;
      }
    }
  }
  return [...rows].map(([id, { path, values }]) => {
    return { id, path, values, differs: values.some((value) => value !== values[0]) };
  });
}
