// Rows and columns of the sessions, and the filters of columns: each session is a row, or the trials of a group are averaged in one.

import { computed, untracked } from "@preact/signals";
import { formatCount, formatExact, formatValue, withSigns } from "../../lib/format";
import { RegexWorker } from "../../lib/namematcher";
import { type PatternMatches, Patterns } from "../../options/patterns";
import { uiTexts } from "../../ui/texts";
import type { Attribute } from "../../wire/runfacts";
import type { HParamInfo, HParamsDocument, MetricInfo, Session, Status } from "./codec";
import type { ColumnFilter } from "./options";
import { hparamsTexts } from "./texts";

/** A value; one that is missing is undefined. */
export type Value = Attribute;

export type ColumnType = "number" | "text" | "boolean" | "mixed";

export interface Column {
  /** "hparam:lr", "metric:val/acc": as options name it. */
  readonly key: string;
  readonly kind: "hparam" | "metric";
  readonly title: string;
  readonly hint: string;
  readonly type: ColumnType;
  /** One a row. NaN and infinities are values. */
  readonly values: readonly (Value | undefined)[];
}

export interface SessionRow {
  /** No other row has it. */
  readonly key: string;
  /** The session's run; for a group, the run of its first session. */
  readonly run: string;
  readonly runs: readonly string[];
  /** Set for a row that averages the trials of a group. */
  readonly group: string | null;
  readonly status: Status;
  /** Seconds since the epoch; of a group, when its first session began and its last one ended. */
  readonly start: number | null;
  readonly end: number | null;
}

export const HPARAM_KEY = "hparam:";
export const METRIC_KEY = "metric:";

/** The sessions of each row. */
export type Members = readonly (readonly number[])[];

/** A row for each session. Sessions in `running` count as running although no status was written. */
export function sessionRows(sessions: readonly Session[], running: ReadonlySet<string>): SessionRow[] {
  return sessions.map(({ run, status: written, start, end }) => {
    const status = running.has(run) ? "RUNNING" : written;
    return { key: run, run, runs: [run], group: null, status, start, end };
  });
}

/** The sessions of each group, in the order of the first ones. A session without a group stands for itself. */
export function membersOf(sessions: readonly Session[]): Members {
  const byGroup = new Map<string, number[]>();
  const members: number[][] = [];
  sessions.forEach(({ group }, i) => {
    const known = group === "" ? undefined : byGroup.get(group);
    if (known !== undefined) {
      known.push(i);
      return;
    }
    const own = [i];
    members.push(own);
    if (group !== "") {
      byGroup.set(group, own);
    }
  });
  return members;
}

/** A group has the first of these statuses that any of its trials has: no success hides a failure. */
const STATUS_ORDER: readonly Status[] = ["RUNNING", "FAILURE", "UNKNOWN", "SUCCESS"];

/** A row for each group, made of the rows of its sessions. A group of one session keeps the session's own row. */
export function groupRows(sessions: readonly Session[], members: Members, own: readonly SessionRow[]): SessionRow[] {
  return members.flatMap((places) => {
    const rows = places.flatMap((i) => own[i] ?? []);
    const [first] = rows;
    if (first === undefined || rows.length === 1) {
      return rows;
    }
    const group = sessions[places[0] ?? 0]?.group ?? "";
    return [
      {
        key: `group:${group}`,
        run: first.run,
        runs: rows.map(({ run }) => run),
        group,
        status: STATUS_ORDER.find((one) => rows.some(({ status }) => status === one)) ?? "UNKNOWN",
        start: least(rows.map(({ start }) => start)),
        end: rows.some(({ end }) => end === null) ? null : greatest(rows.map(({ end }) => end)),
      },
    ];
  });
}

/** The value that all trials of a group have; undefined where they differ. */
export function commonValue(values: readonly (Value | undefined)[], places: readonly number[]): Value | undefined {
  const first = values[places[0] ?? -1];
  return places.every((i) => isSame(values[i], first)) ? first : undefined;
}

/** The mean of the trials that have a value, as TensorBoard averages; undefined without any. */
export function meanValue(values: readonly (number | undefined)[], places: readonly number[]): number | undefined {
  let [sum, count] = [0, 0];
  for (const i of places) {
    const value = values[i];
    if (value !== undefined) {
      sum += value;
      count += 1;
    }
  }
  return count === 0 ? undefined : sum / count;
}

/** A column with what it is made of. */
export interface SessionColumn extends Column {
  /** One a session, also where the rows are groups. */
  readonly sessions: readonly (Value | undefined)[];
  readonly source: HParamInfo["source"] | "metric";
}

