// Texts that are data: JSON, YAML, which contains lines of `key: value`, and Markdown tables of two columns. Numbers stay as they
// are written, since a number of 20 digits has no other spelling, and equal keys are entries of their own.

import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_PLAIN,
  SCALAR_STYLE_SINGLE_QUOTED,
  YAMLException,
} from "js-yaml";
import { countOf, isCut, type TextValue } from "./codec";

/** Characters of a text that is read as data: this takes some milliseconds. */
const MAX_CHARACTERS = 100_000;

/** Entries of all branches. Each of them becomes elements of the page. */
const MAX_ENTRIES = 2_000;

/** Branches within one another. */
const MAX_DEPTH = 60;

/** Characters of the paths of all entries: a long key above many entries is part of each path, which comparisons look up. */
const MAX_PATHS = 2_000_000;

/** Characters of all scalars: an alias repeats what it stands for. */
const MAX_SCALARS = 2 * MAX_CHARACTERS;

/** Keys that make a text of lines data, where nothing else says so: one line with a colon may be prose. */
const MIN_KEYS = 2;

/**
 * A scalar as it is written, but with the characters that escapes stand for, as far as they can be seen; or the entries of a
 * list or mapping.
 */
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
    const json = table === null && /^[[{]/.test(inner) ? new Json(inner).root() : null;
    const root = table ?? json ?? yamlOf(inner, /^y/i.test(fence?.[2] ?? ""));
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
  #characters = 0;

  make(depth: number, isList: boolean): { readonly branch: Branch; add(key: string, value: Data): void } {
    if (depth > MAX_DEPTH) {
      throw new BeyondLimits();
    }
    const entries: Entry[] = [];
    const add = (key: string, value: Data) => {
      this.#count += 1;
      this.#characters += typeof value === "string" ? value.length : 0;
      if (this.#count > MAX_ENTRIES || this.#characters > MAX_SCALARS) {
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

/** Shows the characters that escapes of JSON stand for, as far as they can be seen. */
function unescaped(written: string): string {
  // An escaped backslash is matched so that what stands behind it is no escape.
  return written.replace(/\\\\|(?:\\u[\da-f]{4})+/gi, (escapes) =>
    escapes === "\\\\"
      ? escapes
      : [...(JSON.parse(`"${escapes}"`) as string)]
          .map((sign) => (/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(sign) ? escaped(sign) : sign))
          .join(""),
  );
}

function escaped(sign: string): string {
  return sign
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

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

  #string(): string | null {
    const written = this.#take(STRING);
    return written === null ? null : unescaped(written);
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
      const key = isList ? String(branch.entries.length) : this.#string()?.slice(1, -1);
      this.#take(SPACE);
      if (key === undefined || !(isList || this.#skip(":"))) {
        return null;
      }
      const value = this.#branch(depth + 1) ?? this.#string() ?? this.#take(OTHER);
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

/** A key without quotes that has none of the signs of Markdown; `<<` merges what an alias stands for. */
const KEY = String.raw`<<|[\p{L}\p{N}_][\p{L}\p{N}_./@()%+ -]{0,99}`;
const PLAIN_KEY = new RegExp(`^(?:${KEY})$`, "u");

/** A line that begins with a key. */
const PAIR = new RegExp(`^(?:"[^"\\\\]*"|'[^']*'|${KEY}):(?:[ \\t]|$)`, "u");

/** A line of a YAML document that says nothing: a comment, its start, or a directive. */
const BLANK = /^(?:#|---(?:\s|$)|%|$)/;

/** Tags of scalars and collections that every reader of YAML knows. Others may make objects of programs. */
const TAG = /^!!(?:str|int|float|bool|null|map|seq)$/;

/** Text that is one YAML document; null for others. `isYaml`: it is said to be YAML, so that one key suffices. */
function yamlOf(text: string, isYaml: boolean): Branch | null {
  const first = text.split("\n").find((line) => !BLANK.test(line.trim()));
  if (first === undefined || !(isYaml || PAIR.test(first.trim()) || first.startsWith("- "))) {
    return null;
  }
  try {
    return new Yaml(text, parseEvents(text, { maxDepth: MAX_DEPTH })).root(isYaml);
  } catch (error) {
    if (error instanceof YAMLException) {
      return null;
    }
    throw error;
  }
}

/** Branches of the events of a document. Nothing is made of tags, and an alias repeats events: both stay in the limits. */
class Yaml {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #branches = new Branches();
  /** The place of each event that has a name. */
  readonly #anchors = new Map<string, number>();
  #at = 0;
  #keys = 0;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  root(isYaml: boolean): Branch | null {
    const isDocument = this.#take()?.type === EVENT_DOCUMENT;
    const root = isDocument ? this.#value(1, isYaml) : null;
    const isWhole = this.#take()?.type === EVENT_POP && this.#take() === undefined;
    if (root === null || typeof root === "string" || !isWhole) {
      return null;
    }
    // A list of Markdown has no item of several keys.
    const isSure = !root.isList || root.entries.some(([, item]) => typeof item !== "string" && item.entries.length > 1);
    return isYaml || (isSure && this.#keys >= MIN_KEYS) ? root : null;
  }

  #take(): Event | undefined {
    this.#at += 1;
    return this.#events[this.#at - 1];
  }

  /** The value that begins with the next event; null if it is not understood. */
  #value(depth: number, isYaml: boolean): Data | null {
    const at = this.#at;
    const event = this.#take();
    if (event === undefined || event.type === EVENT_DOCUMENT || event.type === EVENT_POP) {
      return null;
    }
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ALIAS) {
      const next = this.#at;
      this.#at = this.#anchors.get(name) ?? this.#events.length;
      const value = this.#value(depth, isYaml);
      this.#at = next;
      return value;
    }
    if (event.anchorStart >= 0) {
      this.#anchors.set(name, at);
    }
    const tag = event.tagStart < 0 ? "" : this.#text.slice(event.tagStart, event.tagEnd);
    if (tag !== "" && !TAG.test(tag)) {
      return null;
    }
    if (event.type === EVENT_SCALAR) {
      const value = getScalarValue(this.#text, event);
      const isQuoted = event.style === SCALAR_STYLE_DOUBLE_QUOTED || event.style === SCALAR_STYLE_SINGLE_QUOTED;
      // The empty lines at the end of a block are no part of what is to be seen.
      return isQuoted || tag === "!!str"
        ? JSON.stringify(value)
        : event.style === SCALAR_STYLE_PLAIN
          ? value
          : value.replace(/(?<!\n)\n+$/, "");
    }
    const isList = event.type === EVENT_SEQUENCE;
    const { branch, add } = this.#branches.make(depth, isList);
    while (this.#events[this.#at]?.type !== EVENT_POP) {
      const key = isList ? String(branch.entries.length) : this.#key(isYaml);
      const value = key === null ? null : this.#value(depth + 1, isYaml);
      if (key === null || value === null) {
        return null;
      }
      add(key, value);
    }
    this.#at += 1;
    return branch;
  }

  #key(isYaml: boolean): string | null {
    const event = this.#take();
    if (event?.type !== EVENT_SCALAR) {
      return null;
    }
    this.#keys += 1;
    const key = getScalarValue(this.#text, event);
    return isYaml || event.style !== SCALAR_STYLE_PLAIN || PLAIN_KEY.test(key) ? key : null;
  }
}

/** Marks of Markdown that are rare in data. */
const MARKDOWN = /\*\*|\S\*$|\S\*\s|`|\]\(|^ *(?:[*+>|]|\d+[.)]) /m;

/** A line at the left of a YAML document that is no entry: of a tag, a directive, or brackets. */
const OUTER = /^(?:[!%]\S|---|\.\.\.|[\]}],?$|- )/;

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
