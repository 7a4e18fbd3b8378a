// The documents of one kind: one value by tag and run, replaced as a whole.

import type { ReadonlySignal } from "@preact/signals";
import type { CacheBudget } from "./cache";
import { CachedValue } from "./cachedvalue";
import type { DocumentCodec, Key, Revised } from "./codec";
import { Collection, type Held } from "./collection";
import { lengthOf, type Saveable } from "./entrywriter";
import type { Assembler, Piece } from "./pieces";
import { withReason } from "./reasons";
import { wireTexts } from "./texts";

/** Documents of up to this many bytes can be saved with the page: they are kept as they came, too. */
const MAX_KEPT_BYTES = 1e6;

/** The document exists in this revision. */
export interface DocumentEntry extends Revised {
  readonly size: number;
}

/** A piece of the document in this revision. */
export interface DocumentPiece extends Revised, Piece {}

export interface DocumentValue<V> {
  readonly value: V;
  readonly revision: number;
}

export interface HeldDocument<V> extends Held {
  /** The revision that the kernel named last; the value's own may be older. */
  readonly revision: number;
  readonly size: number;
  readonly content: CachedDocument<V>;
}

class CachedDocument<V> extends CachedValue<DocumentValue<V> | undefined> {
  /** The value as it came; null where that is too large to be kept. */
  source: Uint8Array | null = null;
  /** Number of the decoding begun last, and of the one applied last: an older one that ends later is ignored. */
  begun = 0;
  taken = 0;
  /** The revision that is being decoded, or could not be. */
  attempted: number | null = null;

  /** In the collection. */
  readonly key: string;
  readonly #refuse: () => void;

  /** `refuse` is called when the value exceeds the budget although it is on the screen. */
  constructor(key: string, budget: CacheBudget, wanted: () => void, refuse: () => void) {
    super(undefined, budget, wanted);
    this.key = key;
    this.#refuse = refuse;
  }

  clear(): void {
    this.taken = this.begun;
    this.attempted = null;
    this.source = null;
    this.set(undefined, 0);
  }

  piecesLost(): void {}

  protected override emptied(refused: boolean): undefined {
    this.attempted = null;
    this.source = null;
    if (refused) {
      this.#refuse();
    }
    return undefined;
  }
}

export class DocumentCollection<V> extends Collection<HeldDocument<V>> {
  readonly codec: DocumentCodec<V>;
  readonly #budget: CacheBudget;
  readonly #assembler: Assembler;
  /** Called when a document is shown that has not arrived, or when it arrives. */
  readonly #wanted: () => void;
  readonly #contents = new Map<string, CachedDocument<V>>();

  constructor(codec: DocumentCodec<V>, budget: CacheBudget, assembler: Assembler, wanted: () => void) {
    super();
    this.codec = codec;
    this.#budget = budget;
    this.#assembler = assembler;
    this.#wanted = wanted;
  }

  /** The document, as far as it has come; it may be of an older revision than the kernel has by now. */
  get(run: string, tag: string): ReadonlySignal<DocumentValue<V> | undefined> {
    return this.#contentOf(run, tag).signal;
  }

  applyEntry(entry: DocumentEntry, keyframe: number): void {
    const { run, tag, revision, size } = entry;
    const held = this.heldOf(entry);
    if (held?.revision !== revision) {
      const content = this.#contentOf(run, tag);
      this.#assembler.drop(content);
      this.put(entry, { revision, size, content, keyframe, stale: false });
    }
    // One that could not be decoded cannot be until it changes; one that had no room has none as long as it is looked at.
    const lacks = held?.revision === revision && held.content.value?.revision !== revision;
    const failed = lacks && (held.content.attempted === revision || held.content.refused);
    this.named(entry, keyframe, !failed);
  }

  applyPiece(piece: DocumentPiece): void {
    const held = this.heldOf(piece);
    if (held === undefined || held.revision !== piece.revision || held.content.value?.revision === piece.revision) {
      return;
    }
    try {
      const bytes = this.#assembler.add(held.content, piece);
      if (bytes !== null) {
        this.#decode(piece, held, bytes);
      }
    } catch {
      held.content.attempted = piece.revision;
      this.fail(
        withReason({ ...piece }, () => wireTexts().tooLarge),
        held.keyframe,
      );
    }
  }

  protected override get kind(): string {
    return this.codec.kind;
  }

  override absent(): number {
    const held = this.tags.peek().flatMap((tag) => [...this.heldUnder(tag).values()]);
    return held.filter(({ content }) => content.begun === 0).length;
  }

  /** Documents have no times. */
  protected override factsOf(): null {
    return null;
  }

  protected override saveableOf(key: Key, { content }: HeldDocument<V>): Saveable[] {
    const { value } = content;
    const source = content.source && (this.codec.saved?.(content.source) ?? content.source);
    if (value === undefined || source === null) {
      return [];
    }
    const { revision } = value;
    return [
      {
        full: lengthOf(key, source.length) + lengthOf(key, 0),
        short: 0,
        save: (writer) => {
          writer.add("documents", key, { revision, size: source.length });
          writer.addBlob("document", key, revision, source);
        },
      },
    ];
  }

  /** Only shown documents are requested, since the documents of all runs may be under one tag. */
  protected override isPartial({ revision, content }: HeldDocument<V>): boolean {
    return (
      content.watched &&
      !content.refused &&
      content.value?.revision !== revision &&
      content.attempted !== revision &&
      !this.#assembler.has(content)
    );
  }

  protected override released({ content }: HeldDocument<V>): void {
    this.#assembler.drop(content);
    content.clear();
    // A component that shows it goes on with the same signal, should the document come back.
    if (!content.watched) {
      this.#contents.delete(content.key);
    }
  }

  #contentOf(run: string, tag: string): CachedDocument<V> {
    const key = JSON.stringify([run, tag]);
    let content = this.#contents.get(key);
    if (content === undefined) {
      const refuse = () => {
        const held = this.heldOf({ run, tag });
        if (held !== undefined) {
          this.fail(
            withReason({ run, tag }, () => wireTexts().noRoom),
            held.keyframe,
          );
        }
      };
      content = new CachedDocument<V>(key, this.#budget, this.#wanted, refuse);
      this.#contents.set(key, content);
    }
    return content;
  }

  #decode(key: Key, { content, revision }: HeldDocument<V>, bytes: Uint8Array): void {
    content.begun += 1;
    content.attempted = revision;
    const turn = content.begun;
    const take = (value: V) => {
      // A later one may have been faster.
      if (turn > content.taken) {
        content.taken = turn;
        content.source = bytes.length <= MAX_KEPT_BYTES ? bytes : null;
        const size = this.codec.bytesOf?.(value) ?? bytes.length;
        content.set({ value, revision }, size + (content.source?.length ?? 0));
        this.changed(key.tag);
        const held = this.heldOf(key);
        if (held?.revision === revision) {
          this.named(key, held.keyframe);
        }
      }
    };
    const failed = (error: unknown) => {
      const held = this.heldOf(key);
      if (turn > content.taken && held?.revision === revision) {
        this.fail(
          withReason({ ...key }, () => wireTexts().unreadable(String(error))),
          held.keyframe,
        );
      }
    };
    try {
      const value = this.codec.decode(bytes);
      if (isPromise(value)) {
        value
          .then(take)
          .catch(failed)
          .finally(() => this.notify());
      } else {
        take(value);
      }
    } catch (error) {
      failed(error);
    }
  }
}

function isPromise<V>(value: V | Promise<V>): value is Promise<V> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
