// Everything the kernel has sent, for all views of one widget.

import { batch, type Signal, signal } from "@preact/signals";
import { compareNatural } from "../lib/natural";
import { applyPart, coarsened } from "./apply";
import { finestWidth } from "./coarsen";
import { type DetailPart, withDetail } from "./detail";
import { Memory, MOST_BYTES } from "./memory";
import type { DataMessage, Problem, Status } from "./protocol";
import type { Saved } from "./saved";
import type { Series } from "./series";

interface Held {
  /** What is drawn. */
  series: Series;
  /** The same without the stretch in detail. */
  base: Series;
  detail: DetailPart | null;
  /** The last keyframe under which it came. */
  keyframe: number;
  /** Something came that could not be joined to it. */
  stale: boolean;
}

/** The series of one tag. `version` changes with them. */
export interface TagData {
  readonly version: Signal<number>;
  readonly byRun: Map<string, Held>;
}

/** Holds series by tag and run; its signals tell views what to draw anew. */
export class Store {
  /** Natural order. */
  readonly runs = signal<readonly string[]>([]);
  /** Natural order. */
  readonly tags = signal<readonly string[]>([]);
  readonly status = signal<Status | null>(null);
  readonly problems = signal<readonly Problem[]>([]);
  /** When the last message came, and when the last news were read: milliseconds since the epoch, by this browser's clock. */
  readonly heardAt = signal<number | null>(null);
  readonly changedAt = signal<number | null>(null);
  /** When what is held was saved, if it is of a saved page: milliseconds since the epoch. */
  readonly savedAt = signal<number | null>(null);
  /** The kernel speaks another protocol. */
  readonly failed = signal(false);

  readonly #byTag = new Map<string, TagData>();
  readonly #memory: Memory;
  readonly #places = new Map<string, number>();
  /** The first full listing has come: from now on every run keeps its place. */
  #placesFixed = false;
  #seq: number | null = null;
  #keyframe = 0;
  /** Nothing was missed since the running or last keyframe began. */
  #unbroken = false;

  constructor(mostBytes = MOST_BYTES) {
    this.#memory = new Memory(mostBytes);
  }

  /** Bytes of series held, about. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /** Number of the last message; 0 before the first. */
  get seq(): number {
    return this.#seq ?? 0;
  }

  /** Every message since the last keyframe began was seen. */
  get complete(): boolean {
    return this.#unbroken;
  }

  /** The series of a tag, if there are any. */
  tag(name: string): TagData | undefined {
    return this.#byTag.get(name);
  }

  /** Number of a run, for its colour: at first in natural order; runs that come later change no other's. */
  place(run: string): number {
    return this.#places.get(run) ?? 0;
  }

  /** Takes note of the tags in sight, in the order of the screen: others are dropped before them. */
  see(tags: readonly string[]): void {
    this.#memory.see(tags);
  }

