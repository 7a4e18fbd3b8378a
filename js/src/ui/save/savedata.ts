// Saves or copies a table: all rows once the kernel has answered, or those in the browser when the user does not wait.

import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { commonTexts } from "../../lib/commontexts";
import { safeName } from "../../lib/filenames";
import { formatCount } from "../../lib/format";
import { headText, type NamedRows, rowsText, type SeriesRows, seriesJson } from "../../lib/seriestext";
import type { Answer, Requests } from "../../wire/requests";
import { compactSteps } from "../../wire/steps";
import { copyText, saveFile } from "../savefile";
import type { View } from "../view";
import type { HeldSeries, TableKind } from "./tablekind";
import { saveTexts } from "./texts";

export type DataTarget = TableFormat | "copy";

/** A table that is being saved or copied, or was. */
export type DataJob =
  | {
      readonly state: "waits";
      readonly target: DataTarget;
      readonly received: ReadonlySignal<number>;
      readonly total: number;
    }
  | { readonly state: "writing" }
  | ReadyText
  | { readonly state: "done"; readonly text: string };

/** The click is too long ago for the browser to allow the copy: it takes another one. */
interface ReadyText {
  readonly state: "ready";
  readonly text: string;
  readonly gathered: Gathered;
  readonly beside: Element;
}

/** A save that waits for its rows. */
interface PendingSave {
  readonly target: DataTarget;
  readonly name: string;
  readonly beside: Element;
  readonly gathering: TableGathering;
}

/** The series of some tags, of the runs shown, as the browser has them. */
export function heldSeries(kind: TableKind, tags: readonly string[], view: View): HeldSeries[] {
  return [...new Set(tags)].flatMap((tag) => kind.held(tag, view));
}

