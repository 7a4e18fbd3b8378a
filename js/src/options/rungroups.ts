// Which group each run belongs to: its folder, the text that a regular expression captures of its name, or the value of a
// hyperparameter. Many different numbers become a few ranges.
//
// Expressions run in the worker, where one that takes forever can be ended. Nothing here knows what groups are used for.

import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { formatExact, formatRange } from "../lib/format";
import { NameMatcher, type PatternFault, type RegexWorker } from "../lib/namematcher";
import { HPARAM } from "../lib/runcolumns";
import type { Attribute } from "../wire/runfacts";
import { attributeOf, NO_ATTRIBUTES, type RunAttributes } from "../wire/runfacts";
import type { Option } from "./declare";

/** The value of the trait `group_by`: "" for no groups, "folder", REGEX and an expression, or HPARAM and a name. */
export type GroupBy = string;

export const FOLDER = "folder";
export const REGEX = "regex:";

/** Why the expression is not in effect. */
export type GroupProblem = PatternFault | "ended" | "unavailable";

/** The name of a run's group; "" for the runs that belong to none. */
export type GroupOf = (run: string) => string;

const noGroup: GroupOf = () => "";

/** The part of a run's name before its last slash. */
export function folderOf(run: string): string {
  return run.slice(0, Math.max(0, run.lastIndexOf("/")));
}

export class RunGroups {
  /** The option. */
  readonly by: Pick<Option<GroupBy>, "value">;
  /** There are groups: runs are told apart by them. */
  readonly grouped: ReadonlySignal<boolean>;
  /** Runs whose names the expression does not match, or not yet, are in the group "". */
  readonly groupOf: ReadonlySignal<GroupOf>;
  readonly problem: ReadonlySignal<GroupProblem | null>;

  constructor(
    runs: ReadonlySignal<readonly string[]>,
    groupBy: Pick<Option<GroupBy>, "value">,
    worker: RegexWorker,
    until: AbortSignal,
    attributes: ReadonlySignal<RunAttributes> = signal(NO_ATTRIBUTES),
  ) {
    const grouped = signal(false);
    const groupOf = signal<GroupOf>(noGroup);
    const problem = signal<GroupProblem | null>(null);
    this.by = groupBy;
    [this.grouped, this.groupOf, this.problem] = [grouped, groupOf, problem];
    const none = new NameMatcher("", worker);
    let matcher = none;
    const replace = (by: NameMatcher) => {
      matcher.close();
      matcher = by;
    };
    const refuse = (reason: GroupProblem) => {
      [problem.value, groupOf.value, grouped.value] = [reason, noGroup, false];
      // Earlier results no longer hold: the same expression is matched again.
      replace(none);
    };
    const end = effect(() => {
      const [by, names] = [groupBy.value, runs.value];
      const name = by.startsWith(HPARAM) ? by.slice(HPARAM.length) : "";
      const held = name === "" ? NO_ATTRIBUTES : attributes.value;
      untracked(() => {
        const source = by.startsWith(REGEX) ? by.slice(REGEX.length) : "";
        problem.value = null;
        grouped.value = by === FOLDER || source !== "" || name !== "";
        if (source === "") {
          groupOf.value = by === FOLDER ? folderOf : name === "" ? noGroup : byValue(names, held, name);
          replace(none);
          return;
        }
        if (source !== matcher.text) {
          replace(new NameMatcher(source, worker));
          groupOf.value = noGroup;
        }
        const { pattern } = matcher;
        if (pattern.type === "invalid") {
          refuse(pattern.fault);
          return;
        }
        if (names.every((run) => matcher.knows(run))) {
          return;
        }
        const asked = matcher;
        void asked.learn(names).then((outcome) => {
          if (outcome === "known") {
            groupOf.value = (run) => asked.captured(run) ?? "";
          } else if (outcome !== "unwanted" && outcome !== "untried") {
            refuse(outcome);
          }
        });
      });
    });
    const abandon = () => {
      end();
      matcher.close();
    };
    until.addEventListener("abort", abandon, { once: true });
  }
}

/** Groups by a hyperparameter. */
function byValue(runs: readonly string[], attributes: RunAttributes, name: string): GroupOf {
  const ofRun = (run: string) => attributeOf(attributes, run, name);
  const titleOf = groupTitles(runs.map(ofRun));
  return (run) => titleOf(ofRun(run));
}

/** Runs by their groups, in the order of the runs; those in none come last. */
export function runsByGroup(runs: readonly string[], groupOf: GroupOf): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const run of runs) {
    const group = groupOf(run);
    const members = found.get(group);
    if (members === undefined) {
      found.set(group, [run]);
    } else {
      members.push(run);
    }
  }
  const rest = found.get("");
  if (rest !== undefined) {
    found.delete("");
    found.set("", rest);
  }
  return found;
}

/** More distinct numbers than these are grouped by ranges. */
const MAX_VALUES = 10;
/** Ranges of about equally many runs. */
const MAX_RANGES = 5;

/** The title of the group of a value; "" for a run without one. `values`: one for each run. */
export function groupTitles(values: readonly (Attribute | undefined)[]): (value: Attribute | undefined) => string {
  const numbers = values.filter((value): value is number => typeof value === "number" && Number.isFinite(value));
  const distinct = [...new Set(numbers)];
  const groups = distinct.length > MAX_VALUES ? rangesOf(numbers) : distinct.map((value) => [value]);
  const ends = new Set(groups.flatMap((members) => [members[0] as number, members.at(-1) as number]));
  // Numbers that would be written alike are written in full.
  const text = new Set([...ends].map(formatExact)).size === ends.size ? formatExact : String;
  const titles = new Map<Attribute, string>();
  for (const members of groups) {
    const [least, most] = [members[0] as number, members.at(-1) as number];
    const title = formatRange(text(least), text(most));
    for (const value of members) {
      titles.set(value, title);
    }
  }
  return (value) => (value === undefined ? "" : (titles.get(value) ?? String(value)));
}

/** The distinct numbers of each range, ascending; equal numbers are in one range, by the middle one of them. */
function rangesOf(numbers: readonly number[]): number[][] {
  const sorted = numbers.toSorted((a, b) => a - b);
  const ranges = Array.from({ length: MAX_RANGES }, (): number[] => []);
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const value = sorted[from] as number;
    while (sorted[to] === value) {
      to += 1;
    }
    ranges[Math.floor((((from + to - 1) / 2) * MAX_RANGES) / sorted.length)]?.push(value);
  }
  return ranges.filter((members) => members.length > 0);
}
