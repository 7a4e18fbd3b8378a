// The page's own storage of the last views of dashboards: bounded in size and age, and never needed. Where there is no
// storage, as in some private windows, or no room in it, nothing is stored and nothing is said.

import { isRow, PROTOCOL, type Row } from "../wire/columns";
import type { LastView } from "../wire/lastview";
import type { SavedMessage } from "../wire/snapshot";

const NAME = "tbwidget";
const VERSION = 1;
const VIEWS = "views";
const BY_AGE = "age";

/** Characters of all views, and of one. */
export const MOST_CHARACTERS = 8_000_000;
export const MOST_OF_ONE = 2_000_000;

/** Milliseconds for which a view is stored. */
export const LONGEST = 7 * 24 * 3600 * 1000;

/** Milliseconds by which a view may be newer than now: clocks are set back. */
const MAX_AHEAD_MS = 24 * 3600 * 1000;

/** Milliseconds after which a view that was asked for is not shown any more. */
const PATIENCE = 5000;

/** What a row of the storage holds beside the view. */
interface Stored extends LastView {
  readonly key: string;
  readonly protocol: number;
  readonly size: number;
}

export class LastViewStorage {
  #opened: Promise<IDBDatabase | null> | null = null;

  /** Begins to open the storage, so that what is stored or asked for later takes no longer than it must. */
  open(): Promise<IDBDatabase | null> {
    this.#opened ??= openDatabase(() => {
      this.#opened = null;
    }).catch(() => null);
    return this.#opened;
  }

  /** The view that was stored; null for none, for one that is too old, or of another version. */
  async get(key: string, now = Date.now()): Promise<LastView | null> {
    // Somebody waits for it who has something else to show.
    const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE, null));
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
      // There is no storage any more.
    }
  }

  /** Stores a view in place of the one before, and drops the oldest of the others if they are too many. */
  async put(key: string, view: LastView, now = Date.now()): Promise<void> {
    const size = view.messages.reduce((sum, message) => sum + sizeOf(message), view.options.length);
    try {
      const database = await this.open();
      if (database === null || size > MOST_CHARACTERS) {
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
      // There is no room, or no storage any more.
    }
  }
}

/** Opens the storage; `lost` is called when it has been closed, by another page that needs a newer one or by the browser. */
async function openDatabase(lost: () => void): Promise<IDBDatabase | null> {
  const opening = indexedDB.open(NAME, VERSION);
  opening.onupgradeneeded = () => {
    const views = opening.result.createObjectStore(VIEWS, { keyPath: "key" });
    // The size, too: so it is known without reading what is view.
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

/** Drops what there is no room for. */
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
 * Whether there is room for a view of some time and size: not for what is older than `LONGEST`, or from the future, nor
 * for what is more than `MOST_CHARACTERS` together with all that was asked for before, the newest first.
 */
export function roomFor(now: number): (at: number, size: number) => boolean {
  let left = MOST_CHARACTERS;
  return (at, size) => {
    left -= size;
    return left >= 0 && now - at <= LONGEST && at - now <= MAX_AHEAD_MS;
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
