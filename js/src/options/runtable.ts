// The options of the list of runs. Twin of tbwidget/options/runs.py.

import { parseColumn, parseSort } from "../lib/runcolumns";
import { defineOptions, flag, nameSet, type OptionSpec, parseNames, textOrNull, wholeOrNull } from "./declare";
import { AUTO, parseColoring } from "./runcolors";

/** Characters of a name that is shown in place of a run's own. */
const MAX_NAME_CHARACTERS = 1000;

/** Upper bounds for notes: keep in step with tbwidget/options/runs.py, where characters are code points. */
export const MAX_NOTES = 1000;
export const MAX_NOTE_CHARACTERS = 2000;

const columns: OptionSpec<readonly string[]> = {
  initial: [],
  remembered: true,
  parse: (value) => {
    const names = parseNames(value);
    return names?.every((name) => parseColumn(name) !== null) ? names : undefined;
  },
};

function textWhere(initial: string, isOne: (text: string) => boolean): OptionSpec<string> {
  return {
    initial,
    remembered: true,
    parse: (value) => (typeof value === "string" && isOne(value) ? value : undefined),
  };
}

function firstOf(text: string, characters: number): string {
  return text.length <= characters ? text : Array.from(text).slice(0, characters).join("");
}

/** A text for each of some runs. */
function textsOfRuns(characters: number, most: number): OptionSpec<ReadonlyMap<string, string>> {
  return {
    // A map: runs have any names, "constructor" too.
    initial: new Map(),
    remembered: true,
    parse: (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? new Map(
            Object.entries(value)
              .slice(0, most)
              // By code points, as Python counts: a character that is cut in two cannot be sent.
              .map(([run, text]) => [run, firstOf(String(text), characters)]),
          )
        : undefined,
    serialize: (held) => Object.fromEntries(held),
  };
}

/** CSS pixels. */
export const MIN_RUNS_WIDTH_PX = 120;
export const MAX_RUNS_WIDTH_PX = 2000;

const sort = textWhere("", (text) => parseSort(text) !== null);
const coloring = textWhere(AUTO, (text) => parseColoring(text) !== null);

export const runTableOptions = defineOptions({
  run_columns: columns,
  run_sort: sort,
  run_names: textsOfRuns(MAX_NAME_CHARACTERS, Number.POSITIVE_INFINITY),
  run_notes: textsOfRuns(MAX_NOTE_CHARACTERS, MAX_NOTES),
  archived_runs: nameSet(),
  show_archived: flag(false),
  run_color_by: coloring,
  /** Null: chosen by `lib/headline.ts`. "": none. */
  headline_tag: textOrNull(),
  runs_width: wholeOrNull(MIN_RUNS_WIDTH_PX, MAX_RUNS_WIDTH_PX),
});
