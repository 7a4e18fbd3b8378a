// Everything the kernel has sent, for all views of one widget.

import { batch, signal } from "@preact/signals";
import { compareNatural } from "../lib/natural";
import { Collection, replaceIfChanged, type TagOf } from "./collection";
import type { DetailPart } from "./detail";
import type { HeldSeries } from "./encode";
import type { HistogramDetail, HistogramPart, HistogramSeries } from "./histograms";
import type { Named, Versioned } from "./kind";
import { KINDS } from "./kinds";
import { Memory, MOST_BYTES } from "./memory";
import type { DataMessage, Problem, Status } from "./protocol";
import type { Saved } from "./saved";
import type { Series, SeriesPart } from "./series";

/** The scalars of one tag. */
export type TagData = TagOf<Series>;

/** The histograms of one tag. */
export type HistogramData = TagOf<HistogramSeries>;

type AnyCollection = Pick<
  Collection<Versioned, Named, Named & { readonly revision: number }>,
  "tags" | "tag" | "isCoarse" | "take" | "takeDetail" | "dropUnnamed" | "clear" | "shrink" | "runs" | "list" | "tell"
>;

/** Holds series by tag and run; its signals tell views what to draw anew. */
export class Store {
  /** Natural order. */
  readonly runs = signal<readonly string[]>([]);
  /** Tags of all kinds, in natural order. */
  readonly tags = signal<readonly string[]>([]);
  readonly scalars: Collection<Series, SeriesPart, DetailPart>;
  readonly histograms: Collection<HistogramSeries, HistogramPart, HistogramDetail>;
  readonly status = signal<Status | null>(null);
  readonly problems = signal<readonly Problem[]>([]);
  /** When the last message came, and when the last news were read: milliseconds since the epoch, by this browser's clock. */
  readonly heardAt = signal<number | null>(null);
  readonly changedAt = signal<number | null>(null);
  /** When what is held was saved, if it is of a saved page: milliseconds since the epoch. */
  readonly savedAt = signal<number | null>(null);
  /** The first full listing has come: all runs are known that were there before. */
  readonly listed = signal(false);
  /** The kernel speaks another protocol. */
  readonly failed = signal(false);

  readonly #memory: Memory;
  readonly #byKind: Readonly<Record<string, AnyCollection>>;
  #seq: number | null = null;
  /** Nothing was missed since the running or last keyframe began. */
  #unbroken = false;

  constructor(mostBytes = MOST_BYTES) {
    this.#memory = new Memory(mostBytes);
    this.scalars = new Collection(KINDS.scalars, this.#memory);
    this.histograms = new Collection(KINDS.histograms, this.#memory);
    // A part is of the kind that it names.
    this.#byKind = { scalars: this.scalars, histograms: this.histograms } as Record<string, AnyCollection>;
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

  /** The scalars of a tag, if there are any. */
  tag(name: string): TagData | undefined {
    return this.scalars.tag(name);
  }

  /** Takes note of the tags in sight, in the order of the screen: others are dropped before them. */
  see(tags: readonly string[]): void {
    this.#memory.see(tags);
  }

  /** Whether some run's series of this tag is held in less detail than the kernel has to give. */
  isCoarse(tag: string): boolean {
    return this.#kinds.some((kind) => kind.isCoarse(tag));
  }

  /** All series, without stretches in detail: those of the tags seen last first. */
  held(): HeldSeries[] {
    return this.#memory.seenFirst(this.tags.peek()).flatMap((tag) =>
      Object.entries(this.#byKind).flatMap(([kind, collection]) => {
        const held = [...(collection.tag(tag)?.byRun ?? [])];
        return held.map(([run, { base }]) => ({ kind, run, tag, series: base }));
      }),
    );
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
    // Of what a kernel has sent, nothing was seen.
    this.#seq = null;
    this.#unbroken = false;
    this.savedAt.value = at;
  }

  /** Takes a message in; returns false when something before it was lost. */
  apply(message: DataMessage, now: number): boolean {
    const follows = this.#seq !== null && message.seq === this.#seq + 1;
    this.#unbroken = message.begins || (this.#unbroken && follows);
    this.#seq = message.seq;
    batch(() => {
      this.#dropSaved();
      for (const part of message.series) {
        this.#byKind[part.kind]?.take(part, message.keyframe);
      }
      for (const detail of message.details) {
        this.#byKind[detail.kind]?.takeDetail(detail as Named & { readonly revision: number });
      }
      if (message.ends && this.#unbroken) {
        for (const kind of this.#kinds) {
          kind.dropUnnamed(message.keyframe);
        }
      }
      this.#list();
      this.#memory.makeRoom(this.tags.peek(), (tag) => {
        for (const kind of this.#kinds) {
          kind.shrink(tag);
        }
      });
      for (const kind of this.#kinds) {
        kind.tell();
      }
      this.#takeStatus(message.status, now);
      this.listed.value ||= message.ends && message.status.ready;
    });
    return this.#unbroken;
  }

  get #kinds(): AnyCollection[] {
    return Object.values(this.#byKind);
  }

  #dropSaved(): void {
    if (this.savedAt.peek() !== null) {
      this.savedAt.value = null;
      for (const kind of this.#kinds) {
        kind.clear();
      }
      this.#list();
    }
  }

  #list(): void {
    // Each of them lists its own.
    if (!this.#kinds.map((kind) => kind.list()).some((changed) => changed)) {
      return;
    }
    const runs = new Set(this.#kinds.flatMap((kind) => [...kind.runs()]));
    replaceIfChanged(this.runs, [...runs].sort(compareNatural));
    const tags = new Set(this.#kinds.flatMap((kind) => kind.tags.peek()));
    replaceIfChanged(this.tags, [...tags].sort(compareNatural));
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
