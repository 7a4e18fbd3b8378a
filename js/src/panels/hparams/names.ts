// Hyperparameters in the names of runs: "lr=0.01,bs=32", "lr0.01_bs32", "sweep/opt-adam_seed_3".

import type { Attribute } from "../../wire/runfacts";
import { decodedAttributes, type HParamInfo, type HParamsDocument } from "./codec";

/** Characters of a name that are looked at, and hyperparameters that are taken of one. */
const MAX_CHARACTERS = 1000;
const MAX_PARAMETERS = 64;

/** Hyperparameters that are taken of the names of all runs. */
const MAX_NAMES = 1000;

const NUMBER = "[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?";

const SEPARATOR = /[,;&\s()[\]{}]+/u;
const NAME = /^[A-Za-z][\w.-]*$/u;
const IS_NUMBER = new RegExp(`^${NUMBER}$`, "iu");

/** "lr0.01", "bs32", "lr-1e-4", "seed_3": a word and a number. */
const JOINED = new RegExp(`^([A-Za-z]+(?:_[A-Za-z]+)*)[-_]?(${NUMBER})$`, "iu");

/** Words that number runs, and say nothing of how they were run. */
const COUNTERS = new Set(["run", "trial", "version", "v", "exp", "experiment", "try", "attempt", "job", "part"]);

/** How torch names the run of a writer: month and day, time. */
const DATE = /^[A-Z][a-z]{2}\d\d_\d\d-\d\d-\d\d_/u;

/** The hyperparameters in the name of a run. */
export function parametersIn(run: string): Map<string, Attribute> {
  const found = new Map<string, Attribute>();
  for (const part of run.slice(0, MAX_CHARACTERS).split("/")) {
    const before = found.size;
    for (const [name, value] of assignedIn(part)) {
      add(found, name, value);
    }
    if (found.size > before) {
      continue;
    }
    const joined = wordsOf(part.replace(DATE, "")).flatMap((word): (readonly [string, string])[] => {
      const [, name = "", value] = JOINED.exec(word) ?? [];
      return value === undefined || COUNTERS.has(name.toLowerCase()) ? [] : [[name, value]];
    });
    // A lone "model2" counts models; "lr0.01" and "lr2_bs32" say how a run was run.
    if (joined.length > 1 || joined.some(([, value]) => !/^\d+$/.test(value))) {
      for (const [name, value] of joined) {
        add(found, name, value);
      }
    }
  }
  return found;
}

function add(found: Map<string, Attribute>, name: string, text: string): void {
  if (NAME.test(name) && text !== "" && found.size < MAX_PARAMETERS) {
    found.set(name, parsedValue(text));
  }
}

/** "lr=0.01,bs=32": what stands between two signs is a value and the next name. */
function assignedIn(part: string): (readonly [name: string, value: string])[] {
  const [first = "", ...others] = part.split("=");
  const found: (readonly [string, string])[] = [];
  let name = first.split(SEPARATOR).at(-1) ?? "";
  others.forEach((text, i) => {
    const [value, next] = i < others.length - 1 ? dividedValue(text) : [text.split(SEPARATOR)[0] ?? "", ""];
    found.push([name.replace(/^[_.-]+/, ""), value.replace(/[_.-]+$/, "")]);
    name = next;
  });
  return found;
}

/** A value and the name behind it: "0.1,bs", "1e-4_batch_size", "adam_bs". */
function dividedValue(text: string): readonly [value: string, name: string] {
  const words = text.split(SEPARATOR);
  if (words.length > 1) {
    return [words[0] ?? "", words.at(-1) ?? ""];
  }
  const pieces = text.split("_");
  const numbers = pieces.findIndex((_, i) => i > 0 && isPlain(pieces.slice(0, i).join("_")));
  const at = numbers > 0 ? numbers : pieces.length - 1;
  return [pieces.slice(0, at).join("_"), pieces.slice(at).join("_")];
}

function isPlain(text: string): boolean {
  return IS_NUMBER.test(text) || /^(?:true|false|none)$/iu.test(text);
}

