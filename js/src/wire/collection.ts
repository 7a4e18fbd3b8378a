// Base of the collections of series, items and documents of one kind: all are held by tag and run, and may fail.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { compareNatural } from "../lib/natural";
import type { Key, Reason } from "./codec";
import { lengthOf, type Saveable } from "./entrywriter";
import { withReason } from "./reasons";
import { joinFacts, type RunFacts } from "./runfacts";

export type RunAndTag = Omit<Key, "kind">;

/** The content held for one run and tag. */
export interface Held {
  /** The last keyframe that named it. */
  keyframe: number;
  /** The kernel has something newer, which could not be joined to this. */
  stale: boolean;
}

/** Why something cannot be read. */
export interface Failure extends Reason {
  /** The last keyframe that named it. */
  readonly keyframe: number;
}

/** The data of one tag by run. An effect or a component that reads them follows them. */
export interface TagContent<H> {
  /** Changes whenever anything of it does. */
  readonly version: ReadonlySignal<number>;
  readonly byRun: ReadonlyMap<string, H>;
  readonly failures: ReadonlyMap<string, Failure>;
}

class Content<H> implements TagContent<H> {
  readonly version = signal(0);
  readonly held = new Map<string, H>();
  readonly failed = new Map<string, Failure>();

  get byRun(): ReadonlyMap<string, H> {
    this.#follow();
    return this.held;
  }

  get failures(): ReadonlyMap<string, Failure> {
    this.#follow();
    return this.failed;
  }

  /** Maps are no signals: an effect that reads the version depends on them. */
  #follow(): number {
    return this.version.value;
  }
}

export abstract class Collection<H extends Held> {
  /** Tags with content or a failure, in natural order. */
  readonly tags = signal<readonly string[]>([]);
  readonly #byTag = new Map<string, Content<H>>();
  /** Tags that changed since the views were last notified. */
  readonly #changed = new Set<string>();
  /** The runs of each tag when it was last requested. */
  readonly #facts = new WeakMap<object, { readonly version: number; readonly byRun: readonly [string, RunFacts][] }>();
  #namesChanged = false;

  tag(name: string): TagContent<H> | undefined {
    return this.#byTag.get(name);
  }

