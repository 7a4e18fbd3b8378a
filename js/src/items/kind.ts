// A kind of items, as a panel declares it: how items are requested, read, and saved.

import type { ItemRow, ItemsCodec } from "../wire/codec";

/** Identifies an item within a dashboard. */
export interface ItemPlace<R extends ItemRow> {
  readonly tag: string;
  readonly run: string;
  readonly row: R;
}

/** An item to request from the kernel. */
export interface WantedItem<R extends ItemRow> extends ItemPlace<R> {
  /** Revision of the index that holds the row. In another revision the same id may name another item. */
  readonly revision: number;
}

/** How the kernel is asked for items of a kind. */
export interface ItemRequest<R extends ItemRow> {
  /** Name of the request, such as "images.pictures". */
  readonly name: string;
  /** Most items in one request. With 1, the answer's data are the item; else its value has an entry for each. */
  readonly most: number;
  /** Milliseconds after which an item is requested that the kernel should send by itself. */
  readonly patienceMs: number;
  /** Shown where the answer makes no sense. */
  readonly damaged: string;
  /** `size` is in units of the kind; Infinity is the largest there is. `written`: the bytes as they stand in the logs. */
  args(items: readonly WantedItem<R>[], size: number, written: boolean): Readonly<Record<string, unknown>>;
}

/** The result of reading the bytes of an item. */
export interface Reading<V> {
  readonly value: V | null;
  /** Why it cannot be shown; for people. */
  readonly problem: string | null;
  /** False where the bytes only describe the item: then it is requested. */
  readonly whole: boolean;
}

/** The reading of damaged bytes; `problem` is worded whenever it is read. */
export function unreadable(problem: () => string): Reading<never> {
  return {
    value: null,
    get problem() {
      return problem();
    },
    whole: true,
  };
}

/** A file that is saved. */
export interface ItemFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** It has the bytes that stand in the logs. */
  readonly written: boolean;
  /** The end of its name, without the dot. */
  readonly extension: string;
}

/** Counts of saved items, by how they were saved. */
export interface SavedItems {
  readonly written: number;
  /** As shown in the page: scaled down or converted. */
  readonly shown: number;
  readonly missing: number;
  readonly files: readonly ItemFile[];
}

/** How items of a kind become files. */
export interface ItemFiles<V> {
  /** The file as it was written; null where the page lacks some of its bytes. */
  written(value: V): ItemFile | null;
  /** The file to save where the user does not wait for the written one; null for none. */
  shown(value: V): ItemFile | null;
  /** The file in the kernel's answer. May throw where that makes no sense. */
  answered(blob: Uint8Array<ArrayBuffer>): ItemFile;
  readonly heading: string;
  /** Names the files in the menu: one, and several in a zip. */
  readonly names?: readonly [one: string, several: string];
  readonly nowHint: string;
  counted(count: number, n: string): string;
  saved(saved: SavedItems): string;
}

/** `V`: an item as it was read from its bytes. */
export interface ItemKind<R extends ItemRow, V> {
  readonly codec: ItemsCodec<R>;
  readonly request: ItemRequest<R>;
  /** The size that the kernel sends by itself, and that the store holds. */
  readonly baseSize: number;
  /** How many samples a value holds; absent where each sample has rows of its own. */
  samplesIn?(value: V): number;
  /** Called once for some bytes. */
  read(blob: Uint8Array): Reading<V>;
  /** The size to request where `value` is held and `size` is needed; null where `value` is as good. */
  larger?(value: V, size: number): number | null;
}
