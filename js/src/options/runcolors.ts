// The colors of the runs: one a run, one a group, or a color scale along a hyperparameter.

import { computed, type ReadonlySignal } from "@preact/signals";
import { runColor, runDash, scaleColor } from "../lib/colors";
import type { RegexWorker } from "../lib/namematcher";
import { HPARAM } from "../lib/runcolumns";
import { noColor, type Theme } from "../lib/tokens";
import { type Attribute, attributeOf, type RunAttributes } from "../wire/runfacts";
import type { Store } from "../wire/store";
import type { Option } from "./declare";
import { FOLDER, folderOf, type GroupOf, type GroupProblem, REGEX, RunGroups } from "./rungroups";

/** The value of the trait `run_color_by` that leaves it to the page. */
export const AUTO = "auto";

/** Runs are colored by group automatically from this many runs on, and with this many groups. */
const MIN_RUNS = 13;
const MIN_GROUPS = 2;
const MAX_GROUPS = 8;

/** Words that say what a run measures. One training has a run of each, so they tell no trainings apart. */
const SPLIT = /(?:^|[/_.\s-])(?:train(?:ing)?|val(?:id(?:ation)?)?|test(?:ing)?|eval(?:uation)?)(?=$|[/_.\s-])/giu;

export type ColorOf = (run: string, theme: Theme) => string;

/** From this many different numbers on, they lie on a scale; fewer have a color each. */
const MIN_SCALED_NUMBERS = 6;

/** The scale is logarithmic from this ratio of its ends on. */
const MIN_LOG_RATIO = 100;

export interface ColorScale {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly log: boolean;
}

/** "auto", "run", "group", "folder", "regex:…" or "hparam:…"; null for anything else. */
export function parseColoring(text: string): string | null {
  const isNamed = [REGEX, HPARAM].some((kind) => text.startsWith(kind) && text.length > kind.length);
  return [AUTO, "run", "group", FOLDER].includes(text) || isNamed ? text : null;
}

/** Whether runs are to be colored by these groups without being asked. */
export function tellApart(runs: readonly string[], groupOf: GroupOf): boolean {
  if (runs.length < MIN_RUNS) {
    return false;
  }
  const groups = new Set(runs.map(groupOf));
  const trained = new Set([...groups].map((group) => group.replace(SPLIT, "")));
  const isNamed = !groups.has("");
  return isNamed && groups.size >= MIN_GROUPS && groups.size <= MAX_GROUPS && trained.size === groups.size;
}

/** The coloring that "auto" stands for. `grouped`: the groups of the list, if it has any. */
export function automaticColoring(
  runs: readonly string[],
  attributes: RunAttributes,
  grouped: GroupOf | null,
): "run" | "group" | string {
  if (grouped !== null) {
    return tellApart(runs, grouped) ? "group" : "run";
  }
  if (runs.length < MIN_RUNS) {
    return "run";
  }
  if (tellApart(runs, folderOf)) {
    return FOLDER;
  }
  const valuesOf = (name: string) => (run: string) => String(attributeOf(attributes, run, name) ?? "");
  const varies = (name: string) => {
    const of = valuesOf(name);
    const first = of(runs[0] ?? "");
    return runs.some((run) => of(run) !== first);
  };
  const varying = attributes.names.filter(varies);
  const [only = "", ...others] = varying;
  return others.length === 0 && only !== "" && tellApart(runs, valuesOf(only)) ? HPARAM + only : "run";
}

/** The scale of these values, if they lie on one. */
export function scaleOf(name: string, values: readonly (Attribute | undefined)[]): ColorScale | null {
  const held = new Set(values.filter((value) => value !== undefined));
  const numbers = [...held].filter((value) => typeof value === "number");
  if (numbers.length < MIN_SCALED_NUMBERS || numbers.length < held.size) {
    return null;
  }
  const least = numbers.reduce((a, b) => Math.min(a, b));
  const most = numbers.reduce((a, b) => Math.max(a, b));
  return { name, least, most, log: least > 0 && most / least >= MIN_LOG_RATIO };
}

/** Where a value lies on a scale, from 0 to 1. */
export function placeOn({ least, most, log }: ColorScale, value: number): number {
  const at = log ? Math.log : (x: number) => x / 2;
  const place = (at(value) - at(least)) / (at(most) - at(least));
  return Math.min(1, Math.max(0, Number.isNaN(place) ? 0 : place));
}

/** Ranks the groups by the smallest number of their runs, so that a later group changes no other group's rank. */
export function groupRanks(
  runs: readonly string[],
  groupOf: GroupOf,
  numberOf: (run: string) => number,
): ReadonlyMap<string, number> {
  const least = new Map<string, number>();
  for (const run of runs) {
    const group = groupOf(run);
    if (group !== "") {
      least.set(group, Math.min(numberOf(run), least.get(group) ?? Number.POSITIVE_INFINITY));
    }
  }
  const order = [...least].sort(([, a], [, b]) => a - b);
  return new Map(order.map(([group], rank) => [group, rank]));
}

