// The rows to be saved: from the kernel, which has all of them exactly; where it does not answer, those in the browser.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { NamedRows, SeriesRows } from "../../lib/seriestext";
import type { Answer, Requests } from "../../wire/requests";
import { compactSteps } from "../../wire/steps";
import type { HeldSeries, TableKind } from "./tablekind";

/** Series in one request. */
const MAX_REQUESTED = 64;

/** Bytes of rows that are gathered at most: they are in memory until they are saved. */
export const MAX_SAVED = 240e6;

/** The rows of a table that are available. */
export interface Gathered {
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