  /** Whether some run's series of this tag is held in less detail than the kernel has to give. */
  isCoarse(tag: string): boolean {
    const held = [...(this.#byTag.get(tag)?.byRun.values() ?? [])];
    return held.some(({ base, stale }) => stale || base.width > finestWidth(base.total));
  }

  /** The tags, those seen last first. */
  seenFirst(): string[] {
    return this.#memory.seenFirst(this.tags.peek());
  }

  /** What a view has computed to draw with counts as held; 0 when it has let it go. */
  beside(owner: object, bytes: number): void {
    this.#memory.beside(owner, bytes);
  }

  /** Takes in what was saved with a page. The first message of a kernel takes its place. */
  restore({ at, messages }: Saved): void {
    for (const message of messages) {
      this.apply(message, at);
    }
    this.savedAt.value = at;
  }

  /** Takes a message in; returns false when something before it was lost. */
  apply(message: DataMessage, now: number): boolean {
    const follows = this.#seq !== null && message.seq === this.#seq + 1;
    this.#unbroken = message.begins || (this.#unbroken && follows);
    this.#seq = message.seq;
    this.#keyframe = message.keyframe;
    batch(() => {
      this.#dropSaved();
      const touched = this.#takeSeries(message);
      if (message.ends && this.#unbroken) {
        this.#dropUnnamed(touched);
      }
      this.#memory.makeRoom(this.tags.peek(), (tag) => this.#shrink(tag, touched));
      for (const name of touched) {
        const data = this.#byTag.get(name);
        if (data !== undefined) {
          data.version.value += 1;
        }
      }
      this.#takeStatus(message.status, now);
      this.#placesFixed ||= message.ends && message.status.ready;
    });
    return this.#unbroken;
  }

  #takeSeries(message: DataMessage): Set<string> {
    const touched = new Set<string>();
    let listChanged = false;
    for (const part of message.series) {
      let data = this.#byTag.get(part.tag);
      const held = data?.byRun.get(part.run);
      const base = applyPart(held?.base, part);
      if (base === null) {
        // What came in between was lost, which the gap has shown already; or it was dropped here.
        if (held !== undefined) {
          held.stale = true;
        }
        continue;
      }
      if (data === undefined) {
        data = { version: signal(0), byRun: new Map() };
        this.#byTag.set(part.tag, data);
      }
      listChanged ||= held === undefined;
      if (base === held?.base) {
        held.keyframe = message.keyframe;
      } else {
        const kept = held?.detail ?? null;
        const detail = kept?.revision === base.revision ? kept : null;
        this.#put(data, part.run, { base, detail, series: base, keyframe: message.keyframe, stale: false });
        touched.add(part.tag);
      }
    }
    for (const detail of message.details) {
      const data = this.#byTag.get(detail.tag);
      const held = data?.byRun.get(detail.run);
      if (data !== undefined && held !== undefined && held.base.revision === detail.revision) {
        this.#put(data, detail.run, { ...held, detail });
        touched.add(detail.tag);
      }
    }
    if (listChanged) {
      this.#list();
    }
    return touched;
  }

  /** Holds a series anew: with its stretch in detail, where it has one that fits. */
  #put(data: TagData, run: string, held: Held): void {
    const before = data.byRun.get(run);
    const series = held.detail === null ? held.base : withDetail(held.base, held.detail);
    const after = { ...held, series };
    this.#account(before, after);
    data.byRun.set(run, after);
  }

  #account(before: Held | undefined, after: Held | undefined): void {
    this.#memory.replaced(before?.base, after?.base);
    this.#memory.replaced(merged(before), merged(after));
    this.#memory.replaced(before?.detail?.rows, after?.detail?.rows);
  }

  /** A whole keyframe has passed: series that it did not name are gone. */
  #dropUnnamed(touched: Set<string>): void {
    let dropped = false;
    for (const [tag, data] of this.#byTag) {
      for (const [run, held] of data.byRun) {
        if (held.keyframe < this.#keyframe) {
          this.#account(held, undefined);
          data.byRun.delete(run);
          touched.add(tag);
          dropped = true;
        }
      }
      if (data.byRun.size === 0) {
        this.#byTag.delete(tag);
      }
    }
    if (dropped) {
      this.#list();
    }
  }

  #dropSaved(): void {
    if (this.savedAt.peek() !== null) {
      this.savedAt.value = null;
      for (const data of this.#byTag.values()) {
        for (const held of data.byRun.values()) {
          this.#account(held, undefined);
        }
      }
      this.#byTag.clear();
      this.#list();
    }
  }

  /** Holds a tag in few rows from now on; the kernel sends it in full again when the user looks at it. */
  #shrink(tag: string, touched: Set<string>): void {
    const data = this.#byTag.get(tag);
    for (const [run, held] of data?.byRun ?? []) {
      if (data !== undefined) {
        this.#put(data, run, { ...held, base: coarsened(held.base), detail: null });
      }
    }
    touched.add(tag);
  }

  #list(): void {
    const runs = new Set<string>();
    for (const data of this.#byTag.values()) {
      for (const run of data.byRun.keys()) {
        runs.add(run);
      }
    }
    const sorted = [...runs].sort(compareNatural);
    if (!this.#placesFixed) {
      this.#places.clear();
    }
    for (const run of sorted) {
      if (!this.#places.has(run)) {
        this.#places.set(run, this.#places.size);
      }
    }
    replaceIfChanged(this.runs, sorted);
    replaceIfChanged(this.tags, [...this.#byTag.keys()].sort(compareNatural));
  }

  #takeStatus(status: Status, now: number): void {
    this.status.value = status;
    this.heardAt.value = now;
    this.changedAt.value = status.age === null ? null : now - status.age * 1000;
    if (status.problemList !== undefined) {
      this.problems.value = status.problemList;
    }
  }
}

/** What is drawn, if that is not what was held anyway. */
function merged(held: Held | undefined): Series | undefined {
  return held?.series === held?.base ? undefined : held?.series;
}

function replaceIfChanged(target: Signal<readonly string[]>, names: readonly string[]): void {
  const old = target.value;
  if (old.length !== names.length || old.some((name, i) => name !== names[i])) {
    target.value = names;
  }
}