export interface Sessions {
  readonly rows: readonly SessionRow[];
  readonly hparams: readonly SessionColumn[];
  readonly metrics: readonly SessionColumn[];
}

/** The columns of hyperparameters. */
export function hparamColumns({ hparams, values }: HParamsDocument, members: Members | null): SessionColumn[] {
  return hparams.map((info, place) => {
    const held = values[place] ?? [];
    return new HParamColumn(info, held, members === null ? held : members.map((places) => commonValue(held, places)));
  });
}

class HParamColumn implements SessionColumn {
  readonly kind = "hparam";
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  readonly source: HParamInfo["source"];
  readonly sessions: readonly (Value | undefined)[];
  readonly values: readonly (Value | undefined)[];
  #type: ColumnType | undefined;

  constructor(
    { name, title, description, source }: HParamInfo,
    sessions: readonly (Value | undefined)[],
    values: readonly (Value | undefined)[],
  ) {
    this.key = HPARAM_KEY + name;
    this.title = title || name || hparamsTexts().empty;
    this.hint = [...new Set([name, title, description])].filter(Boolean).join("\n");
    this.source = source;
    this.sessions = sessions;
    this.values = values;
  }

  get type(): ColumnType {
    this.#type ??= typeOf(this.sessions);
    return this.#type;
  }
}

/** A metric and its possible scalars. The first one that a session has counts. */
export interface Metric {
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  readonly sources: readonly MetricInfo[];
}

/** The metrics. Declarations with the same name become one metric. */
export function metricsOf(infos: readonly MetricInfo[]): Metric[] {
  const byKey = new Map<string, MetricInfo[]>();
  for (const info of infos) {
    const key = METRIC_KEY + joinedName(info.group, info.tag);
    byKey.set(key, [...(byKey.get(key) ?? []), info]);
  }
  return [...byKey].map(([key, sources]) => {
    const name = key.slice(METRIC_KEY.length);
    const title = sources.find((info) => info.title !== "")?.title ?? (name || hparamsTexts().empty);
    const descriptions = sources.map(({ description }) => description);
    return { key, title, hint: [...new Set([name, title, ...descriptions])].filter(Boolean).join("\n"), sources };
  });
}

/** A name of a metric, with the group in which its scalars are. */
export function joinedName(group: string, tag: string): string {
  return group === "" ? tag : `${group}/${tag}`;
}

/** A metric's values, computed on demand: a sweep may have thousands of metrics, and the page shows a few. */
export class MetricColumn implements SessionColumn {
  readonly kind = "metric";
  readonly type = "number";
  readonly source = "metric";
  readonly key: string;
  readonly title: string;
  readonly hint: string;
  readonly #members: Members | null;
  readonly #compute: () => readonly (number | undefined)[];
  #sessions: readonly (number | undefined)[] | undefined;
  #values: readonly (number | undefined)[] | undefined;

  /** `compute` gives one value a session. */
  constructor({ key, title, hint }: Metric, members: Members | null, compute: () => readonly (number | undefined)[]) {
    this.key = key;
    this.title = title;
    this.hint = hint;
    this.#members = members;
    this.#compute = compute;
  }

  get isComputed(): boolean {
    return this.#sessions !== undefined;
  }

  get sessions(): readonly (number | undefined)[] {
    this.#sessions ??= this.#compute();
    return this.#sessions;
  }

  get values(): readonly (number | undefined)[] {
    const { sessions } = this;
    this.#values ??= this.#members?.map((places) => meanValue(sessions, places)) ?? sessions;
    return this.#values;
  }
}

/**
 * The run that a group names below a session's run; it leads out of none of the log directories. Twin of joined_run in
 * tbwidget/logs/kinds/hparams.py.
 */
export function joinedRun(run: string, group: string, directories: readonly string[] = []): string {
  if (group === "") {
    return run;
  }
  const parts: string[] = [];
  const directory = directories.find((name) => run === name || run.startsWith(`${name}/`));
  const top = directory?.split("/").length ?? 0;
  for (const part of `${run}/${group}`.split("/")) {
    if (part === "..") {
      parts.splice(Math.max(top, parts.length - 1));
    } else if (part !== "" && part !== ".") {
      parts.push(part);
    }
  }
  return parts.join("/") || ".";
}

/** The session that a run is of: itself, or the nearest above it; undefined for none. */
export function sessionAbove(run: string, sessions: { has(run: string): boolean }): string | undefined {
  let place = run;
  while (!sessions.has(place)) {
    const end = place.lastIndexOf("/");
    if (end <= 0) {
      return sessions.has(".") ? "." : undefined;
    }
    place = place.slice(0, end);
  }
  return place;
}

