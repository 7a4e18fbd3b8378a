// The items of one kind: by tag and run an index of rows, and behind each row a blob that may have come or not.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { CacheBudget } from "./cache";
import { CachedValue } from "./cachedvalue";
import type { ItemRow, ItemsCodec, Key, Revised } from "./codec";
import { Collection, type Held, type TagContent } from "./collection";
import type { Row } from "./columns";
import { lengthOf, measure, type Saveable } from "./entrywriter";
import type { Assembler, Piece } from "./pieces";
import { withReason } from "./reasons";
import type { RunFacts } from "./runfacts";
import { integersOf, numbersOf } from "./steps";
import { wireTexts } from "./texts";
import type { ColumnWriter } from "./writer";

/** About how many bytes a row of an index takes. */
const ROW_BYTES = 160;

/** The first `keep` rows of those held stay; these follow. */
export interface ItemsPart<R extends ItemRow = ItemRow> extends Revised {
  readonly keep: number;
  /** Rows of the index in the logs. */
  readonly total: number;
  readonly superseded: number;
  readonly rows: readonly R[];
}

/** A piece of the blob behind the row `id`. */
export interface ItemPiece extends Key, Piece {
  readonly id: number;
  /** Why the blob is missing. */
  readonly reason: string | null;
}

export type BlobState =
  | { readonly state: "absent" }
  | { readonly state: "partial"; readonly received: number; readonly size: number }
  | { readonly state: "held"; readonly bytes: Uint8Array }
  | { readonly state: "broken"; readonly reason: string };

const ABSENT: BlobState = { state: "absent" };
const NO_ROOM: BlobState = withReason({ state: "broken" }, () => wireTexts().noRoom);

/** State of a blob that no index names. */
const NEVER: ReadonlySignal<BlobState> = signal(ABSENT);

export interface HeldItems<R> extends Held {
  readonly revision: number;
  /** In the order of the index, from its beginning; all of them when there are `total`. */
  readonly rows: readonly R[];
  readonly total: number;
  readonly superseded: number;
  /** Ids of all rows. */
  readonly ids: Set<number>;
  /** Blobs by id; only those that were shown or have begun to arrive. */
  readonly blobs: Map<number, ItemBlob>;
  /** Changes whenever a blob has come, or turned out not to be there. */
  readonly arrivals: Signal<number>;
}

/** The items of one tag. */
export type TagItems<R> = TagContent<HeldItems<R>>;

class ItemBlob extends CachedValue<BlobState> {
  constructor(budget: CacheBudget) {
    super(ABSENT, budget);
  }

  get isHeld(): boolean {
    return this.value.state === "held";
  }

  fill(bytes: Uint8Array): void {
    this.set({ state: "held", bytes }, bytes.length);
  }

  breakOff(reason: () => string): void {
    this.set(withReason({ state: "broken" }, reason), 0);
  }

  progress(received: number, size: number): void {
    this.set({ state: "partial", received, size }, 0);
  }

  piecesLost(): void {
    this.set(ABSENT, 0);
  }

  /** There was no room for it when it was looked at last; there may be some now. */
  forgetRefusal(): void {
    if (this.value === NO_ROOM && !this.refused) {
      this.set(ABSENT, 0);
    }
  }

  protected override emptied(refused: boolean): BlobState {
    return refused ? NO_ROOM : ABSENT;
  }
}

export class ItemCollection<R extends ItemRow> extends Collection<HeldItems<R>> {
  readonly codec: ItemsCodec<R>;
  readonly #budget: CacheBudget;
  readonly #assembler: Assembler;

  constructor(codec: ItemsCodec<R>, budget: CacheBudget, assembler: Assembler) {
    super();
    this.codec = codec;
    this.#budget = budget;
    this.#assembler = assembler;
  }

  /** The blob behind a row, as far as it has come. A caller that shows it asks again when the tag's version changes. */
  blob(run: string, tag: string, id: number): ReadonlySignal<BlobState> {
    const blob = this.#blobOf(run, tag, id);
    blob?.forgetRefusal();
    return blob?.signal ?? NEVER;
  }

  /** Stores a blob that is the answer to a request. */
  fillBlob(run: string, tag: string, id: number, bytes: Uint8Array): void {
    const blob = this.#blobOf(run, tag, id);
    // A requested blob may be larger than the pushed one.
    if (blob !== undefined && blob.bytes < bytes.length) {
      this.#assembler.drop(blob);
      blob.fill(bytes);
      this.#arrived(run, tag);
    }
  }

  applyPart(part: ItemsPart<R>, keyframe: number): void {
    const { revision, keep, total, superseded } = part;
    const held = this.heldOf(part);
    const same = held?.revision === revision ? held : undefined;
    if (keep > (same?.rows.length ?? 0)) {
      if (held === undefined) {
        const nothing = { rows: [], ids: new Set<number>(), blobs: new Map<number, ItemBlob>() };
        this.#put(part, { ...nothing, arrivals: signal(0), revision, total, superseded, keyframe, stale: true });
      } else {
        held.stale = true;
      }
      return;
    }
    const rows = rowsAfter(same?.rows ?? [], part);
    if (same === undefined || rows !== same.rows || total !== same.total || superseded !== same.superseded) {
      const ids = idsAfter(same, rows, part);
      const blobs = same?.blobs ?? new Map<number, ItemBlob>();
      const arrivals = same?.arrivals ?? signal(0);
      this.#put(part, { revision, rows, ids, total, superseded, blobs, arrivals, keyframe, stale: false });
    } else {
      same.stale = false;
    }
    this.named(part, keyframe);
  }

