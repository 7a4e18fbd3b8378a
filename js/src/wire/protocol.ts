// The messages between kernel and browser. Described in docs/wire.md.

import type { AnyCodec, AnyItemsCodec, ItemRow, Key, Reason, ReasonCode, Revised } from "./codec";
import {
  ColumnReader,
  count,
  integer,
  isRow,
  list,
  nameAt,
  numberOrNull,
  PROTOCOL,
  ProtocolError,
  type Row,
  row,
} from "./columns";
import type { DocumentEntry, DocumentPiece } from "./documents";
import type { ItemPiece, ItemsPart } from "./items";
import type { SendTime } from "./lag";
import type { Piece } from "./pieces";
import { reasonIn, withReason, worded } from "./reasons";
import type { Place } from "./redaction";
import { exactStep } from "./steps";
import { wireTexts } from "./texts";

/** Seconds without a message after which the kernel sends a bare status. Keep in step with HEARTBEAT in tbwidget/wire/plan.py. */
export const HEARTBEAT = 10;

export interface Problem {
  readonly path: string;
  readonly offset: string | null;
  readonly message: string;
  /** Absent in pages that older versions saved. */
  readonly madeOf?: ReasonCode;
}

/** Some of the places, from number `from` on; `left` more follow. */
export interface PlacesPiece {
  readonly from: number;
  readonly left: number;
  readonly list: readonly Place[];
}

/** A log directory as `load` takes it. */
export type Directory = readonly [name: string, path: string];

/** How far the first pass over the directory has come. */
export interface Reading {
  readonly phase: "listing" | "fetching" | "reading" | "stopped";
  /** Files and directories listed. */
  readonly entries: number;
  readonly filesRead: number;
  readonly files: number;
  /** Bytes that came from remote storage. */
  readonly fetched: number;
}

const PHASES: readonly Reading["phase"][] = ["listing", "fetching", "reading", "stopped"];

/** State of the kernel's side. */
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
  /** The newest point that came after the first pass was written a short while ago. */
  readonly fresh: boolean;
  /** When the message was composed; null in saved messages. */
  readonly clock: SendTime | null;
  /** Seconds that the oldest visible update had been waiting for its turn. */
  readonly unsent: number;
  /** Share of the usual rate at which the kernel sends updates; below 1 while a page is behind. */
  readonly share: number;
  /** A cell of the kernel runs; null: unknown. */
  readonly cell: boolean | null;
  /** Series that are not sent. */
  readonly leftOut: number;
  readonly problems: number;
  /** Kinds that have data. */
  readonly kinds: readonly string[];
  /** Event files without data. */
  readonly emptyFiles: number;
  /** Seconds between polls of remote storage; null where nothing is remote. */
  readonly polled: number | null;
  /** Null once the first pass has ended. */
  readonly reading: Reading | null;
  /** The first problems; absent when they are the same as before. */
  readonly problemList?: readonly Problem[];
  /** Names that must not be saved; absent if unchanged. Many of them travel in pieces. */
  readonly places?: PlacesPiece;
  /** Names and paths of the log directories, the only one named ""; absent if unchanged. */
  readonly directories?: readonly Directory[];
}

/** A piece of the data of an answer. */
export interface AnswerPiece extends Piece {
  readonly request: string;
}

export interface AnswerEntry {
  readonly request: string;
  readonly ok: boolean;
  /** For people; only of a refusal. */
  readonly reason: string;
  readonly madeOf?: ReasonCode;
  readonly value: unknown;
  /** Bytes that follow in pieces. */
  readonly size: number;
}

export interface FailedEntry extends Key, Reason {}

