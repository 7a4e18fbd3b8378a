// A message as the kernel would send it, made here of what is held: for a page that is saved and opened without a kernel.

import type { Named, Versioned } from "./kind";
import { waysOf } from "./kinds";
import { PROTOCOL, type Status } from "./protocol";
import { ColumnWriter } from "./writer";

/** One message as text: its header, and its buffer in base64. */
export interface SavedMessage {
  readonly header: unknown;
  readonly buffer: string;
}

/** A series as it is held; its kind says what it is. */
export interface HeldSeries extends Named {
  readonly series: Versioned;
}

/** A keyframe that says each of these series from its first row on. */
export function encode(named: readonly HeldSeries[], status: Status): SavedMessage {
  const columns = new ColumnWriter();
  const runs = new Map<string, number>();
  const tags = new Map<string, number>();
  const series = named.map(({ kind, run, tag, series: held }) => ({
    kind,
    run: indexIn(runs, run),
    tag: indexIn(tags, tag),
    ...waysOf(kind).encode(held, columns),
  }));
  const { ready, read, path, exists, newest, leftOut, problems, problemList, kinds } = status;
  const list = problemList?.map(({ path: file, offset, message }) => [file, offset, message]);
  const told = { ready, read, path, exists, newest, age: null, left_out: leftOut, problems, kinds };
  const header = {
    type: "data",
    protocol: PROTOCOL,
    seq: 1,
    keyframe: 1,
    begins: true,
    ends: true,
    status: list === undefined ? told : { ...told, problem_list: list },
    runs: [...runs.keys()],
    tags: [...tags.keys()],
    columns: columns.table,
    series,
    details: [],
  };
  return { header, buffer: columns.base64() };
}

function indexIn(table: Map<string, number>, name: string): number {
  const index = table.get(name) ?? table.size;
  table.set(name, index);
  return index;
}
