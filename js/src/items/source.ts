// Where items come from: those that the store holds, larger variants beside them, and those that must be requested.

import { effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { useView } from "../ui/view";
import type { Channel } from "../wire/channel";
import type { ItemRow, Reason } from "../wire/codec";
import type { BlobState, ItemCollection } from "../wire/items";
import { ItemFetcher } from "./fetcher";
import type { ItemKind, ItemPlace, Reading, WantedItem } from "./kind";

/** An item as far as it has come. */
export type ItemState<V> =
  /** `value`: a description that arrived first; `share`: the fraction of the bytes that has arrived. */
  | { readonly state: "waits"; readonly value: V | null; readonly share: number | null }
  /** `coarse`: a larger variant has been requested. */
  | { readonly state: "held"; readonly value: V; readonly coarse: boolean }
  | { readonly state: "broken"; readonly value: V | null; readonly reason: string };

const WAITS = { state: "waits", value: null, share: null } as const;

/** The items of one kind, for all views of a widget. */
export class ItemSource<R extends ItemRow, V> {
  readonly #kind: ItemKind<R, V>;
  readonly #store: Channel["store"];
  readonly #items: ItemCollection<R>;
  readonly #variants = new ItemVariants();
  readonly #fetcher: ItemFetcher<R>;
  readonly #readings = new WeakMap<Uint8Array, Reading<V>>();

  constructor({ store, requests }: Pick<Channel, "store" | "requests">, kind: ItemKind<R, V>) {
    this.#kind = kind;
    this.#store = store;
    this.#items = store.items(kind.codec);
    this.#fetcher = new ItemFetcher(requests, kind.request, (item, size, part) => {
      const isBase = size === kind.baseSize;
      if ("reason" in part) {
        this.#variants.refuse(this.#keyOf(item, item.revision), isBase ? null : size, part);
      } else if (!isBase) {
        this.#variants.hold(this.#keyOf(item, item.revision), part.blob);
      } else if (this.revisionOf(item) === item.revision) {
        this.#items.fillBlob(item.run, item.tag, item.row.id, part.blob);
      }
    });
  }

  /** The revision of the index that an item is in: another one may name another item by the same id. */
  revisionOf({ tag, run }: Pick<ItemPlace<R>, "tag" | "run">): number {
    return untracked(() => this.#items.tag(tag)?.byRun.get(run)?.revision ?? 0);
  }

  /** The item, in the largest variant that is held. Subscribes the component or effect that calls it. */
  item(place: ItemPlace<R>): ItemState<V> {
    const blob = this.#items.blob(place.run, place.tag, place.row.id).value;
    const { blob: variant, refused, waits } = this.#variants.of(this.#keyOf(place)).value;
    const bytes = variant ?? bytesOf(blob);
    const { value, problem, whole } = bytes === null ? { value: null, problem: null, whole: false } : this.#read(bytes);
    const reason =
      problem ?? (blob.state === "broken" && bytes === null ? blob.reason : whole ? null : (refused?.reason ?? null));
    if (reason !== null) {
      return { state: "broken", value, reason };
    }
    if (value === null || !whole) {
      return value === null && blob.state !== "partial" ? WAITS : { state: "waits", value, share: shareOf(blob) };
    }
    return { state: "held", value, coarse: waits };
  }

  /**
   * Requests the item, then a variant of `size`, as far as the page lacks them, until the returned function is called. `pushed`:
   * the kernel should send it by itself soon.
   */
  want(place: ItemPlace<R>, size = this.#kind.baseSize, pushed = false): () => void {
    const key = this.#keyOf(place);
    const wanted: WantedItem<R> = { ...place, revision: this.revisionOf(place) };
    const blob = this.#items.blob(place.run, place.tag, place.row.id);
    const release = this.#variants.watch(key);
    let cancel: (() => void) | null = null;
    let requested: number | null = null;
    const ask = (next: number | null) => {
      if (next === requested) {
        return;
      }
      cancel?.();
      cancel = null;
      requested = next;
      if (next !== null) {
        const withdraw = this.#fetcher.ask(wanted, next, pushed);
        const more = next === this.#kind.baseSize ? 0 : 1;
        this.#variants.countAsking(key, more);
        cancel = () => {
          withdraw();
          this.#variants.countAsking(key, -more);
        };
      }
    };
    const end = effect(() => {
      const { blob: variant, refused, refusedSize } = this.#variants.of(key).value;
      // A saved page has no kernel.
      const isSaved = this.#store.savedAt.value !== null;
      const next = isSaved ? null : this.#missing(variant, blob.value, size);
      const isRefused =
        next === this.#kind.baseSize ? refused !== null : refusedSize !== null && (next ?? 0) >= refusedSize;
      ask(isRefused ? null : next);
    });
    return () => {
      end();
      ask(null);
      release();
    };
  }

  /** The size to request so that `size` can be shown; null where it is held or arriving. */
  #missing(variant: Uint8Array | null, blob: BlobState, size: number): number | null {
    const { baseSize, larger } = this.#kind;
    const bytes = variant ?? bytesOf(blob);
    if (bytes === null) {
      return blob.state === "absent" ? baseSize : null;
    }
    const { value, problem, whole } = this.#read(bytes);
    if (value === null || problem !== null) {
      return null;
    }
    return whole ? (larger?.(value, size) ?? null) : baseSize;
  }

  #read(blob: Uint8Array): Reading<V> {
    const reading = this.#readings.get(blob) ?? this.#kind.read(blob);
    this.#readings.set(blob, reading);
    return reading;
  }

  #keyOf(place: ItemPlace<R>, revision = this.revisionOf(place)): string {
    return JSON.stringify([place.tag, place.run, revision, place.row.id]);
  }
}