export interface DataMessage {
  readonly seq: number;
  readonly keyframe: number;
  readonly begins: boolean;
  readonly ends: boolean;
  readonly status: Status;
  /** The color numbers of runs; provisional until the first pass has ended. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Parts of series, each as its codec has it; and details. */
  readonly series: readonly Key[];
  readonly details: readonly Revised[];
  readonly items: readonly ItemsPart[];
  readonly documents: readonly DocumentEntry[];
  readonly itemPieces: readonly ItemPiece[];
  readonly documentPieces: readonly DocumentPiece[];
  readonly answers: readonly AnswerEntry[];
  readonly answerPieces: readonly AnswerPiece[];
  /** Content that the kernel could not read, and entries of this message that could not be decoded. */
  readonly failed: readonly FailedEntry[];
  /** Something of this message could not be understood, and it is not known what that was about. */
  readonly damaged: boolean;
}

/** The viewport of one view. */
export interface VisibleContent {
  /** The kinds that the view draws now; null: all. */
  readonly kinds: readonly string[] | null;
  /** Tags, in the order of the screen. */
  readonly tags: readonly string[];
  /** First and last step of the viewport; null for all. */
  readonly range: readonly [number, number] | null;
  /** The tags limited to these steps; null: all of them. */
  readonly near: readonly string[] | null;
  /** The linked step, if any. */
  readonly linked: number | null;
  /** The runs shown; left out where these are all, or too many to be named. */
  readonly runs?: readonly string[];
  /** The dashboard is scrolled out of the browser's window; absent where it is not. */
  readonly in_window?: false;
}

/** A message of the browser. `complete`: every message since the last keyframe began was seen. */
export type ClientMessage =
  | { readonly type: "hello" | "here"; readonly complete: boolean; readonly views: readonly string[] }
  | { readonly type: "resync"; readonly complete: false }
  | ViewMessage
  | { readonly type: "bye"; readonly view: string }
  | { readonly type: "drawn"; readonly seq: number; readonly behind: number }
  | { readonly type: "stop" | "resume" }
  | { readonly type: "request"; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly type: "cancel"; readonly ids: readonly string[] };

/** Kind and tag, the points of the widest row, and the rows that a detail may have. */
export type ShortOfMemory = readonly [kind: string, tag: string, width: number, rows: number];

export interface ViewMessage extends VisibleContent {
  readonly type: "view";
  readonly view: string;
  /** Kind and tag of content that is held in less detail than it could be. */
  readonly want: readonly (readonly [kind: string, tag: string])[];
  /** Series held in wider rows than the kernel sent, because memory is short; absent if there are none. */
  readonly short?: readonly ShortOfMemory[];
  /** The last message seen. */
  readonly seq: number;
}

/** The message is of another version of the messages: none will be understood. */
export class VersionError extends ProtocolError {}

type Codecs = ReadonlyMap<string, AnyCodec>;

/**
 * Decodes one message; null if it is none of ours. Entries of kinds that have no codec are left out, and so is each entry
 * that cannot be understood. Throws ProtocolError, or another error, when nothing of the message can be.
 */
export function decode(content: unknown, buffers: readonly DataView[], codecs: Codecs): DataMessage | null {
  if (!isRow(content) || content.type !== "data") {
    return null;
  }
  if (content.protocol !== PROTOCOL) {
    throw new VersionError(String(content.protocol));
  }
  return new Decoder(content, buffers[0], codecs).message();
}

class Decoder {
  readonly #content: Row;
  readonly #codecs: Codecs;
  readonly #columns: ColumnReader;
  readonly #runs: readonly unknown[];
  readonly #tags: readonly unknown[];
  readonly #failed: FailedEntry[] = [];
  #damaged = false;

  constructor(content: Row, buffer: DataView | undefined, codecs: Codecs) {
    this.#content = content;
    this.#codecs = codecs;
    this.#columns = new ColumnReader(list(content.columns), buffer);
    this.#runs = list(content.runs);
    this.#tags = list(content.tags);
  }

