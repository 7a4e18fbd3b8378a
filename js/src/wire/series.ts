// The series of one kind, by tag and run.

import type { Range } from "../lib/range";
import type { CacheBudget } from "./cache";
import type { Key, Revised, SeriesCodec, Versioned } from "./codec";
import { Collection, type Held, type RunAndTag, type TagContent } from "./collection";
import { lengthOf, type Saveable } from "./entrywriter";
import type { RunFacts, Statistics } from "./runfacts";

export interface HeldSeries<S, D = unknown> extends Held {
  /** What is drawn. */
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

  constructor(codec: SeriesCodec<S, P, D>, budget: CacheBudget) {
    super();
    this.codec = codec;
    this.#budget = budget;
  }

  applyPart(part: P, keyframe: number): void {
    const held = this.heldOf(part);
    const base = this.codec.append(held?.base, part);
    if (base === null) {
      // What came in between was lost, which the gap has shown already; or it was dropped here.
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
    const content = this.tag(tag);
    void content?.version.value;
    const series = [...(content?.byRun ?? [])].filter(([run]) => runs(run)).map(([, { base }]) => base);
    return this.codec.stepsDuring(series, times, relative);
  }

  /** Holds a tag in few rows from now on; the kernel sends it in full again when the user looks at it. */
  override shrink(tag: string): void {
    for (const [run, held] of this.tag(tag)?.byRun ?? []) {
      this.#put({ run, tag }, { ...held, base: this.codec.coarsen(held.base), detail: null });
    }
  }

  /** What the values of a run come to; null where there are none of numbers. */
  statistics(run: string, tag: string): Statistics | null {
    const held = this.heldOf({ run, tag });
    return held === undefined ? null : (this.codec.statisticsOf?.(held.base) ?? null);
  }

  protected override get kind(): string {
    return this.codec.kind;
  }

  protected override factsOf({ base }: HeldSeries<S, D>): RunFacts | null {
    return this.codec.factsOf?.(base) ?? null;
  }

  protected override saveableOf(key: Key, { base }: HeldSeries<S, D>): Saveable[] {
    const { codec } = this;
    // Made only where there is no room for all.
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

  protected override isPartial({ base }: HeldSeries<S, D>): boolean {
    return this.codec.isCoarse(base);
  }

  protected override released(held: HeldSeries<S, D>): void {
    this.#budget.add(-this.#bytesOf(held));
  }

  #put(key: RunAndTag, held: Omit<HeldSeries<S, D>, "series">): void {
    const series = held.detail === null ? held.base : this.codec.withDetail(held.base, held.detail);
    const after = { ...held, series };
    this.#budget.add(this.#bytesOf(after) - this.#bytesOf(this.heldOf(key)));
    this.put(key, after);
  }

  #bytesOf(held: HeldSeries<S, D> | undefined): number {
    if (held === undefined) {
      return 0;
    }
    const { base, series, detail } = held;
    const merged = series === base ? 0 : this.codec.bytesOf(series);
    return this.codec.bytesOf(base) + merged + (detail === null ? 0 : this.codec.bytesOfDetail(detail));
  }
}