function bytesOf(blob: BlobState): Uint8Array | null {
  return blob.state === "held" ? blob.bytes : null;
}

function shareOf(blob: BlobState): number | null {
  return blob.state === "partial" ? blob.received / blob.size : null;
}

const sources = new WeakMap<Channel, Map<unknown, unknown>>();

/** The source of a kind's items, which all views of a widget share. */
export function itemSource<R extends ItemRow, V>(channel: Channel, kind: ItemKind<R, V>): ItemSource<R, V> {
  const ofChannel = sources.get(channel) ?? new Map<unknown, unknown>();
  sources.set(channel, ofChannel);
  const source = (ofChannel.get(kind) as ItemSource<R, V> | undefined) ?? new ItemSource(channel, kind);
  ofChannel.set(kind, source);
  return source;
}

interface Wish {
  /** By default what the kernel sends by itself. */
  readonly size?: number;
  /** It should come by itself soon. */
  readonly pushed?: boolean;
}

/** Requests an item as long as the component is mounted. A null place requests nothing. */
export function useWantedItem<R extends ItemRow, V>(
  kind: ItemKind<R, V>,
  place: ItemPlace<R> | null,
  { size = kind.baseSize, pushed = false }: Wish = {},
): void {
  const source = itemSource(useView().channel, kind);
  const revision = place && source.revisionOf(place);
  // Requested at once, not after the next frame as by other effects.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place is another object each time, its row is the same
  useLayoutEffect(
    () => (place === null ? undefined : source.want(place, size, pushed)),
    [source, place?.tag, place?.run, place?.row.id, revision, size, pushed],
  );
}

/** Read an item as far as it has arrived, and request the rest. A null place counts as not looked at. */
export function useItem<R extends ItemRow, V>(
  kind: ItemKind<R, V>,
  place: ItemPlace<R> | null,
  wish: Wish = {},
): ItemState<V> {
  const source = itemSource(useView().channel, kind);
  useWantedItem(kind, place, wish);
  return place === null ? WAITS : source.item(place);
}

/** Most bytes of variants that a page holds for a kind, beside what the store holds. */
export const MAX_VARIANT_BYTES = 48e6;

/** The larger variant of one item, and the state of requests for it. */
export interface Variant {
  readonly blob: Uint8Array | null;
  /** The reason why the kernel has no such item; null if it was not refused. */
  readonly refused: Pick<Reason, "reason"> | null;
  /** The least size that was refused: larger ones are not requested. */
  readonly refusedSize: number | null;
  /** A larger variant has been requested. */
  readonly waits: boolean;
}

const NOTHING: Variant = { blob: null, refused: null, refusedSize: null, waits: false };

interface Entry {
  readonly signal: Signal<Variant>;
  /** How many depend on it now, and how many of these need a larger one. */
  watchers: number;
  requesting: number;
}

export class ItemVariants {
  readonly #most: number;
  /** Entries by key, the last used at the end. */
  readonly #entries = new Map<string, Entry>();
  readonly #released = new Set<Entry>();
  #bytes = 0;

  constructor(most = MAX_VARIANT_BYTES) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  of(key: string): ReadonlySignal<Variant> {
    return this.#entry(key).signal;
  }

  /**
   * Something on the screen depends on it, until the function that is returned is called.
   *
   * It is freed in a later task: a component may watch it again at once, in another way.
   */
  watch(key: string): () => void {
    const entry = this.#entry(key);
    entry.watchers += 1;
    return () => {
      entry.watchers -= 1;
      this.#released.add(entry);
      if (this.#released.size === 1) {
        setTimeout(() => this.#letGo());
      }
    };
  }

  #letGo(): void {
    const released = [...this.#released];
    this.#released.clear();
    for (const entry of released) {
      if (entry.watchers === 0) {
        // A new watcher may request it again.
        this.#set(entry, { ...NOTHING, blob: entry.signal.peek().blob });
      }
    }
    this.#makeRoom();
  }

  hold(key: string, blob: Uint8Array): void {
    const entry = this.#entry(key);
    if (entry.watchers > 0) {
      this.#set(entry, { ...entry.signal.peek(), blob });
      this.#makeRoom();
    }
  }

  /** The kernel has no such item, or none of this size. */
  refuse(key: string, size: number | null, refused: Pick<Reason, "reason">): void {
    const entry = this.#entry(key);
    const before = entry.signal.peek();
    this.#set(
      entry,
      size === null ? { ...before, refused } : { ...before, refusedSize: Math.min(before.refusedSize ?? size, size) },
    );
  }

  /** A watcher needs a larger variant, or does no more. */
  countAsking(key: string, more: number): void {
    const entry = this.#entry(key);
    entry.requesting += more;
    const waits = entry.requesting > 0;
    if (entry.signal.peek().waits !== waits) {
      this.#set(entry, { ...entry.signal.peek(), waits });
    }
  }

  #entry(key: string): Entry {
    const entry = this.#entries.get(key) ?? { signal: signal(NOTHING), watchers: 0, requesting: 0 };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  #set(entry: Entry, variant: Variant): void {
    this.#bytes += (variant.blob?.length ?? 0) - (entry.signal.peek().blob?.length ?? 0);
    entry.signal.value = variant;
  }

  /** Drops unused entries: all empty ones, and the least recently used while the budget is exceeded. */
  #makeRoom(): void {
    for (const [key, entry] of [...this.#entries]) {
      const empty = entry.signal.peek().blob === null;
      if (entry.watchers === 0 && (empty || this.#bytes > this.#most)) {
        this.#entries.delete(key);
        // Another object: a component that has read it, and does not watch it yet, reads the entry that follows.
        this.#set(entry, { ...NOTHING });
      }
    }
  }
}