  message(): DataMessage {
    const content = this.#content;
    const head = {
      seq: integer(content.seq),
      keyframe: integer(content.keyframe),
      begins: content.begins === true,
      ends: content.ends === true,
      status: decodeStatus(row(content.status)),
      numbers: this.#numbers(),
    };
    const columns = this.#columns;
    const lists = {
      series: this.#keyed("series", (entry, key, codec) =>
        codec.sort === "series" ? codec.decodePart(entry, key, columns) : null,
      ),
      details: this.#keyed("details", (entry, key, codec) =>
        codec.sort === "series" ? codec.decodeDetail(entry, key, columns) : null,
      ),
      items: this.#keyed("items", (entry, key, codec) =>
        codec.sort === "items" ? decodeItems(entry, key, columns, codec) : null,
      ),
      documents: this.#keyed("documents", (entry, key) => ({
        ...key,
        revision: integer(entry.revision),
        size: count(entry.size),
      })),
      itemPieces: this.#keyed("pieces", (entry, key, codec) => {
        const { id } = entry;
        return codec.sort === "items"
          ? withReason({ ...key, ...decodePiece(entry, columns), id: integer(id) }, () => reasonIn(entry))
          : null;
      }),
      documentPieces: this.#keyed("pieces", (entry, key, codec) =>
        codec.sort === "document" ? { ...key, ...decodePiece(entry, columns), revision: integer(entry.id) } : null,
      ),
      answerPieces: this.#entries("pieces", (entry) =>
        entry.of === "answer" ? { ...decodePiece(entry, columns), request: String(entry.id) } : null,
      ),
      answers: this.#entries("answers", decodeAnswer),
    };
    const reported = this.#keyed("failed", (entry, key) =>
      withReason({ ...key, ...madeOf(entry) }, () => reasonIn(entry) ?? ""),
    );
    return { ...head, ...lists, failed: [...reported, ...this.#failed], damaged: this.#damaged };
  }

  #numbers(): ReadonlyMap<string, number> {
    const numbers = new Map<string, number>();
    for (const [i, number] of this.#list("numbers").entries()) {
      const run = this.#runs[i];
      if (typeof run === "string" && Number.isInteger(number) && (number as number) >= 0) {
        numbers.set(run, number as number);
      }
    }
    return numbers;
  }

  #list(name: string): readonly unknown[] {
    const value = this.#content[name];
    if (value !== undefined && !Array.isArray(value)) {
      this.#damaged = true;
    }
    return Array.isArray(value) ? value : [];
  }

  /** Entries of one list, without those for which `decoded` gives null or throws. */
  #entries<T>(name: string, decoded: (entry: Row) => T | null): T[] {
    return this.#list(name).flatMap((value) => {
      try {
        const entry = decoded(row(value));
        return entry === null ? [] : [entry];
      } catch {
        this.#damaged = true;
        return [];
      }
    });
  }

  /** Entries that are about a key. One that cannot be understood costs no more than what it is about. */
  #keyed<T>(name: string, decoded: (entry: Row, key: Key, codec: AnyCodec) => T | null): T[] {
    return this.#entries(name, (entry) => {
      if (entry.of === "answer") {
        return null;
      }
      const run = nameAt(this.#runs, integer(entry.run));
      const tag = nameAt(this.#tags, integer(entry.tag));
      const kind = String(entry.kind);
      const codec = this.#codecs.get(kind);
      if (codec === undefined) {
        return null;
      }
      try {
        return decoded(entry, { kind, run, tag }, codec);
      } catch (error) {
        if (name !== "details" && name !== "pieces") {
          this.#failed.push(withReason({ kind, run, tag }, () => wireTexts().unreadable(String(error))));
        }
        return null;
      }
    });
  }
}

function decodePiece(entry: Row, columns: ColumnReader): Piece {
  const bytes = entry.bytes === undefined ? new Uint8Array(0) : columns.bytes(integer(entry.bytes));
  return { from: count(entry.from), size: count(entry.size), bytes };
}

function decodeAnswer(entry: Row): AnswerEntry {
  const { request, ok, value = null, size = 0 } = entry;
  const answer = { request: String(request), ok: ok === true, value, size: count(size), ...madeOf(entry) };
  return withReason(answer, () => reasonIn(entry) ?? "");
}