  /** A piece of a row's blob; with `reason`, why there is none. */
  applyPiece(piece: ItemPiece): void {
    const { run, tag, id } = piece;
    const blob = this.#blobOf(run, tag, id);
    if (blob === undefined || blob.isHeld) {
      return;
    }
    if (piece.reason !== null) {
      this.#assembler.drop(blob);
      blob.breakOff(() => piece.reason ?? "");
      this.#arrived(run, tag);
      return;
    }
    try {
      const bytes = this.#assembler.add(blob, piece);
      if (bytes !== null) {
        blob.fill(bytes);
        this.#arrived(run, tag);
      } else if (this.#assembler.has(blob)) {
        blob.progress(this.#assembler.received(blob), piece.size);
      }
    } catch {
      blob.breakOff(() => wireTexts().tooLarge);
      this.#arrived(run, tag);
    }
  }

  protected override get kind(): string {
    return this.codec.kind;
  }

  protected override factsOf({ rows }: HeldItems<R>): RunFacts | null {
    // Rows are in the order of their steps, so the last rows hold the values of the last step.
    const [first, last] = [rows[0], rows.at(-1)];
    return first === undefined || last === undefined ? null : { began: first.wall, ended: last.wall, step: last.step };
  }

  protected override saveableOf(key: Key, held: HeldItems<R>): Saveable[] {
    const encode = (columns: ColumnWriter) => this.#encode(held, columns);
    const length = measure(key, encode);
    return [{ full: length, short: length, save: (writer) => writer.add("items", key, encode(writer.columns)) }];
  }

  override saveableBlobs(tag: string): Saveable[][] {
    return [...this.heldUnder(tag)].map(([run, { rows, blobs }]) => {
      const key = { kind: this.kind, run, tag };
      // The newest first: rows are in the order of their steps.
      return [...rows].reverse().flatMap(({ id }): Saveable[] => {
        const blob = blobs.get(id)?.value;
        if (blob?.state !== "held") {
          return [];
        }
        const saveable = (bytes: Uint8Array): Saveable => ({
          ...{ full: lengthOf(key, bytes.length), short: 0 },
          save: (writer) => writer.addBlob("item", key, id, bytes),
        });
        const reduced = () => {
          const less = this.codec.reduced?.(blob.bytes) ?? null;
          return less && saveable(less);
        };
        return [{ ...saveable(blob.bytes), reduced }];
      });
    });
  }

  override absent(): number {
    let absent = 0;
    for (const tag of this.tags.peek()) {
      for (const { rows, blobs } of this.heldUnder(tag).values()) {
        absent += rows.filter(({ id }) => (blobs.get(id)?.value ?? ABSENT).state === "absent").length;
      }
    }
    return absent;
  }

  protected override isPartial(): boolean {
    return false;
  }

  protected override released({ rows, blobs }: HeldItems<R>): void {
    this.#budget.add(-ROW_BYTES * rows.length);
    this.#empty(blobs.values());
  }

  #put(part: ItemsPart<R>, after: HeldItems<R>): void {
    const before = this.heldOf(part);
    this.#budget.add(ROW_BYTES * (after.rows.length - (before?.rows.length ?? 0)));
    if (before !== undefined && before.blobs !== after.blobs) {
      this.#empty(before.blobs.values());
    } else if (before?.ids !== after.ids && after.rows.length === after.total) {
      for (const [id, blob] of after.blobs) {
        if (!after.ids.has(id)) {
          this.#empty([blob]);
          after.blobs.delete(id);
        }
      }
    }
    this.put(part, after);
  }

  /** A part that holds the whole index, without its key. */
  #encode({ revision, rows, superseded }: HeldItems<R>, columns: ColumnWriter): Row {
    return {
      ...this.codec.encodeRows(rows, columns),
      revision,
      keep: 0,
      total: rows.length,
      superseded,
      start: null,
      id: columns.add(numbersOf(rows, ({ id }) => id)),
      step: columns.add(integersOf(rows, ({ step }) => step)),
      wall: columns.add(numbersOf(rows, ({ wall }) => wall)),
    };
  }

  #empty(blobs: Iterable<ItemBlob>): void {
    for (const blob of blobs) {
      this.#assembler.drop(blob);
      blob.set(ABSENT, 0);
    }
  }

  #arrived(run: string, tag: string): void {
    const arrivals = this.heldOf({ run, tag })?.arrivals;
    if (arrivals !== undefined) {
      arrivals.value = arrivals.peek() + 1;
    }
  }

  #blobOf(run: string, tag: string, id: number): ItemBlob | undefined {
    const held = this.heldOf({ run, tag });
    let blob = held?.blobs.get(id);
    if (blob === undefined && held?.ids.has(id)) {
      blob = new ItemBlob(this.#budget);
      held.blobs.set(id, blob);
    }
    return blob;
  }
}

/** The rows held after a part; the same array where nothing is new, as mostly in a keyframe. */
function rowsAfter<R extends ItemRow>(held: readonly R[], { keep, total, rows }: ItemsPart<R>): readonly R[] {
  const known =
    held.length <= total &&
    keep + rows.length <= held.length &&
    rows.every(({ id, step }, i) => held[keep + i]?.id === id && held[keep + i]?.step === step);
  return known ? held : [...held.slice(0, keep), ...rows];
}

/** The ids of the rows held after a part; the same set where rows were only appended, which may be often. */
function idsAfter(same: HeldItems<ItemRow> | undefined, rows: readonly ItemRow[], part: ItemsPart): Set<number> {
  if (same?.rows === rows) {
    return same.ids;
  }
  if (same?.rows.length !== part.keep) {
    return new Set(rows.map(({ id }) => id));
  }
  for (const { id } of part.rows) {
    same.ids.add(id);
  }
  return same.ids;
}