  /** Whether something under this tag is held in less detail than the kernel has to give. */
  isCoarse(tag: string): boolean {
    const held = [...(this.#byTag.get(tag)?.held.values() ?? [])];
    return held.some((one) => one.stale || this.isPartial(one, tag));
  }

  /** Records that this content cannot be read; earlier content stays. */
  fail(failure: RunAndTag & Reason, keyframe: number): void {
    const { run, tag, madeOf } = failure;
    const content = this.#contentOf(tag);
    const held = content.held.get(run);
    if (held !== undefined) {
      held.keyframe = keyframe;
    }
    const known = content.failed.get(run);
    this.#namesChanged ||= held === undefined && known === undefined;
    const kept = { keyframe, ...(madeOf === undefined ? {} : { madeOf }) };
    content.failed.set(
      run,
      withReason(kept, () => failure.reason),
    );
    if (known?.reason !== failure.reason) {
      this.#changed.add(tag);
    }
  }

  /** Drops content that this keyframe did not name. */
  dropUnnamed(keyframe: number): void {
    for (const [tag, { held: byRun, failed: failures }] of this.#byTag) {
      const before = byRun.size + failures.size;
      for (const [run, held] of byRun) {
        if (held.keyframe !== keyframe) {
          byRun.delete(run);
          this.released(held);
        }
      }
      for (const [run, failure] of failures) {
        if (failure.keyframe !== keyframe) {
          failures.delete(run);
        }
      }
      if (byRun.size + failures.size < before) {
        this.#changed.add(tag);
        this.#namesChanged = true;
      }
      if (byRun.size + failures.size === 0) {
        this.#byTag.delete(tag);
      }
    }
  }

  clear(): void {
    // No number is the same as this.
    this.dropUnnamed(Number.NaN);
  }

  /** Names of all runs; some of them several times. */
  *runs(): Iterable<string> {
    for (const { held: byRun, failed: failures } of this.#byTag.values()) {
      yield* byRun.keys();
      yield* failures.keys();
    }
  }

  /** Brings the list of tags up to date; returns whether there may be other runs or tags than before. */
  updateNames(): boolean {
    const changed = this.#namesChanged;
    if (changed) {
      this.#namesChanged = false;
      replaceIfChanged(this.tags, [...this.#byTag.keys()].sort(compareNatural));
    }
    return changed;
  }

  /** Notifies the cards of a tag that it has changed. */
  notify(): void {
    for (const tag of this.#changed) {
      const content = this.#byTag.get(tag);
      if (content !== undefined) {
        content.version.value = content.version.peek() + 1;
      }
    }
    this.#changed.clear();
  }

  /** Joins the facts of each run to `total`, computing again only those that changed. */
  addFacts(total: Map<string, RunFacts>): void {
    for (const content of this.#byTag.values()) {
      const version = content.version.peek();
      let known = this.#facts.get(content);
      if (known?.version !== version) {
        const found = [...content.held].map(([run, held]) => [run, this.factsOf(held)] as const);
        known = { version, byRun: found.filter((one): one is [string, RunFacts] => one[1] !== null) };
        this.#facts.set(content, known);
      }
      for (const [run, facts] of known.byRun) {
        total.set(run, joinFacts(total.get(run), facts));
      }
    }
  }

  /** Reduces a tag that is off the screen. */
  shrink(_tag: string): void {}

  /** Reduces each series of a tag that is on the screen to at most `rows` rows. */
  fitToScreen(_tag: string, _rows: number): void {}

  /** The content of a tag that can be saved with the page. */
  *saveable(tag: string): Generator<Saveable> {
    const { held: byRun, failed: failures } = this.#byTag.get(tag) ?? { held: [], failed: [] };
    for (const [run, held] of byRun) {
      yield* this.saveableOf({ kind: this.kind, run, tag }, held);
    }
    for (const [run, { reason, madeOf }] of failures) {
      const key = { kind: this.kind, run, tag };
      const entry = { reason, ...(madeOf === undefined ? {} : { code: madeOf.code, arguments: madeOf.args }) };
      const length = lengthOf(key, 0, JSON.stringify(entry).length);
      yield { full: length, short: length, save: (writer) => writer.add("failed", key, entry) };
    }
  }

  /** The blobs of a tag, saved if bytes are left: a list for each run, the most wanted first. */
  saveableBlobs(_tag: string): Saveable[][] {
    return [];
  }

  /** Number of values that the kernel has named but not sent. */
  absent(): number {
    return 0;
  }

  protected abstract get kind(): string;

  /** The facts of its run; null for none. */
  protected abstract factsOf(held: H): RunFacts | null;

  protected abstract saveableOf(key: Key, held: H): Saveable[];

  /** Whether the kernel has more of it than is held. */
  protected abstract isPartial(held: H, tag: string): boolean;

  /** It is held no longer. */
  protected abstract released(held: H): void;

  /** The data of a tag by run, read without following them. */
  protected heldUnder(tag: string): ReadonlyMap<string, H> {
    return this.#byTag.get(tag)?.held ?? new Map();
  }

  protected heldOf({ run, tag }: RunAndTag): H | undefined {
    return this.#byTag.get(tag)?.held.get(run);
  }

  protected put({ run, tag }: RunAndTag, held: H): void {
    const content = this.#contentOf(tag);
    this.#namesChanged ||= !content.held.has(run) && !content.failed.has(run);
    content.held.set(run, held);
    this.#changed.add(tag);
  }

  /** The kernel named it under this keyframe; `recovered`: if it had failed, that is over. */
  protected named({ run, tag }: RunAndTag, keyframe: number, recovered = true): void {
    const content = this.#byTag.get(tag);
    const held = content?.held.get(run);
    const failure = content?.failed.get(run);
    if (held !== undefined) {
      held.keyframe = keyframe;
    }
    if (failure !== undefined && recovered) {
      content?.failed.delete(run);
      this.#changed.add(tag);
    } else if (failure !== undefined) {
      content?.failed.set(run, { ...failure, keyframe });
    }
  }

  /** Something about a tag has changed that views may show. */
  protected changed(tag: string): void {
    this.#changed.add(tag);
  }

  #contentOf(tag: string): Content<H> {
    let content = this.#byTag.get(tag);
    if (content === undefined) {
      content = new Content();
      this.#byTag.set(tag, content);
    }
    return content;
  }
}

/** Sets names that differ from those before. */
export function replaceIfChanged(target: Signal<readonly string[]>, names: readonly string[]): void {
  const old = target.peek();
  if (old.length !== names.length || old.some((name, i) => name !== names[i])) {
    target.value = names;
  }
}