function decodeItems(entry: Row, key: Key, columns: ColumnReader, codec: AnyItemsCodec): ItemsPart {
  const ids = columns.steps(integer(entry.id));
  const steps = columns.steps(integer(entry.step));
  const walls = columns.floats(integer(entry.wall));
  if (steps.length !== ids.length || walls.length !== ids.length) {
    throw new ProtocolError("columns of different lengths");
  }
  const start = numberOrNull(entry.start) ?? 0;
  const common = Array.from(walls, (wall, i): ItemRow => {
    return { id: Number(ids[i]), step: exactStep(steps, i), wall: start + wall };
  });
  const rows = codec.decodeRows(entry, columns, common);
  const [keep, total] = [count(entry.keep), count(entry.total)];
  if (rows.length !== common.length || keep + rows.length > total) {
    throw new ProtocolError("rows that are not the index's");
  }
  return { ...key, revision: integer(entry.revision), keep, total, superseded: integer(entry.superseded), rows };
}

function decodeStatus(status: Row): Status {
  const read = list(status.read);
  const { problem_list: problems, places, directories } = status;
  return {
    ready: status.ready === true,
    read: [Number(read[0]), Number(read[1])],
    path: String(status.path),
    exists: status.exists === true,
    newest: numberOrNull(status.newest),
    age: numberOrNull(status.age),
    fresh: status.fresh === true,
    clock: decodeClock(status.clock),
    unsent: numberOrNull(status.unsent) ?? 0,
    share: numberOrNull(status.share) ?? 1,
    cell: typeof status.cell === "boolean" ? status.cell : null,
    leftOut: integer(status.left_out),
    problems: integer(status.problems),
    kinds: list(status.kinds).map(String),
    emptyFiles: typeof status.empty_files === "number" ? status.empty_files : 0, // older pages have none
    polled: numberOrNull(status.polled),
    reading: decodeReading(status.reading),
    ...(problems === undefined ? {} : { problemList: list(problems).map(decodeProblem) }),
    ...(places === undefined ? {} : { places: decodePlaces(status) }),
    ...(directories === undefined ? {} : { directories: list(directories).map(decodePair) }),
  };
}

function decodeReading(value: unknown): Reading | null {
  if (!Array.isArray(value)) {
    return null;
  }
  const [name, ...counts] = value;
  const phase = PHASES.find((known) => known === name) ?? "reading";
  const [entries = 0, filesRead = 0, files = 0, fetched = 0] = counts.map(count);
  return { phase, entries, filesRead, files, fetched };
}

/** When a message was composed, also of one that is not decoded yet; null if it does not say. */
export function sendTimeOf(content: unknown): SendTime | null {
  return isRow(content) && isRow(content.status) ? decodeClock(content.status.clock) : null;
}

function decodeClock(value: unknown): SendTime | null {
  const [monotonic, epoch] = Array.isArray(value) ? value : [];
  return Number.isFinite(monotonic) && Number.isFinite(epoch) ? [monotonic, epoch] : null;
}

function decodePlaces(status: Row): PlacesPiece {
  const { places, places_from = 0, places_left = 0 } = status;
  return { from: count(places_from), left: count(places_left), list: list(places).map(decodePair) };
}

function decodePair(item: unknown): readonly [string, string] {
  const [first, second] = list(item);
  return [String(first), String(second)];
}

function decodeProblem(item: unknown): Problem {
  const [path, offset, message, code, args] = list(item);
  const place = { path: String(path), offset: offset === null ? null : String(offset) };
  return {
    ...place,
    get message() {
      return worded(code, args) ?? String(message);
    },
    ...madeOf({ code, arguments: args }),
  };
}

function madeOf({ code, arguments: args }: Row): { readonly madeOf?: ReasonCode } {
  return typeof code === "string" ? { madeOf: { code, args: isRow(args) ? args : {} } } : {};
}
