// The messages from the kernel, decoded. Described in tbwidget/panels/WIRE.md; twin of tbwidget/panels/feed.py.

import { at, ColumnReader, integer, isRow, list, numberOrNull, ProtocolError, type Row, row } from "./columns";
import type { Named } from "./kind";
import { waysOf } from "./kinds";

/** Version of the messages. Keep in step with PROTOCOL in tbwidget/panels/draft.py. */
export const PROTOCOL = 4;

/** Seconds of silence after which the kernel sends a bare status. Keep in step with HEARTBEAT in tbwidget/panels/pace.py. */
export const HEARTBEAT = 30;

export interface Problem {
  readonly path: string;
  readonly offset: string | null;
  readonly message: string;
}

/** What the kernel's side is doing. */
export interface Status {
  /** The first pass over the directory has ended. */
  readonly ready: boolean;
  /** Bytes read, bytes found. */
  readonly read: readonly [number, number];
  readonly path: string;
  readonly exists: boolean;
  /** Wall time of the newest point, seconds since the epoch. */
  readonly newest: number | null;
  /** Seconds since something new was read, as the message left; null if nothing was since the first pass. */
  readonly age: number | null;
  /** Series that are not sent. */
  readonly leftOut: number;
  readonly problems: number;
  /** Kinds that have data. */
  readonly kinds: readonly string[];
  /** The first problems; absent when they are the same as before. */
  readonly problemList?: readonly Problem[];
}

export interface DataMessage {
  readonly seq: number;
  readonly keyframe: number;
  readonly begins: boolean;
  readonly ends: boolean;
  readonly status: Status;
  /** Parts of series, each as its kind has it; and stretches of them in detail. */
  readonly series: readonly Named[];
  readonly details: readonly Named[];
}

/** What the browser says. `complete`: every message since the last keyframe began was seen. */
export type Said = { readonly type: "hello" | "here" | "resync"; readonly complete: boolean } | ViewRequest;

/** What the user looks at. */
export interface ViewRequest {
  readonly type: "view";
  /** Tags, in the order of the screen. */
  readonly tags: readonly string[];
  /** Those of them that are held in less detail than they could be. */
  readonly want: readonly string[];
  /** First and last step in sight; null for all. */
  readonly range: readonly [number, number] | null;
  /** The tags of which only these steps are in sight; null: all of them. */
  readonly near: readonly string[] | null;
  /** The step that all charts point out, if any. */
  readonly linked: number | null;
  /** The last message seen. */
  readonly seq: number;
}

/** The message is of another version of the messages: none will be understood. */
export class VersionError extends ProtocolError {}

/** Decodes one message; null if it is none of ours. Throws ProtocolError, or what comes of nonsense, when it cannot be understood. */
export function decode(content: unknown, buffers: readonly DataView[]): DataMessage | null {
  if (!isRow(content) || content.type !== "data") {
    return null;
  }
  if (content.protocol !== PROTOCOL) {
    throw new VersionError(String(content.protocol));
  }
  const columns = new ColumnReader(list(content.columns), buffers[0]);
  const runs = list(content.runs).map(String);
  const tags = list(content.tags).map(String);
  return {
    seq: integer(content.seq),
    keyframe: integer(content.keyframe),
    begins: content.begins === true,
    ends: content.ends === true,
    status: decodeStatus(row(content.status)),
    series: entries(content.series, (entry, names) => waysOf(names.kind).decode(entry, names, columns)),
    details: entries(content.details, (entry, names) => waysOf(names.kind).decodeDetail(entry, names, columns)),
  };

  function entries(listed: unknown, decoded: (entry: Row, names: Named) => Named): Named[] {
    return list(listed).map((item) => {
      const entry = row(item);
      const [run, tag] = [at(runs, integer(entry.run)), at(tags, integer(entry.tag))];
      return decoded(entry, { kind: String(entry.kind), run, tag });
    });
  }
}

function decodeStatus(status: Row): Status {
  const read = list(status.read);
  const problems = status.problem_list;
  return {
    ready: status.ready === true,
    read: [Number(read[0]), Number(read[1])],
    path: String(status.path),
    exists: status.exists === true,
    newest: numberOrNull(status.newest),
    age: numberOrNull(status.age),
    leftOut: integer(status.left_out),
    problems: integer(status.problems),
    kinds: list(status.kinds).map(String),
    ...(problems === undefined ? {} : { problemList: list(problems).map(decodeProblem) }),
  };
}

function decodeProblem(item: unknown): Problem {
  const [path, offset, message] = list(item);
  return { path: String(path), offset: offset === null ? null : String(offset), message: String(message) };
}