interface Options {
  readonly store: Pick<Store, "runs" | "runNumbers" | "runAttributes" | "settled">;
  /** Colors that were chosen for runs. */
  readonly chosen: Option<ReadonlyMap<string, string>>;
  readonly colorBy: Option<string>;
  readonly groups: RunGroups;
  readonly worker: RegexWorker;
}

export class RunColors {
  /** The coloring in effect: the option, or what "auto" stands for. */
  readonly by: ReadonlySignal<string>;
  /** Colors as #rrggbb: the user's color of the run, or its color by number, group or hyperparameter. */
  readonly colorOf: ReadonlySignal<ColorOf>;
  /** The lengths of dashes and gaps in CSS pixels; empty for a solid line. */
  readonly dashOf: ReadonlySignal<(run: string) => readonly number[]>;
  /** Why the expression that colors are chosen by has no effect. */
  readonly problem: ReadonlySignal<GroupProblem | null>;
  /** Scale of the colors, if they follow a hyperparameter. */
  readonly scale: ReadonlySignal<ColorScale | null>;
  /** The groups that the colors tell apart; null where they tell runs apart, or lie on a scale. */
  readonly groups: ReadonlySignal<readonly string[] | null>;
  /** The color of a group; null where runs do not have their colors by groups. */
  readonly colorOfGroup: ReadonlySignal<((group: string, theme: Theme) => string) | null>;

  constructor({ store, chosen, colorBy: option, groups, worker }: Options, until: AbortSignal) {
    // Computed again until the initial scan is complete, and then kept: later runs change no other run's color. The groups
    // below follow it, so that it is computed in time.
    let kept: { readonly grouping: string; readonly by: string } | null = null;
    const found = computed(() => {
      const [grouping, runs] = [groups.by.value, store.runs.value];
      const isComplete = store.settled.value && runs.length > 0;
      if (kept?.grouping === grouping) {
        return kept.by;
      }
      const grouped = groups.grouped.value ? groups.groupOf.value : null;
      const by = automaticColoring(runs, store.runAttributes.value, grouped);
      // A regular expression finds its groups a moment later.
      const hasGroups = grouped === null || runs.some((run) => grouped(run) !== "");
      kept = isComplete && hasGroups ? { grouping, by } : null;
      return by;
    });
    this.by = computed(() => (option.value === AUTO ? found.value : option.value));
    const colorBy = this.by;
    // Until the kernel has numbered a run, its place in the list stands for its number.
    const places = computed(() => new Map(store.runs.value.map((run, place) => [run, place])));
    const numberOf = computed(() => {
      const numbers = store.runNumbers.value;
      return (run: string) => {
        const number = numbers.get(run) ?? -1;
        return number >= 0 ? number : (places.value.get(run) ?? 0);
      };
    });
    const attribute = computed(() => {
      const by = colorBy.value;
      const attributes = store.runAttributes.value;
      const name = by.startsWith(HPARAM) ? by.slice(HPARAM.length) : null;
      return name === null ? null : { name, of: (run: string) => attributeOf(attributes, run, name) };
    });
    this.scale = computed(() => {
      const { name, of } = attribute.value ?? {};
      return name === undefined || of === undefined ? null : scaleOf(name, store.runs.value.map(of));
    });
    const isOwn = (by: string) => by === FOLDER || by.startsWith(REGEX) || by.startsWith(HPARAM);
    const ownBy = computed(() => (isOwn(colorBy.value) ? colorBy.value : ""));
    const own = new RunGroups(store.runs, ownBy, worker, until, store.runAttributes);
    this.problem = own.problem;
    const groupOf = computed(() => {
      const by = colorBy.value;
      const from = by === "run" || this.scale.value !== null ? null : by === "group" ? groups : own;
      return from?.grouped.value === true ? from.groupOf.value : null;
    });
    const ranks = computed(() => groupOf.value && groupRanks(store.runs.value, groupOf.value, numberOf.value));
    this.groups = computed(() => ranks.value && [...ranks.value.keys()]);
    this.colorOfGroup = computed(() => {
      const held = ranks.value;
      return held && ((group, theme) => colorAt(held.get(group), theme));
    });
    this.colorOf = computed(() => {
      const [given, number, scale, of] = [chosen.value, numberOf.value, this.scale.value, attribute.value?.of];
      const [group, ofGroup] = [groupOf.value, this.colorOfGroup.value];
      return (run, theme) => {
        const color = given.get(run);
        if (color !== undefined) {
          return color;
        }
        if (scale !== null) {
          const value = of?.(run);
          return typeof value === "number" ? scaleColor(placeOn(scale, value), theme) : noColor[theme];
        }
        return group && ofGroup ? ofGroup(group(run), theme) : runColor(number(run), theme);
      };
    });
    this.dashOf = computed(() => {
      const [number, each] = [numberOf.value, this.scale.value === null && groupOf.value === null];
      return (run) => (each ? runDash(number(run)) : []);
    });
  }
}

function colorAt(rank: number | undefined, theme: Theme): string {
  return rank === undefined ? noColor[theme] : runColor(rank, theme);
}
