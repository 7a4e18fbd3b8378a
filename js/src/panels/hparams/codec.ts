// The hyperparameters of all sessions, and the declarations about them and about metrics. Twin of tbwidget/panels/hparams.py.

import type { DocumentCodec } from "../../wire/codec";
import { list, type Row, row } from "../../wire/columns";
import type { Attribute, RunAttributes } from "../../wire/runfacts";

export const STATUSES = ["SUCCESS", "FAILURE", "RUNNING", "UNKNOWN"] as const;

export type Status = (typeof STATUSES)[number];

export interface HParamInfo {
  readonly name: string;
  /** May be empty, as the description. */
  readonly title: string;
  readonly description: string;
  /** As declared: "string", "bool", "float"; empty if it is not. */
  readonly type: string;
  /** The source of its values: hparams summaries, an hparams.yaml, or the names of runs. */
  readonly source: "summary" | "yaml" | "name";
}

/** The scalar `tag` of the run `group` below each session's run. */
export interface MetricInfo {
  readonly group: string;
  readonly tag: string;
  readonly title: string;
  readonly description: string;
}

export interface Session {
  readonly run: string;
  readonly status: Status;
  /** Sessions of one group are repetitions; empty for a session that stands for itself. */
  readonly group: string;
  /** Seconds since the epoch; null where that was not written. */
  readonly start: number | null;
  readonly end: number | null;
}

export interface HParamsDocument {
  readonly hparams: readonly HParamInfo[];
  /** Empty where none are declared: then all scalars of sessions are metrics. */
  readonly metrics: readonly MetricInfo[];
  readonly sessions: readonly Session[];
  /** For each hyperparameter one value a session; undefined where it has none. */
  readonly values: readonly (readonly (Attribute | undefined)[])[];
  readonly attributes: RunAttributes;
  /** Names of the log directories, where there are several: runs begin with them. */
  readonly directories: readonly string[];
  /** Hyperparameters that there was no room for. */
  readonly leftOut: number;
}

export const hparamsDocument: DocumentCodec<HParamsDocument> = {
  kind: "hparams",
  sort: "document",
  isOfDirectory: true,
  decode: (bytes) => decodeDocument(JSON.parse(new TextDecoder().decode(bytes))),
  attributesOf: ({ attributes }) => attributes,
};

function decodeDocument(document: unknown): HParamsDocument {
  const { hparams, metrics, runs, status, groups, start, end, values, aliases, directories, left_out } = row(document);
  const infos = list(hparams).map((info) => hparamInfo(row(info)));
  const [states, names, starts, ends] = [status, groups, start, end].map((column) => list(column ?? []));
  const sessions = list(runs).map((run, i): Session => {
    return {
      run: String(run),
      status: STATUSES.find((one) => one === states?.[i]) ?? "UNKNOWN",
      group: text(names?.[i]),
      start: timeOrNull(starts?.[i]),
      end: timeOrNull(ends?.[i]),
    };
  });
  const columns = list(values).map(list);
  const typed = infos.map(({ type }, place) => {
    const column = sessions.map((_, i) => attribute(columns[place]?.[i]));
    const isNumeric = type === "float" || column.some((value) => typeof value === "number");
    return isNumeric ? column.map(withoutNumber) : column;
  });
  const declared = list(metrics).map((info): MetricInfo => {
    const { group, tag, title, description } = row(info);
    return { group: text(group), tag: text(tag), title: text(title), description: text(description) };
  });
  const attributes = decodedAttributes(infos, sessions, typed, row(aliases ?? {}));
  const leftOut = typeof left_out === "number" ? left_out : 0;
  return {
    ...{ hparams: infos, metrics: declared, sessions, values: typed, attributes, leftOut },
    directories: list(directories ?? []).map(text),
  };
}

function hparamInfo({ name, title, description, type, source }: Row): HParamInfo {
  return {
    name: text(name),
    title: text(title),
    description: text(description),
    type: text(type),
    source: source === "yaml" ? "yaml" : "summary",
  };
}

/** Attributes by which the list of runs sorts, groups and colors, and the runs that have ended. */
export function decodedAttributes(
  infos: readonly HParamInfo[],
  sessions: readonly Session[],
  values: readonly (readonly (Attribute | undefined)[])[],
  aliases: Row = {},
): RunAttributes {
  const rows = sessions.map((_, i) => {
    const held = infos.map(({ name }, place) => [name, values[place]?.[i]] as const);
    return new Map(held.filter((one): one is [string, Attribute] => one[1] !== undefined));
  });
  const byRun = new Map(sessions.map(({ run }, i) => [run, rows[i] ?? new Map<string, Attribute>()]));
  const isOver = ({ status, end }: Session) => end !== null || status === "SUCCESS" || status === "FAILURE";
  const ended = new Set(sessions.filter(isOver).map(({ run }) => run));
  for (const [alias, i] of Object.entries(aliases)) {
    const [found, session] = [rows[Number(i)], sessions[Number(i)]];
    if (found !== undefined && session !== undefined && !byRun.has(alias)) {
      byRun.set(alias, found);
      if (isOver(session)) {
        ended.add(alias);
      }
    }
  }
  return { names: infos.map(({ name }) => name), byRun, ended };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function timeOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function attribute(value: unknown): Attribute | undefined {
  return typeof value === "number" || typeof value === "string" || typeof value === "boolean" ? value : undefined;
}

const WITHOUT_NUMBER: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
]);

/** JSON has no NaN and no infinities: they travel as texts. */
function withoutNumber(value: Attribute | undefined): Attribute | undefined {
  return typeof value === "string" ? (WITHOUT_NUMBER.get(value.toLowerCase()) ?? value) : value;
}