/** The words between separators; "seed_3" is one. */
function wordsOf(part: string): string[] {
  const pieces = part.split(/[,;&\s_]+|(?<=\d)-(?=[A-Za-z])/u);
  return pieces.flatMap((piece, i) => {
    const next = pieces[i + 1];
    const isNamed = /^[A-Za-z]+$/u.test(piece);
    return isNamed && next !== undefined && IS_NUMBER.test(next) ? [`${piece}_${next}`] : [piece];
  });
}

function parsedValue(text: string): Attribute {
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") {
    return lower === "true";
  }
  return IS_NUMBER.test(text) ? Number(text) : text;
}

/** Hyperparameters that vary among the names of some runs, with a value for each run. */
export function namedParameters(runs: readonly string[]): ReadonlyMap<string, readonly (Attribute | undefined)[]> {
  const parsed = runs.map(parametersIn);
  const names = varyingNames(parsed).slice(0, MAX_NAMES);
  return new Map(names.map((name) => [name, parsed.map((parameters) => parameters.get(name))]));
}

/** Names with several values. They come before columns: a name that only one run has does not belong to a sweep. */
function varyingNames(parsed: readonly ReadonlyMap<string, Attribute>[]): string[] {
  const known = new Map<string, { readonly first: Attribute; varies: boolean }>();
  for (const parameters of parsed) {
    for (const [name, value] of parameters) {
      const one = known.get(name);
      if (one === undefined) {
        known.set(name, { first: value, varies: false });
      } else {
        one.varies ||= one.first !== value;
      }
    }
  }
  return [...known].flatMap(([name, { varies }]) => (varies ? [name] : []));
}

const judged = new WeakMap<readonly string[], boolean>();

/** Whether the names of some runs say how they differ. */
export function areNamed(runs: readonly string[]): boolean {
  let found = judged.get(runs);
  if (found === undefined) {
    found = runs.length > 1 && varyingNames(runs.map(parametersIn)).length > 0;
    judged.set(runs, found);
  }
  return found;
}

/** A document made of the names of runs, for those that have hyperparameters in theirs; null where none vary. */
export function documentOfNames(runs: readonly string[]): HParamsDocument | null {
  const all = namedParameters(runs);
  const places = runs.flatMap((_, i) => ([...all.values()].some((values) => values[i] !== undefined) ? [i] : []));
  if (all.size === 0) {
    return null;
  }
  // A run below another one belongs to it, as evaluations do, where its own name says nothing more.
  const named = new Map(places.map((i) => [runs[i] ?? "", parametersIn(runs[i] ?? "").size]));
  const kept = places.filter((i) => {
    const run = runs[i] ?? "";
    for (let end = run.lastIndexOf("/"); end > 0; end = run.lastIndexOf("/", end - 1)) {
      const above = named.get(run.slice(0, end));
      if (above !== undefined) {
        return (named.get(run) ?? 0) > above;
      }
    }
    return true;
  });
  const hparams = [...all.keys()].map((name) => namedInfo(name));
  const sessions = kept.map((i) => ({
    ...{ run: runs[i] ?? "", group: "", start: null, end: null },
    status: "UNKNOWN" as const,
  }));
  const values = [...all.values()].map((column) => kept.map((i) => column[i]));
  const attributes = decodedAttributes(hparams, sessions, values);
  return { hparams, metrics: [], sessions, values, attributes, directories: [], leftOut: 0 };
}

/** The document with the columns that the names of its runs have beside those that it knows. */
export function withNames(document: HParamsDocument): HParamsDocument {
  const known = new Set(document.hparams.map(({ name }) => name));
  const all = [...namedParameters(document.sessions.map(({ run }) => run))].filter(([name]) => !known.has(name));
  return all.length === 0
    ? document
    : {
        ...document,
        hparams: [...document.hparams, ...all.map(([name]) => namedInfo(name))],
        values: [...document.values, ...all.map(([, values]) => values)],
      };
}

function namedInfo(name: string): HParamInfo {
  return { name, title: "", description: "", type: "", source: "name" };
}
