// Everything the kernel has sent, for all views of one widget. It is made of the codecs of the panels, and knows no kind.

import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { compareNatural } from "../lib/natural";
import { type Range, union } from "../lib/search";
import { CacheBudget, MAX_BYTES } from "./cache";
import type {
  AnyCodec,
  AnyDocumentCodec,
  DocumentCodec,
  ItemRow,
  ItemsCodec,
  Key,
  Revised,
  SeriesCodec,
  Versioned,
} from "./codec";
import { type Collection, type Held, replaceIfChanged } from "./collection";
import { DocumentCollection } from "./documents";
import type { Saveable } from "./entrywriter";
import { ItemCollection } from "./items";
import { Assembler } from "./pieces";
import type { DataMessage, Directory, FailedEntry, Problem, ShortOfMemory, Status } from "./protocol";
import { withReason } from "./reasons";
import type { Place } from "./redaction";
import { NO_ATTRIBUTES, type Outline, type RunAttributes, type RunFacts, type Statistics } from "./runfacts";
import { SeriesCollection } from "./series";
import { NO_TAG_TEXTS, type TagTexts } from "./tagtexts";
import { wireTexts } from "./texts";

/** The lists of a message that change the store. */
const CONTENTS = ["series", "items", "documents", "itemPieces", "documentPieces", "failed"] as const;

/** Rows of a series for each pixel of its chart, where memory is short. */
const ROWS_PER_PIXEL = 2;
const MIN_ROWS_ON_SCREEN = 256;

/** Pixels of a chart that is not drawn yet. */
const USUAL_PIXELS = 600;

/** A chart that has become this many times as wide needs more rows. */
const ENLARGED = 1.5;

/** The number of no keyframe that a kernel sends. */
const LAST_VIEW_KEYFRAME = -1;

/** Holds content by kind, tag and run; its signals notify views of what to draw again. */
const NO_TAGS: readonly string[] = [];

export class Store {
  /** Natural order. */
  readonly runs = signal<readonly string[]>([]);
  /** The color number of each run, as the kernel gives it. */
  readonly runNumbers = signal<ReadonlyMap<string, number>>(new Map());
  /** Tags of all kinds, in natural order. */
  readonly tags = signal<readonly string[]>([]);
  readonly status = signal<Status | null>(null);
  readonly problems = signal<readonly Problem[]>([]);
  /** When the last message came, and when the last news were read: milliseconds since the epoch, by this browser's clock. */
  readonly receivedAt = signal<number | null>(null);
  readonly changedAt = signal<number | null>(null);
  /** Since when a cell of the kernel runs, as far as the page was told; null where none does, or that is unknown. */
  readonly cellAt = signal<number | null>(null);
  /** When the content was saved, for a saved page or a last view: milliseconds since the epoch. */
  readonly savedAt = signal<number | null>(null);
  /** Whether the content is the last view of a page that was left. Messages go on from there. */
  readonly isLastView = signal(false);
  /** None where the logs are objects, or an older version sent or saved them. */
  readonly directories = signal<readonly Directory[]>([]);
  /** The kernel has another version of the protocol. */
  readonly failed = signal(false);

  /** Everything that the logs hold after the initial scan has been named: until then, runs and tags come in parts. */
  readonly settled: ReadonlySignal<boolean>;

  /** Facts about the runs that the kernel sends besides their data. */
  readonly runAttributes: ReadonlySignal<RunAttributes>;
  /** Display names and descriptions of tags. */
  readonly tagTexts: ReadonlySignal<TagTexts>;
  /** By kind. */
  readonly codecs: ReadonlyMap<string, AnyCodec>;
  readonly #budget: CacheBudget;
  /** Puts together whatever travels in pieces. */
  readonly assembler: Assembler;
  readonly #series = new Map<string, SeriesCollection<Versioned>>();
  readonly #items = new Map<string, ItemCollection<ItemRow>>();
  readonly #documents = new Map<string, DocumentCollection<unknown>>();
  readonly #byKind = new Map<string, Collection<Held>>();
  /** Kinds and tags on the screen, by view. */
  readonly #inSight = new Map<
    object,
    { readonly kinds: readonly string[] | null; readonly tags: ReadonlySet<string> }
  >();
  readonly #charts = new Map<object, { readonly tags: readonly string[]; readonly pixels: number }>();
  readonly #wantListeners = new Set<() => void>();
  #seq: number | null = null;
  /** The kernel's last keyframe has arrived whole. */
  readonly #keyframeEnded = signal(false);
  /** Nothing was missed since the running or last keyframe began. */
  #complete = false;
  #places: readonly Place[] = [];
  #placesLeft = 0;
  #changes = 0;

