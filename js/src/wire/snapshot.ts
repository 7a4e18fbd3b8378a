// The data of a page that is opened without a kernel. Only a saved or exported state holds it: it is made when the state is
// read to be saved. Twin of tbwidget/wire/snapshot.py.

import type { AnyCodec } from "./codec";
import { PROTOCOL, type Row, row } from "./columns";
import { EntryWriter } from "./entrywriter";
import { type DataMessage, decode, type Status } from "./protocol";
import { redactedValue, redaction } from "./redaction";
import type { SavedAnswer } from "./requests";
import type { Store } from "./store";
import { toBase64 } from "./writer";

/** Characters that it takes at most. Keep in step with MAX_SAVED_CHARACTERS in tbwidget/wire/snapshot.py. */
export const MAX_SAVED_CHARACTERS = 500_000;

/** Answers have one part in this many of it. Keep in step with tbwidget/export/file.py. */
const ANSWERS_DIVISOR = 4;

/** One message as text: its header as JSON, for notebooks are written with a line for each number; its buffer in base64. */
export interface SavedMessage {
  readonly header: string;
  readonly buffer: string;
}

export interface Snapshot {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly messages: readonly DataMessage[];
  readonly answers: readonly SavedAnswer[];
}

/** An answer as text, its data in base64. */
interface AnswerText {
  readonly name: string;
  readonly args: Row;
  readonly value: unknown;
  readonly data: string;
}

/** The decoded snapshot; null without one, or for a version that is unknown here. */
export function readSnapshot(value: unknown, codecs: ReadonlyMap<string, AnyCodec>): Snapshot | null {
  const { at, messages, answers } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof at !== "number" || !Array.isArray(messages) || messages.length === 0) {
    return null;
  }
  try {
    const understood = messages.map(({ header, buffer }) =>
      decode(JSON.parse(String(header)), [bytes(String(buffer))], codecs),
    );
    return {
      at,
      messages: understood.filter((message) => message !== null),
      answers: readAnswers(answers),
    };
  } catch {
    return null;
  }
}

/** From now on, reading `state` gives what the store holds then. */
export function exposeSnapshot(state: unknown, store: Store, kept: () => readonly SavedAnswer[] = () => []): void {
  if (typeof state !== "object" || state === null || !Object.isExtensible(state)) {
    return;
  }
  // Not set in the model, which would send the kernel its own data back.
  Object.defineProperties(state, {
    at: { enumerable: true, configurable: true, get: () => store.receivedAt.peek() },
    messages: {
      ...{ enumerable: true, configurable: true },
      get: () => snapshotOf(store, MAX_SAVED_CHARACTERS - sizeOf(answersOf(kept()))),
    },
    answers: { enumerable: true, configurable: true, get: () => answersOf(kept()) },
  });
}

/** The answers as text; none that would be too large. */
function answersOf(kept: readonly SavedAnswer[]): AnswerText[] {
  let room = MAX_SAVED_CHARACTERS / ANSWERS_DIVISOR;
  return kept.flatMap(({ name, args, answer: { value, data } }) => {
    const text = { name, args, value, data: toBase64(data) };
    const size = sizeOf(text);
    room -= size <= room ? size : 0;
    return size <= room ? [text] : [];
  });
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** Each answer by itself: one that is damaged costs no other, and no message. */
function readAnswers(answers: unknown): SavedAnswer[] {
  return (Array.isArray(answers) ? answers : []).flatMap((one) => {
    try {
      const { name, args, value, data } = row(one);
      const { buffer } = bytes(String(data));
      return [{ name: String(name), args: row(args), answer: { value, data: new Uint8Array(buffer as ArrayBuffer) } }];
    } catch {
      return [];
    }
  });
}

/**
 * The store's content, the tags seen last first: all of it if it fits, else few rows of each series. Blobs of items get
 * the remaining bytes, the newest of each index first.
 */
export function snapshotOf(store: Store, most = MAX_SAVED_CHARACTERS): SavedMessage[] {
  const status = store.status.peek();
  if (status === null || store.tags.peek().length === 0 || store.lacksPlaces) {
    return [];
  }
  const saveable = store.saveable();
  const writer = new EntryWriter();
  let later = saveable.reduce((sum, { short }) => sum + short, 0);
  let [used, leftOut] = [0, status.leftOut];
  for (const whole of saveable) {
    later -= whole.short;
    const fits = used + whole.full + later <= most;
    const one = (fits ? null : whole.reduced?.()) ?? whole;
    const full = used + one.full + later <= most;
    const length = full ? one.full : one.short;
    if (length > 0 && used + length <= most) {
      used += length;
      one.save(writer, full);
    } else if (one.short > 0) {
      leftOut += 1;
    }
  }
  return written(store, writer, { ...status, leftOut });
}

/** The messages of what has been written of a store. */
export function written(store: Store, writer: EntryWriter, status: Status): SavedMessage[] {
  const runs = [...writer.runs.keys()];
  const numbers = runs.map((run) => store.runNumbers.peek().get(run) ?? -1);
  const names = { runs, numbers, tags: [...writer.tags.keys()] };
  const redacted = redaction(store.places);
  const encoded = encodeStatus(status, store, redacted);
  const head = { type: "data", protocol: PROTOCOL, keyframe: 1, status: encoded };
  const { failed: reported, ...lists } = writer.lists;
  const failed = reported?.map((entry) => ({
    ...entry,
    reason: redacted(String(entry.reason)),
    arguments: redactedValue(entry.arguments, redacted),
  }));
  const columns = writer.columns.table;
  return [
    {
      header: JSON.stringify({ ...head, seq: 1, begins: true, ends: false, ...names, columns, ...lists }),
      buffer: writer.columns.base64(),
    },
    // Failures come last: content of the same keys would end them.
    {
      header: JSON.stringify({ ...head, seq: 2, begins: false, ends: true, ...names, columns: [], failed }),
      buffer: "",
    },
  ];
}

function encodeStatus(status: Status, { problems, directories }: Store, redacted: (text: string) => string): Row {
  const { ready, read, path, exists, newest, leftOut, problems: count, kinds, emptyFiles } = status;
  const problem_list = problems.peek().map(({ path: file, offset, message, madeOf }) => {
    const made = madeOf === undefined ? [] : [madeOf.code, redactedValue(madeOf.args, redacted)];
    return [redacted(file), offset, redacted(message), ...made];
  });
  const now = { age: null, fresh: false, cell: null };
  return {
    ready,
    read,
    path: redacted(path),
    directories: directories.peek().map(([name, directory]) => [name, name || redacted(directory)]),
    exists,
    newest,
    ...now,
    left_out: leftOut,
    problems: count,
    problem_list,
    kinds,
    empty_files: emptyFiles,
  };
}

function bytes(base64: string): DataView {
  const text = atob(base64);
  return new DataView(Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer);
}