/** The path from that session to the run; null where there is none. */
export function groupBelow(run: string, sessions: ReadonlySet<string>): string | null {
  const session = sessionAbove(run, sessions);
  if (session === undefined || session === run) {
    return session === undefined ? null : "";
  }
  return session === "." ? run : run.slice(session.length + 1);
}

export function typeOf(values: readonly (Value | undefined)[]): ColumnType {
  let found: string | null = null;
  for (const value of values) {
    if (value !== undefined && typeof value !== found) {
      if (found !== null) {
        return "mixed";
      }
      found = typeof value;
    }
  }
  return found === "number" || found === "boolean" ? found : "text";
}

/** Whether two rows have different values, a missing one included; of some rows, if they are given. */
export function varies({ values }: Column, rows?: readonly number[]): boolean {
  const first = values[rows?.[0] ?? 0];
  return rows === undefined
    ? values.some((value) => !isSame(value, first))
    : rows.some((row) => !isSame(values[row], first));
}

/** Whether two sessions have different values, also where the rows are groups. */
export function sessionsVary({ sessions }: SessionColumn): boolean {
  return sessions.some((value) => !isSame(value, sessions[0]));
}

/** As a set compares: 0 and -0 are one value, and NaN is another one. */
function isSame(a: Value | undefined, b: Value | undefined): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

function least(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b));
}

function greatest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b));
}

/** Digits of a hyperparameter: fewer than float32 has; and those in the table. */
const DIGITS = 6;
const TABLE_DIGITS = 4;

/** A value as it was written: 1e-4, not 0.0001; whole numbers without decimals. */
export function parameterText(value: Value, digits = DIGITS): string {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    return typeof value === "number" ? formatValue(value) : String(value);
  }
  if (Number.isInteger(value) && Math.abs(value) < 1e15) {
    return formatExact(value);
  }
  const rounded = Number(value.toPrecision(digits));
  const isSmall = Math.abs(rounded) < 1e-3;
  return withSigns(isSmall ? rounded.toExponential() : String(rounded));
}

/** As the table shows it; empty where it is missing. */
export function textOf({ kind }: Column, value: Value | undefined): string {
  if (value === undefined) {
    return "";
  }
  return kind === "metric" && typeof value === "number" ? formatValue(value) : parameterText(value, TABLE_DIGITS);
}

/** The least and the greatest of some steps; null of none. */
export function endsOf(steps: readonly bigint[]): readonly [bigint, bigint] | null {
  const [first] = steps;
  const end = (isLeast: boolean) => steps.reduce((a, b) => (a < b === isLeast ? a : b), first ?? 0n);
  return first === undefined ? null : [end(true), end(false)];
}

/** The steps that values are of; empty for none. */
export function stepsText(steps: readonly bigint[]): string {
  const [first = "", last = ""] = endsOf(steps)?.map(formatCount) ?? [];
  return first === "" ? "" : first === last ? uiTexts().atStep(first) : uiTexts().atSteps(first, last);
}

export type Passes = (value: Value | undefined) => boolean;

/** Whether a value passes a filter that needs no expression. */
export function passesFilter(filter: Exclude<ColumnFilter, { pattern: string }>): Passes {
  if ("values" in filter) {
    const accepted = new Set(filter.values.map((value) => value ?? undefined));
    return (value) => accepted.has(value);
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = filter as { min?: number; max?: number };
  return (value) => typeof value === "number" && value >= min && value <= max;
}

/** The text that an expression is matched against: as it is shown, and with a plain minus. */
export function matchedText(value: Value): string {
  return typeof value === "number" ? parameterText(value).replace("−", "-") : String(value);
}

/** Filters by expressions. Each is matched against the texts of its column, where it can be ended. */
export class PatternFilters {
  readonly #worker = new RegexWorker();
  readonly #byKey = new Map<string, Patterns>();

  /** `valuesOf` gives the values of the column. */
  of(key: string, valuesOf: () => readonly (Value | undefined)[], pattern: string): PatternMatches {
    // It may be asked for while something is computed, which sets nothing.
    return untracked(() => {
      let patterns = this.#byKey.get(key);
      if (patterns === undefined) {
        const texts = computed(() => [...new Set(valuesOf().flatMap((value) => matchedTexts(value)))]);
        // A filter ends with its last subscriber, and the worker after its last task.
        patterns = new Patterns(texts, this.#worker, this.#worker, new AbortController().signal);
        this.#byKey.set(key, patterns);
      }
      return patterns.anywhere(pattern);
    });
  }
}

function matchedTexts(value: Value | undefined): string[] {
  return value === undefined ? [] : [matchedText(value)];
}