/** The numbers of rows in the browser and in the logs, in words. */
export function countsOf(kind: TableKind, series: readonly { readonly count: number; readonly total: number }[]) {
  const [here, all] = [sum(series.map(({ count }) => count)), sum(series.map(({ total }) => total))];
  return { here, all, hereText: formatCount(here), allText: kind.counted(all, formatCount(all)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

export class DataSaver {
  /** State of the latest save; earlier files are finished without a message. */
  readonly job = signal<DataJob | null>(null);
  readonly #kind: TableKind;
  readonly #view: View;
  #pending: PendingSave | null = null;
  #stop: () => void = () => {};

  constructor(kind: TableKind, view: View) {
    this.#kind = kind;
    this.#view = view;
  }

  /** `name`: of the file, without its extension. `beside`: where a text that is copied may stand for a moment. */
  begin(target: DataTarget, tags: readonly string[], name: string, beside: Element): void {
    this.end();
    const series = untracked(() => heldSeries(this.#kind, tags, this.#view));
    if (series.length === 0) {
      this.job.value = { state: "done", text: saveTexts().nothing };
      return;
    }
    const { channel } = this.#view;
    const gathering = new TableGathering(this.#kind, series, channel.requests);
    const pending = { target, name, beside, gathering };
    this.#pending = pending;
    const total = countsOf(this.#kind, series).all;
    this.job.value = { state: "waits", target, received: gathering.received, total };
    this.#stop = effect(() => {
      // Without a kernel there is nothing to wait for.
      if (!gathering.waits.value || channel.store.savedAt.value !== null) {
        queueMicrotask(() => {
          if (this.#pending === pending) {
            this.finish();
          }
        });
      }
    });
  }

  /** Saves what has arrived by now. */
  finish(): void {
    const pending = this.#pending;
    if (pending === null) {
      return;
    }
    this.end();
    const writing: DataJob = { state: "writing" };
    this.job.value = writing;
    void this.#outcome(pending).then((outcome) => this.#replace(writing, outcome));
  }

  /** Copies a text that was ready too late. */
  async copy(ready: ReadyText): Promise<void> {
    const outcome = await this.#copied(ready);
    // After a second failure it is given up.
    this.#replace(ready, outcome === ready ? { state: "done", text: saveTexts().notCopied } : outcome);
  }

  /** Removes the message about a finished save. */
  clear(): void {
    if (this.job.peek()?.state === "done") {
      this.job.value = null;
    }
  }

  end(): void {
    this.#stop();
    this.#pending?.gathering.end();
    this.#pending = null;
    this.job.value = null;
  }

  /** Sets the job, unless another one has begun in the meantime. */
  #replace(job: DataJob, by: DataJob): void {
    if (this.job.peek() === job) {
      this.job.value = by;
    }
  }

  async #outcome(pending: PendingSave): Promise<DataJob> {
    try {
      return await this.#write(pending);
    } catch (error) {
      return { state: "done", text: saveTexts().failed(String(error)) };
    }
  }

  async #write({ target, name, beside, gathering }: PendingSave): Promise<DataJob> {
    const gathered = untracked(() => gathering.gathered());
    if (target === "copy") {
      const text = tableText(gathered, this.#kind);
      return text === null
        ? { state: "done", text: saveTexts().tooMuch }
        : await this.#copied({ state: "ready", text, gathered, beside });
    }
    const { exact, count, total } = gathered;
    const note = exact ? [] : [`as-shown-${count}-of-${total}`];
    const file = await tableFile(gathered, this.#kind, target);
    saveFile(file, `${[name, ...note].join("_")}.${target}`);
    return { state: "done", text: this.#doneText(gathered, saveTexts().saved) };
  }

  /** Resolves to the same job where the browser does not allow the copy. */
  async #copied(ready: ReadyText): Promise<DataJob> {
    const { text, gathered, beside } = ready;
    return (await copyText(text, beside))
      ? { state: "done", text: this.#doneText(gathered, saveTexts().copied) }
      : ready;
  }

  #doneText(gathered: Gathered, done: (all: string) => string): string {
    const { hereText, allText } = countsOf(this.#kind, [gathered]);
    return gathered.exact
      ? done(allText)
      : commonTexts().labeled(done(saveTexts().shown(hereText, allText)), saveTexts().asShownHere(gathered.summarized));
  }
}

/** A name for files of a card, or of a whole panel. */
export function stemOf(panel: string, title: string | null): string {
  const own = title === null ? "" : safeName(title);
  return own === "" ? panel : `${own}_${panel}`;
}

/** Formats of saved tables. */
export const TABLE_FORMATS = ["csv", "json"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Not the text's own type: with this one, a browser saves the file and never shows it. */
const TYPE = "application/octet-stream";

/** Lines of all rows, after the names of their columns; in parts. */
function* lines({ series, summarized }: Gathered, kind: TableKind, separator: "," | "\t"): Generator<string> {
  yield headText(summarized ? kind.summaryColumns : kind.columns, separator);
  for (const one of series) {
    for (const rows of one.chunks) {
      yield rowsText(one, rows, separator);
    }
  }
}

function* json({ series, summarized, exact }: Gathered, kind: TableKind): Generator<string> {
  yield `{"exact":${exact},"series":[`;
  for (const [i, one] of series.entries()) {
    yield i === 0 ? "\n" : ",\n";
    yield* seriesJson(one, summarized ? kind.summaryColumns : kind.columns);
  }
  yield "\n]}\n";
}

/** Milliseconds of work after which the page may run. */
const AT_ONCE = 50;

/** The file, written part by part: finished parts leave the memory of strings, and the page stays responsive. */
export async function tableFile(gathered: Gathered, kind: TableKind, format: TableFormat): Promise<Blob> {
  const parts = format === "csv" ? lines(gathered, kind, ",") : json(gathered, kind);
  const blobs: Blob[] = [];
  let texts: string[] = [];
  let since = performance.now();
  for (const part of parts) {
    texts.push(part);
    if (performance.now() - since > AT_ONCE) {
      blobs.push(new Blob(texts));
      texts = [];
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
    }
  }
  return new Blob([...blobs, ...texts], { type: TYPE });
}

/** Characters that are copied at most: programs stop at more. */
const MAX_COPIED = 50e6;

/** For the clipboard: columns separated by tabs; null where that is too much for it. */
export function tableText(gathered: Gathered, kind: TableKind): string | null {
  const parts: string[] = [];
  let length = 0;
  for (const part of lines(gathered, kind, "\t")) {
    parts.push(part);
    length += part.length;
    if (length > MAX_COPIED) {
      return null;
    }
  }
  return parts.join("");
}

// The rows to be saved: from the kernel, which has all of them exactly; where it does not answer, those in the browser.

/** Series in one request. */
const MAX_REQUESTED = 64;

/** Bytes of rows that are gathered at most: they are in memory until they are saved. */
const MAX_SAVED = 240e6;

/** The rows of a table that are available. */
interface Gathered {
  readonly series: readonly NamedRows[];
  /** Some rows stand for several. */
  readonly summarized: boolean;
  /** Rows at hand, out of the rows in the logs: all from the kernel, or the browser's part of them. */
  readonly count: number;
  readonly total: number;
  readonly exact: boolean;
}

interface IncomingSeries {
  readonly held: HeldSeries;
  chunks: SeriesRows[];
  rows: number;
  bytes: number;
  total: number;
  revision: number | null;
  state: "incomplete" | "complete" | "refused";
}

/** Requests all rows of some series, part by part. */
export class TableGathering {
  readonly #kind: TableKind;
  readonly #requests: Pick<Requests, "ask">;
  readonly #all: readonly IncomingSeries[];
  readonly #end = new AbortController();
  readonly #waits = signal(true);
  readonly #received = signal(0);

  constructor(kind: TableKind, series: readonly HeldSeries[], requests: Pick<Requests, "ask">) {
    this.#kind = kind;
    this.#requests = requests;
    this.#all = series.map((held) => {
      return { held, chunks: [], rows: 0, bytes: 0, total: held.total, revision: null, state: "incomplete" };
    });
    void this.#requestAll();
  }

  /** The kernel has yet to answer for some. */
  get waits(): ReadonlySignal<boolean> {
    return this.#waits;
  }

  /** Rows that have arrived. */
  get received(): ReadonlySignal<number> {
    return this.#received;
  }

  /** Sends no more requests. */
  end(): void {
    this.#end.abort();
  }

  /** The rows of each series: all of the kernel's once they have arrived, else the browser's. */
  gathered(): Gathered {
    const found = this.#all.map(({ held, chunks, rows, total, state }) => {
      if (state === "complete") {
        return { run: held.run, tag: held.tag, total, chunks, count: rows };
      }
      const own = held.rows();
      return { run: held.run, tag: held.tag, total: held.total, chunks: [own], count: held.count };
    });
    const summarized = found.some(({ chunks }) =>
      chunks.some(({ columns }) => columns.length > this.#kind.columns.length),
    );
    return {
      series: summarized
        ? found.map((one) => ({ ...one, chunks: one.chunks.map((rows) => this.#kind.summarized(rows)) }))
        : found,
      summarized,
      count: found.reduce((sum, { count }) => sum + count, 0),
      total: found.reduce((sum, { total }) => sum + total, 0),
      exact: this.#all.every(({ state }) => state === "complete"),
    };
  }

  /** One request after the other, so that the rows left are in the memory of the kernel alone. */
  async #requestAll(): Promise<void> {
    let batch = this.#nextBatch();
    while (batch.length > 0) {
      const series = batch.map(({ held: { run, tag }, rows, revision }) => [run, tag, rows, revision]);
      try {
        this.#apply(batch, await this.#requests.ask(this.#kind.request, { series }, this.#end.signal));
      } catch {
        if (this.#end.signal.aborted) {
          return;
        }
        // A malformed answer counts as a refusal.
        refuse(batch);
      }
      this.#received.value = this.#all.reduce((sum, { rows }) => sum + rows, 0);
      batch = this.#nextBatch();
    }
    this.#waits.value = false;
  }

  #nextBatch(): readonly IncomingSeries[] {
    const bytes = this.#all.reduce((sum, one) => sum + one.bytes, 0);
    return bytes > MAX_SAVED ? [] : this.#all.filter(({ state }) => state === "incomplete").slice(0, MAX_REQUESTED);
  }

  #apply(batch: readonly IncomingSeries[], answer: Answer): void {
    if (!Array.isArray(answer.value) || answer.value.length !== batch.length) {
      refuse(batch);
      return;
    }
    const reader = new RowsReader(answer.data, this.#kind);
    for (const [i, entry] of answer.value.entries()) {
      const one = batch[i] as IncomingSeries;
      if (typeof entry?.rows === "number") {
        const rows = reader.next(entry.rows, entry.cells);
        append(one, rows, entry);
      } else if (entry?.later !== true || i === 0) {
        one.state = "refused";
      }
    }
  }
}

function refuse(batch: readonly IncomingSeries[]): void {
  for (const one of batch) {
    one.state = "refused";
  }
}

interface Entry {
  readonly first: number;
  readonly rows: number;
  readonly total: number;
  readonly revision: number;
}

function append(one: IncomingSeries, rows: SeriesRows, { first, rows: count, total, revision }: Entry): void {
  if (first === 0) {
    // The series was replaced since the last part.
    [one.chunks, one.rows, one.bytes] = [[], 0, 0];
  } else if (first !== one.rows) {
    one.state = "refused";
    return;
  }
  one.chunks.push(rows);
  one.rows += count;
  one.bytes += 16 * count + rows.columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  [one.total, one.revision] = [total, revision];
  one.state = one.rows >= total ? "complete" : count > 0 ? "incomplete" : "refused";
}

/** Reads the columns of an answer, one series after the other. */
class RowsReader {
  readonly #data: Uint8Array;
  readonly #kind: TableKind;
  #at = 0;

  constructor(data: Uint8Array, kind: TableKind) {
    this.#data = data;
    this.#kind = kind;
  }

  next(rows: number, cells: number): SeriesRows {
    const step = compactSteps(new BigInt64Array(this.#bytes(rows)));
    const wall = new Float64Array(this.#bytes(rows));
    const lengths = this.#kind.nested ? Array.from(new BigInt64Array(this.#bytes(rows)), Number) : null;
    const columns = this.#kind.columns.map(() => new Float64Array(this.#bytes(cells)));
    if ((lengths?.reduce((sum, length) => sum + length, 0) ?? rows) !== cells) {
      throw new RangeError("cells are missing");
    }
    return { step, wall, lengths, columns };
  }

  /** A copy: where a column begins is not aligned. */
  #bytes(count: number): ArrayBuffer {
    const end = this.#at + 8 * count;
    if (!(count >= 0) || end > this.#data.length) {
      throw new RangeError("columns are missing");
    }
    const copy = this.#data.slice(this.#at, end).buffer as ArrayBuffer;
    this.#at = end;
    return copy;
  }
}
