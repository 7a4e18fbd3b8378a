// The series of one kind, by tag and run.

import type { Range } from "../lib/search";
import type { CacheBudget } from "./cache";
import type { Key, Revised, SeriesCodec, Versioned } from "./codec";
import { Collection, type Held, type RunAndTag, type TagContent } from "./collection";
import { lengthOf, type Saveable } from "./entrywriter";
import type { Outline, RunFacts, Statistics } from "./runfacts";

export interface HeldSeries<S, D = unknown> extends Held {
  /** The series that is drawn. */
  readonly series: S;
  /** The same without the detail. */
  readonly base: S;
  readonly detail: D | null;
}

/** The series of one tag. */
export type TagSeries<S> = TagContent<HeldSeries<S>>;

export class SeriesCollection<S extends Versioned, P extends Key = Key, D extends Revised = Revised> extends Collection<
  HeldSeries<S, D>
> {
  readonly codec: SeriesCodec<S, P, D>;
  readonly #budget: CacheBudget;
  readonly #fitted = new Map<string, number>();
  /** How often each tag was fitted since it came onto the screen. */
  readonly #timesFitted = new Map<string, number>();

  constructor(codec: SeriesCodec<S, P, D>, budget: CacheBudget) {
    super();
    this.codec = codec;
    this.#budget = budget;
  }

  applyPart(part: P, keyframe: number): void {
    const held = this.heldOf(part);
    const base = this.codec.append(held?.base, part);
    if (base === null) {
      // The rows in between were lost, as the gap has shown already, or were dropped here.
      if (held !== undefined) {
        held.stale = true;
      }
      return;
    }
    if (base !== held?.base) {
      const kept = held?.detail ?? null;
      const detail = kept?.revision === base.revision ? kept : null;
      this.#put(part, { base, detail, keyframe, stale: false });
    }
    this.named(part, keyframe);
  }

  applyDetail(detail: D): void {
    const held = this.heldOf(detail);
    if (held !== undefined && held.base.revision === detail.revision) {
      this.#put(detail, { ...held, detail: this.codec.mergeDetails(held.detail, detail) });
    }
  }

  /** The steps that the series of these runs wrote in a range of times; null if none did. */
  stepsDuring(tag: string, runs: (run: string) => boolean, times: Range, relative: boolean): Range | null {
    const series = [...(this.tag(tag)?.byRun ?? [])].filter(([run]) => runs(run)).map(([, { base }]) => base);
    return this.codec.stepsDuring(series, times, relative);
  }

  /** Holds a tag in few rows from now on; the kernel sends it in full again when the user looks at it. */
  override shrink(tag: string): void {
    this.unfit(tag, true);
    for (const [run, held] of this.heldUnder(tag)) {
      this.#putBase({ run, tag }, held, this.codec.coarsen(held.base), null);
    }
  }

  /** Holds a tag in at most `rows` rows. It is not requested in full again before `unfit`. */
  override fitToScreen(tag: string, rows: number): void {
    for (const [run, held] of this.heldUnder(tag)) {
      const base = this.codec.coarsen(held.base, rows);
      if (base !== held.base) {
        if (!this.#fitted.has(tag)) {
          this.#timesFitted.set(tag, (this.#timesFitted.get(tag) ?? 0) + 1);
        }
        this.#fitted.set(tag, rows);
        this.#putBase({ run, tag }, held, base, held.detail);
      }
    }
  }

  /** Rows to which tags on the screen were fitted, by tag. */
  get fitted(): ReadonlyMap<string, number> {
    return this.#fitted;
  }

  /** Allows a fitted tag to be requested in full again; `left`: because it left the screen. */
  unfit(tag: string, left = false): void {
    this.#fitted.delete(tag);
    if (left) {
      this.#timesFitted.delete(tag);
    }
  }

  /** Additional bytes needed to hold a tag in full. The estimate doubles each time it turned out too small. */
  lackingBytes(tag: string): number {
    let bytes = 0;
    for (const { base } of this.heldUnder(tag).values()) {
      if (this.codec.isCoarse(base)) {
        const buffers = [...(this.codec.buffersOf?.(base) ?? [])];
        const held = buffers.reduce((sum, { byteLength }) => sum + byteLength, this.codec.bytesOf(base));
        bytes += Math.max(0, this.codec.bytesInFull(base) - held);
      }
    }
    return bytes * 2 ** ((this.#timesFitted.get(tag) ?? 1) - 1);
  }

  /** The widest rows in which a tag is held, of those that were fitted. */
  widthOf(tag: string): number {
    return [...this.heldUnder(tag).values()].reduce((width, { base }) => Math.max(width, this.codec.widthOf(base)), 1);
  }

  /** Statistics of a run's values; null if it has no numbers. */
  statistics(run: string, tag: string): Statistics | null {
    const held = this.heldOf({ run, tag });
    return held === undefined ? null : (this.codec.statisticsOf?.(held.base) ?? null);
  }

  /** The course of the values of a run; null where there are none of numbers. */
  outline(run: string, tag: string): Outline | null {
    const held = this.heldOf({ run, tag });
    return held === undefined ? null : (this.codec.outlineOf?.(held.base) ?? null);
  }

  protected override get kind(): string {
    return this.codec.kind;
  }

  protected override factsOf({ base }: HeldSeries<S, D>): RunFacts | null {
    return this.codec.factsOf?.(base) ?? null;
  }

  protected override saveableOf(key: Key, { base }: HeldSeries<S, D>): Saveable[] {
    const { codec } = this;
    // Made only if the whole series does not fit.
    let made: S | undefined;
    const few = () => {
      made ??= codec.coarsen(base);
      return made;
    };
    return [
      {
        full: lengthOf(key, codec.encodedBytes(base)),
        get short() {
          return lengthOf(key, codec.encodedBytes(few()));
        },
        save: (writer, full) => writer.add("series", key, codec.encode(full ? base : few(), writer.columns)),
      },
    ];
  }

  protected override isPartial({ base }: HeldSeries<S, D>, tag: string): boolean {
    return !this.#fitted.has(tag) && this.codec.isCoarse(base);
  }

  protected override released(held: HeldSeries<S, D>): void {
    this.#release(held);
  }

  /** Replaces a base by one of fewer rows; a detail that does not fit into it is dropped. */
  #putBase(key: RunAndTag, held: HeldSeries<S, D>, base: S, detail: D | null): void {
    const shown = detail !== null && this.codec.withDetail(base, detail) !== base ? detail : null;
    if (base !== held.base || shown !== held.detail) {
      this.#put(key, { ...held, base, detail: shown });
    }
  }

  #put(key: RunAndTag, held: Omit<HeldSeries<S, D>, "series">): void {
    const before = this.heldOf(key);
    const series = held.detail === null ? held.base : this.codec.withDetail(held.base, held.detail);
    const after = { ...held, series };
    this.#hold(after);
    if (before !== undefined) {
      this.#release(before);
    }
    this.put(key, after);
  }

  #hold({ base, series, detail }: HeldSeries<S, D>): void {
    const { codec } = this;
    this.#budget.add(this.#ownBytes(base, series, detail));
    this.#budget.holdBuffers(codec.buffersOf?.(base) ?? []);
    if (series !== base) {
      this.#budget.holdBuffers(codec.buffersOf?.(series) ?? []);
    }
  }

  #release({ base, series, detail }: HeldSeries<S, D>): void {
    const { codec } = this;
    this.#budget.add(-this.#ownBytes(base, series, detail));
    this.#budget.releaseBuffers(codec.buffersOf?.(base) ?? []);
    if (series !== base) {
      this.#budget.releaseBuffers(codec.buffersOf?.(series) ?? []);
    }
  }

  #ownBytes(base: S, series: S, detail: D | null): number {
    const merged = series === base ? 0 : this.codec.bytesOf(series);
    return this.codec.bytesOf(base) + merged + (detail === null ? 0 : this.codec.bytesOfDetail(detail));
  }
}
