// The series of one kind, by tag and run.

import { type Signal, signal } from "@preact/signals";
import { compareNatural } from "../lib/natural";
import type { Kind, Named, Versioned } from "./kind";
import type { Memory } from "./memory";

interface Held<S, D> {
  /** What is drawn. */
  readonly series: S;
  /** The same without the stretch in detail. */
  readonly base: S;
  readonly detail: D | null;
  /** The last keyframe under which it came. */
  keyframe: number;
  /** Something came that could not be joined to it. */
  stale: boolean;
}

/** The series of one tag. `version` changes with them. */
export interface TagOf<S, D = unknown> {
  readonly version: Signal<number>;
  readonly byRun: Map<string, Held<S, D>>;
}

export class Collection<S extends Versioned, P extends Named, D extends Named & { readonly revision: number }> {
  /** Natural order. */
  readonly tags = signal<readonly string[]>([]);
  readonly #byTag = new Map<string, TagOf<S, D>>();
  readonly #kind: Kind<S, P, D>;
  readonly #memory: Memory;
  /** Tags of which something changed since that was last told. */
  readonly #touched = new Set<string>();
  #listChanged = false;

  constructor(kind: Kind<S, P, D>, memory: Memory) {
    this.#kind = kind;
    this.#memory = memory;
  }

  tag(name: string): TagOf<S, D> | undefined {
    return this.#byTag.get(name);
  }

  /** Whether some run's series of this tag is held in less detail than the kernel has to give. */
  isCoarse(tag: string): boolean {
    const held = [...(this.#byTag.get(tag)?.byRun.values() ?? [])];
    return held.some(({ base, stale }) => stale || this.#kind.isCoarse(base));
  }

  /** Takes a part of this kind. */
  take(part: P, keyframe: number): void {
    let data = this.#byTag.get(part.tag);
    const held = data?.byRun.get(part.run);
    const base = this.#kind.apply(held?.base, part);
    if (base === null) {
      // What came in between was lost, which the gap has shown already; or it was dropped here.
      if (held !== undefined) {
        held.stale = true;
      }
      return;
    }
    if (data === undefined) {
      data = { version: signal(0), byRun: new Map() };
      this.#byTag.set(part.tag, data);
    }
    this.#listChanged ||= held === undefined;
    if (base === held?.base) {
      held.keyframe = keyframe;
    } else {
      const kept = held?.detail ?? null;
      const detail = kept?.revision === base.revision ? kept : null;
      this.#put(data, part.run, { base, detail, series: base, keyframe, stale: false });
      this.#touched.add(part.tag);
    }
  }

  /** Takes a stretch of a series in detail. */
  takeDetail(detail: D): void {
    const data = this.#byTag.get(detail.tag);
    const held = data?.byRun.get(detail.run);
    if (data !== undefined && held !== undefined && held.base.revision === detail.revision) {
      this.#put(data, detail.run, { ...held, detail: this.#kind.joined(held.detail, detail) });
      this.#touched.add(detail.tag);
    }
  }

  /** Drops series that did not come under this keyframe. */
  dropUnnamed(keyframe: number): void {
    for (const [tag, data] of this.#byTag) {
      for (const [run, held] of data.byRun) {
        if (held.keyframe < keyframe) {
          this.#account(held, undefined);
          data.byRun.delete(run);
          this.#touched.add(tag);
          this.#listChanged = true;
        }
      }
      if (data.byRun.size === 0) {
        this.#byTag.delete(tag);
      }
    }
  }

  clear(): void {
    this.dropUnnamed(Number.POSITIVE_INFINITY);
  }

  /** Holds a tag in few rows from now on; the kernel sends it in full again when the user looks at it. */
  shrink(tag: string): void {
    const data = this.#byTag.get(tag);
    for (const [run, held] of data?.byRun ?? []) {
      if (data !== undefined) {
        this.#put(data, run, { ...held, base: this.#kind.coarsened(held.base), detail: null });
      }
    }
    this.#touched.add(tag);
  }

  /** The names of all runs. */
  *runs(): Iterable<string> {
    for (const data of this.#byTag.values()) {
      yield* data.byRun.keys();
    }
  }

  /** Lists the tags anew where there are others than before; returns whether there may be other runs. */
  list(): boolean {
    const changed = this.#listChanged;
    if (changed) {
      this.#listChanged = false;
      replaceIfChanged(this.tags, [...this.#byTag.keys()].sort(compareNatural));
    }
    return changed;
  }

  /** Tells whoever draws a tag that it has changed. */
  tell(): void {
    for (const tag of this.#touched) {
      const data = this.#byTag.get(tag);
      if (data !== undefined) {
        data.version.value += 1;
      }
    }
    this.#touched.clear();
  }

  /** Holds a series anew: with its stretch in detail, where it has one that fits. */
  #put(data: TagOf<S, D>, run: string, held: Held<S, D>): void {
    const series = held.detail === null ? held.base : this.#kind.withDetail(held.base, held.detail);
    const after = { ...held, series };
    this.#account(data.byRun.get(run), after);
    data.byRun.set(run, after);
  }

  #account(before: Held<S, D> | undefined, after: Held<S, D> | undefined): void {
    this.#memory.changed(this.#bytesOf(after) - this.#bytesOf(before));
  }

  #bytesOf(held: Held<S, D> | undefined): number {
    if (held === undefined) {
      return 0;
    }
    const { base, series, detail } = held;
    const merged = series === base ? 0 : this.#kind.bytesOf(series);
    return this.#kind.bytesOf(base) + merged + (detail === null ? 0 : this.#kind.bytesOfDetail(detail));
  }
}

/** Sets names that differ from those before. */
export function replaceIfChanged(target: Signal<readonly string[]>, names: readonly string[]): void {
  const old = target.value;
  if (old.length !== names.length || old.some((name, i) => name !== names[i])) {
    target.value = names;
  }
}
