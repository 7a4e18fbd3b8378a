// The page's own storage of the last views of dashboards: bounded in size and age, and never needed. A page may have
// no storage, as in some private windows, or a full one: then nothing is stored, and no error is shown.

import { isRow, PROTOCOL, type Row } from "../wire/columns";
import type { LastView } from "../wire/lastview";
import type { SavedMessage } from "../wire/snapshot";

const NAME = "tbwidget";
const VERSION = 1;
const VIEWS = "views";
const BY_AGE = "age";

/** Characters of all views, and of one. */
export const MAX_CHARACTERS = 8_000_000;
export const MAX_VIEW_CHARACTERS = 2_000_000;

/** Milliseconds for which a view is stored. */
export const MAX_AGE_MS = 7 * 24 * 3600 * 1000;

/** Milliseconds by which a view may be newer than now: clocks are set back. */
const MAX_AHEAD_MS = 24 * 3600 * 1000;

/** Milliseconds after which a view that was asked for is not shown any more. */
const OPEN_TIMEOUT_MS = 5000;

/** A row of the storage: a view, its key and its size. */
interface Stored extends LastView {
  readonly key: string;
  readonly protocol: number;
  readonly size: number;
}

export class LastViewStorage {
  #opened: Promise<IDBDatabase | null> | null = null;

  /** Begins to open the storage early, so that later reads and writes need not wait for it. */
  open(): Promise<IDBDatabase | null> {
    this.#opened ??= openDatabase(() => {
      this.#opened = null;
    }).catch(() => null);
    return this.#opened;
  }

  /** The view that was stored; null for none, for one that is too old, or of another version. */
  async get(key: string, now = Date.now()): Promise<LastView | null> {
    // The caller waits for the answer, and has something else to show.
    const late = new Promise<null>((resolve) => setTimeout(resolve, OPEN_TIMEOUT_MS, null));
    return Promise.race([late, this.#get(key, now).catch(() => null)]);
  }

  async #get(key: string, now: number): Promise<LastView | null> {
    const database = await this.open();
    const found = await done(database?.transaction(VIEWS).objectStore(VIEWS).get(key));
    if (!isRow(found) || found.protocol !== PROTOCOL) {
      return null;
    }
    const view = parse(found, now);
    if (view === null) {
      void this.forget(key);
    }
    return view;
  }

  /** Drops a view. */
  async forget(key: string): Promise<void> {
    try {
      const database = await this.open();
      database?.transaction(VIEWS, "readwrite").objectStore(VIEWS).delete(key);
    } catch {
      // The storage has gone.
    }
  }

  /** Stores a view in place of the one before, and drops the oldest of the others if they are too many. */
  async put(key: string, view: LastView, now = Date.now()): Promise<void> {
    const size = view.messages.reduce((sum, message) => sum + sizeOf(message), view.options.length);
    try {
      const database = await this.open();
      if (database === null || size > MAX_CHARACTERS) {
        return;
      }
      const { at, messages, options } = view;
      const row: Stored = { key, protocol: PROTOCOL, size, at, messages, options };
      const writing = database.transaction(VIEWS, "readwrite");
      writing.objectStore(VIEWS).put(row);
      const written = ended(writing);
      // At once: the page may be about to go.
      writing.commit();
      await written;
      await dropOldest(database, now);
    } catch {
      // The storage is full, or has gone.
    }
  }
}

/** Opens the storage; `lost` is called when it has been closed, by another page that needs a newer one or by the browser. */
async function openDatabase(lost: () => void): Promise<IDBDatabase | null> {
  const opening = indexedDB.open(NAME, VERSION);
  opening.onupgradeneeded = () => {
    const views = opening.result.createObjectStore(VIEWS, { keyPath: "key" });
    // The index holds the size, too, which is then known without reading the view.
    views.createIndex(BY_AGE, ["at", "size"]);
  };
  const database = await done(opening);
  if (database === undefined) {
    return null;
  }
  database.onversionchange = () => {
    database.close();
    lost();
  };
  database.onclose = lost;
  return database;
}

/** Drops the oldest views until the others fit. */
async function dropOldest(database: IDBDatabase, now: number): Promise<void> {
  const dropping = database.transaction(VIEWS, "readwrite");
  const dropped = ended(dropping);
  const newestFirst = dropping.objectStore(VIEWS).index(BY_AGE).openKeyCursor(null, "prev");
  const hasRoom = roomFor(now);
  newestFirst.onsuccess = () => {
    const cursor = newestFirst.result;
    if (cursor !== null) {
      const [at, size] = cursor.key as [number, number];
      if (!hasRoom(at, size)) {
        dropping.objectStore(VIEWS).delete(cursor.primaryKey);
      }
      cursor.continue();
    }
  };
  await dropped;
}

/**
 * Whether a view of some time and size may stay. A view older than `MAX_AGE_MS`, or from the future, may not; nor may one
 * that exceeds `MAX_CHARACTERS` together with the views asked about before it, the newest first.
 */
export function roomFor(now: number): (at: number, size: number) => boolean {
  let left = MAX_CHARACTERS;
  return (at, size) => {
    left -= size;
    return left >= 0 && now - at <= MAX_AGE_MS && at - now <= MAX_AHEAD_MS;
  };
}

/** The result of a request; rejects with its error. */
function done<T>(request: IDBRequest<T> | undefined): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (request === undefined) {
      resolve(undefined);
      return;
    }
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** The view in a row, which may hold anything: other scripts of the page's origin write to the storage, too. */
function parse({ at, messages, options }: Row, now: number): LastView | null {
  if (typeof at !== "number" || typeof options !== "string" || !Array.isArray(messages)) {
    return null;
  }
  const hasRoom = roomFor(now);
  return hasRoom(at, options.length) && messages.every((message) => isMessage(message) && hasRoom(at, sizeOf(message)))
    ? { at, messages, options }
    : null;
}

function isMessage(message: unknown): message is SavedMessage {
  return isRow(message) && typeof message.header === "string" && typeof message.buffer === "string";
}

function sizeOf({ header, buffer }: SavedMessage): number {
  return header.length + buffer.length;
}