  constructor(codecs: readonly AnyCodec[], mostBytes = MAX_BYTES) {
    this.#budget = new CacheBudget(mostBytes);
    this.assembler = new Assembler(this.#budget);
    this.codecs = new Map(codecs.map((codec) => [codec.kind, codec]));
    const wanted = () => {
      for (const listener of this.#wantListeners) {
        listener();
      }
    };
    for (const codec of codecs) {
      if (this.codecs.get(codec.kind) !== codec) {
        throw new Error(`two codecs of the kind ${codec.kind}`);
      }
    }
    for (const [kind, codec] of this.codecs) {
      if (codec.sort === "series") {
        this.#series.set(kind, new SeriesCollection(codec, this.#budget));
      } else if (codec.sort === "items") {
        this.#items.set(kind, new ItemCollection(codec, this.#budget, this.assembler));
      } else {
        this.#documents.set(kind, new DocumentCollection(codec, this.#budget, this.assembler, wanted));
      }
    }
    // To a saved page nothing comes any more; what a last view holds is about to be replaced.
    this.settled = computed(() =>
      this.savedAt.value === null
        ? this.#keyframeEnded.value && this.status.value?.ready === true
        : !this.isLastView.value,
    );
    this.runAttributes = computed(() => this.#ofDirectory((codec) => codec.attributesOf) ?? NO_ATTRIBUTES);
    this.tagTexts = computed(() => this.#ofDirectory((codec) => codec.tagTextsOf) ?? NO_TAG_TEXTS);
    for (const collections of [this.#series, this.#items, this.#documents]) {
      for (const [kind, collection] of collections) {
        this.#byKind.set(kind, collection as unknown as Collection<Held>);
      }
    }
  }

  /** Bytes held, about. */
  get bytes(): number {
    return this.#budget.bytes;
  }

  /** Number of the last message; 0 before the first. */
  get seq(): number {
    return this.#seq ?? 0;
  }

  /** Names that must not be saved, with their replacements; the longest first. */
  get places(): readonly Place[] {
    return this.#places;
  }

  /** Some of these have not arrived: nothing can be saved without telling where the logs are. */
  get lacksPlaces(): boolean {
    return this.#placesLeft > 0;
  }

  /** How many messages have brought something beside the status. */
  get changes(): number {
    return this.#changes;
  }

  /** Every message since the last keyframe began was seen. */
  get complete(): boolean {
    return this.#complete;
  }

  series<S extends Versioned, P extends Key, D extends Revised>(
    codec: SeriesCodec<S, P, D>,
  ): SeriesCollection<S, P, D> {
    return collectionOf(this.#series, codec) as unknown as SeriesCollection<S, P, D>;
  }

  items<R extends ItemRow>(codec: ItemsCodec<R>): ItemCollection<R> {
    return collectionOf(this.#items, codec) as unknown as ItemCollection<R>;
  }

  documents<V>(codec: DocumentCodec<V>): DocumentCollection<V> {
    return collectionOf(this.#documents, codec) as unknown as DocumentCollection<V>;
  }

  /** Current facts of each run: not a signal, since every message changes them. */
  runFacts(): ReadonlyMap<string, RunFacts> {
    const facts = new Map<string, RunFacts>();
    for (const collection of this.#byKind.values()) {
      collection.addFacts(facts);
    }
    return facts;
  }

  /** The tags whose values have statistics. */
  measuredTags(): readonly string[] {
    return this.#measured().flatMap((collection) => collection.tags.value);
  }

  /** The tags of a kind, in natural order. */
  tagsOf(kind: string): readonly string[] {
    return this.#byKind.get(kind)?.tags.value ?? NO_TAGS;
  }

  /** The runs that have data of a kind under a tag. */
  runsOf(kind: string, tag: string): readonly string[] {
    return [...(this.#byKind.get(kind)?.tag(tag)?.byRun.keys() ?? [])];
  }

  /** Current statistics of a run's values under a tag; null if it has none. */
  statistics(run: string, tag: string): Statistics | null {
    for (const collection of this.#measured()) {
      const found = collection.statistics(run, tag);
      if (found !== null) {
        return found;
      }
    }
    return null;
  }

  /** The course of a run under a tag, by now; null where there are no values that have statistics. */
  outline(run: string, tag: string): Outline | null {
    for (const collection of this.#measured()) {
      const found = collection.outline(run, tag);
      if (found !== null) {
        return found;
      }
    }
    return null;
  }

  /** Why something cannot be read, if it cannot. */
  failure(kind: string, run: string, tag: string): string | undefined {
    return this.#byKind.get(kind)?.tag(tag)?.failures.get(run)?.reason;
  }

  /** A view shows these tags of these kinds (null: all), in the order of the screen: what others hold is dropped first. */
  see(view: object, kinds: readonly string[] | null, tags: readonly string[]): void {
    this.#budget.see(tags);
    if (tags.length > 0) {
      this.#inSight.set(view, { kinds, tags: new Set(tags) });
    } else {
      this.#inSight.delete(view);
    }
    for (const [kind, collection] of this.#series) {
      for (const tag of collection.fitted.keys()) {
        if (!this.#isInSight(kind, tag)) {
          collection.unfit(tag, true);
        }
      }
    }
  }

  /** Sets the bytes that a view has computed for drawing; 0 once it has dropped them. */
  account(owner: object, bytes: number): void {
    this.#budget.account(owner, bytes);
  }

  /** A chart of these tags is drawn at a width of `pixels` device pixels; 0 when it is removed. */
  drawnIn(chart: object, tags: readonly string[], pixels: number): void {
    if (pixels === 0) {
      this.#charts.delete(chart);
      return;
    }
    this.#charts.set(chart, { tags, pixels });
    for (const collection of this.#series.values()) {
      for (const tag of tags) {
        if ((collection.fitted.get(tag) ?? Number.POSITIVE_INFINITY) < this.#rowsOnScreen(tag) / ENLARGED) {
          collection.unfit(tag);
        }
      }
    }
  }

  /** Whether something of these kinds (null: all) is held under this tag in less detail than the kernel has to give. */
  isCoarse(kinds: readonly string[] | null, tag: string): boolean {
    return this.#kinds(kinds).some(([, collection]) => collection.isCoarse(tag));
  }

  /** Kinds and tags, among these, that are held in less detail than the kernel has to give. */
  coarseAmong(kinds: readonly string[] | null, tags: readonly string[]): (readonly [kind: string, tag: string])[] {
    return tags.flatMap((tag) =>
      this.#kinds(kinds)
        .filter(([, collection]) => collection.isCoarse(tag))
        .map(([kind]) => [kind, tag] as const),
    );
  }

  /** Series among these that are held in fewer rows than the kernel sent, because memory is short. */
  shortAmong(kinds: readonly string[] | null, tags: readonly string[]): ShortOfMemory[] {
    const among = [...this.#series].filter(([kind]) => kinds === null || kinds.includes(kind));
    return tags.flatMap((tag) =>
      among.flatMap(([kind, collection]) => {
        const rows = collection.fitted.get(tag);
        return rows === undefined ? [] : [[kind, tag, collection.widthOf(tag), rows] as const];
      }),
    );
  }

  /** For a saved page: the number of tags in less detail than the kernel had, and of values that are missing. */
  shortfall(): { readonly coarse: number; readonly absent: number } {
    const coarse = this.tags.peek().filter((tag) => this.isCoarse(null, tag)).length;
    return { coarse, absent: [...this.#byKind.values()].reduce((sum, collection) => sum + collection.absent(), 0) };
  }

  /** The steps that series of a tag, of whatever kind, wrote in a range of times; null if none did. */
  stepsDuring(tag: string, runs: (run: string) => boolean, times: Range, relative: boolean): Range | null {
    const ranges = [...this.#series.values()].map((kind) => kind.stepsDuring(tag, runs, times, relative));
    return union(ranges.filter((range) => range !== null));
  }

  /** Calls `listener` whenever something is shown that may have to be requested. */
  onWanted(listener: () => void, until: AbortSignal): void {
    this.#wantListeners.add(listener);
    until.addEventListener("abort", () => this.#wantListeners.delete(listener), { once: true });
  }

  /** The content that can be saved with the page, most important first: tags seen last come first, blobs last. */
  saveable(): Saveable[] {
    const tags = this.#budget.seenFirst(this.tags.peek());
    const collections = [...this.#byKind.values()];
    const of = <T>(what: (collection: Collection<Held>, tag: string) => T[]) =>
      tags.flatMap((tag) => collections.flatMap((collection) => what(collection, tag)));
    const blobs = of((collection, tag) => collection.saveableBlobs(tag));
    const longest = blobs.reduce((most, { length }) => Math.max(most, length), 0);
    // The newest blob of each index, then the next of each …
    const inTurns = Array.from({ length: longest }, (_, i) => blobs.flatMap((list) => list.slice(i, i + 1))).flat();
    return [...of((collection, tag) => [...collection.saveable(tag)]), ...inTurns];
  }

  /** The same content, one by one; only the newest blob of each index. */
  *saveableInTurn(): Generator<Saveable> {
    const tags = this.#budget.seenFirst(this.tags.peek());
    for (const tag of tags) {
      for (const collection of this.#byKind.values()) {
        yield* collection.saveable(tag);
      }
    }
    for (const tag of tags) {
      for (const collection of this.#byKind.values()) {
        for (const [newest] of collection.saveableBlobs(tag)) {
          if (newest !== undefined) {
            yield newest;
          }
        }
      }
    }
  }

  /**
   * Takes in the messages saved with a page; `at` is in milliseconds since the epoch. The first message of a kernel
   * replaces them. A last view came over this same channel and has its revisions, so the next keyframe replaces changed
   * content and drops removed content.
   */
  restore(messages: readonly DataMessage[], at: number, isLastView = false): void {
    for (const message of messages) {
      this.apply(isLastView ? { ...message, keyframe: LAST_VIEW_KEYFRAME } : message, at);
    }
    // No message of a kernel was seen yet.
    this.#seq = null;
    this.#complete = false;
    this.#keyframeEnded.value = false;
    this.#changes = 0;
    this.isLastView.value = isLastView;
    this.savedAt.value = at;
  }

  /** Takes in a message; returns false when something before it was lost, or something in it. */
  apply(message: DataMessage, now: number): boolean {
    const follows = this.#seq !== null && message.seq === this.#seq + 1;
    this.#complete = (message.begins || (this.#complete && follows)) && !message.damaged;
    this.#seq = message.seq;
    batch(() => {
      if (!follows) {
        this.assembler.clear();
      }
      const brings = CONTENTS.some((name) => message[name].length > 0);
      this.#changes += brings ? 1 : 0;
      this.#leaveSaved(message.begins || brings);
      this.#applyContent(message);
      if (message.ends && this.#complete) {
        this.#keyframeEnded.value = true;
        for (const collection of this.#byKind.values()) {
          collection.dropUnnamed(message.keyframe);
        }
      }
      this.#updateNames();
      this.#makeRoom();
      for (const collection of this.#byKind.values()) {
        collection.notify();
      }
      this.#applyNumbers(message.numbers);
      this.#applyStatus(message.status, now);
    });
    return this.#complete;
  }

  /** Reduces series off the screen first. Series on the screen keep as many rows as their charts can show. */
  #makeRoom(): void {
    this.#budget.makeRoom(
      this.tags.peek(),
      (tag) => {
        for (const [kind, collection] of this.#byKind) {
          if (!this.#isInSight(kind, tag)) {
            collection.shrink(tag);
          }
        }
      },
      (tag) => {
        for (const [kind, collection] of this.#byKind) {
          if (this.#isInSight(kind, tag)) {
            collection.fitToScreen(tag, this.#rowsOnScreen(tag));
          }
        }
      },
    );
    // Once there is room, a series that was fitted may be requested in full again.
    let bytes = 0;
    for (const collection of this.#series.values()) {
      for (const tag of collection.fitted.keys()) {
        const lacking = collection.lackingBytes(tag);
        if (this.#budget.hasRoom(bytes + lacking)) {
          collection.unfit(tag);
          bytes += lacking;
        }
      }
    }
  }

  #isInSight(kind: string, tag: string): boolean {
    return [...this.#inSight.values()].some(
      ({ kinds, tags }) => tags.has(tag) && (kinds === null || kinds.includes(kind)),
    );
  }

  /** Rows that suffice to draw each series of a tag as wide as it is on the screen. */
  #rowsOnScreen(tag: string): number {
    const widths = [...this.#charts.values()].flatMap(({ tags, pixels }) => (tags.includes(tag) ? [pixels] : []));
    return Math.max(MIN_ROWS_ON_SCREEN, ROWS_PER_PIXEL * (widths.length > 0 ? Math.max(...widths) : USUAL_PIXELS));
  }

  #applyContent({ keyframe, ...message }: DataMessage): void {
    const failed = (entry: FailedEntry) => this.#byKind.get(entry.kind)?.fail(entry, keyframe);
    // An error of a codec on one entry must not keep the others out.
    const each = <K extends Key>(entries: readonly K[], apply: (entry: K) => void) => {
      for (const entry of entries) {
        try {
          apply(entry);
        } catch (error) {
          const { kind, run, tag } = entry;
          failed(withReason({ kind, run, tag }, () => wireTexts().unreadable(String(error))));
        }
      }
    };
    // First: other entries of the same key end a failure.
    each(message.failed, failed);
    each(message.series, (part) => this.#series.get(part.kind)?.applyPart(part, keyframe));
    each(message.details, (detail) => this.#series.get(detail.kind)?.applyDetail(detail));
    each(message.items, (part) => this.#items.get(part.kind)?.applyPart(part, keyframe));
    each(message.documents, (entry) => this.#documents.get(entry.kind)?.applyEntry(entry, keyframe));
    each(message.itemPieces, (piece) => this.#items.get(piece.kind)?.applyPiece(piece));
    each(message.documentPieces, (piece) => this.#documents.get(piece.kind)?.applyPiece(piece));
  }

  #measured(): SeriesCollection<Versioned>[] {
    return [...this.#series.values()].filter(({ codec }) => codec.statisticsOf !== undefined);
  }

  #kinds(kinds: readonly string[] | null): [string, Collection<Held>][] {
    return [...this.#byKind].filter(([kind]) => kinds === null || kinds.includes(kind));
  }

  /** A message came. A last view stays old until one says something beside the status, or that there is nothing. */
  #leaveSaved(says: boolean): void {
    if (this.savedAt.peek() === null || (this.isLastView.peek() && !says)) {
      return;
    }
    this.savedAt.value = null;
    if (this.isLastView.peek()) {
      this.isLastView.value = false;
    } else {
      this.runNumbers.value = new Map();
      for (const collection of this.#byKind.values()) {
        collection.clear();
      }
      this.#updateNames();
    }
  }

  /** What a codec reads from the document of the directory, if that has come. */
  #ofDirectory<T>(reading: (codec: AnyDocumentCodec) => ((value: unknown) => T) | undefined): T | undefined {
    for (const collection of this.#documents.values()) {
      const read = reading(collection.codec);
      const value = read && collection.get("", "").value?.value;
      if (value !== undefined) {
        return read?.(value);
      }
    }
    return undefined;
  }

  #updateNames(): void {
    // Each of them brings its own up to date.
    const changed = [...this.#byKind.values()].map((collection) => collection.updateNames());
    if (!changed.includes(true)) {
      return;
    }
    const isOfRuns = (kind: string) => this.#documents.get(kind)?.codec.isOfDirectory !== true;
    const collections = [...this.#byKind].filter(([kind]) => isOfRuns(kind)).map(([, collection]) => collection);
    const runs = new Set(collections.flatMap((collection) => [...collection.runs()]));
    replaceIfChanged(this.runs, [...runs].sort(compareNatural));
    const tags = new Set(collections.flatMap((collection) => collection.tags.peek()));
    replaceIfChanged(this.tags, [...tags].sort(compareNatural));
  }

  #applyNumbers(numbers: ReadonlyMap<string, number>): void {
    const known = this.runNumbers.peek();
    if ([...numbers].some(([run, number]) => known.get(run) !== number)) {
      this.runNumbers.value = new Map([...known, ...numbers]);
    }
  }

  #applyStatus(status: Status, now: number): void {
    this.status.value = status;
    this.receivedAt.value = now;
    this.changedAt.value = status.age === null ? null : now - status.age * 1000;
    this.cellAt.value = status.cell === true ? (this.cellAt.peek() ?? now) : null;
    if (status.problemList !== undefined) {
      this.problems.value = status.problemList;
    }
    if (status.directories !== undefined) {
      this.directories.value = status.directories;
    }
    if (status.places !== undefined) {
      const { from, left, list } = status.places;
      this.#places = [...this.#places.slice(0, from), ...list];
      this.#placesLeft = left;
    }
  }
}

/** The collection that was made of this codec. */
function collectionOf<C extends { readonly codec: object }>(
  collections: ReadonlyMap<string, C>,
  codec: { readonly kind: string },
): C {
  const collection = collections.get(codec.kind);
  if (collection?.codec !== codec) {
    throw new Error(`the store was made without the codec of ${codec.kind}`);
  }
  return collection;
}
