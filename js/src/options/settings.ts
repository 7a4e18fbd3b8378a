// The options of a board that this browser remembers, so that they come back when its cell is run again.
//
// The notebook application shares the page's storage. So the options are written seldom and are bounded, and the least
// recently used boards are dropped.

const PREFIX = "tbwidget:";

/** Boards that are remembered, and characters of all their settings. */
export const MAX_BOARDS = 50;
export const MAX_CHARACTERS = 500_000;

/** Characters of one board's settings beyond which they are not remembered. */
const MAX_BOARD_CHARACTERS = 100_000;

/** The option that is left out first, so that long notes do not cost all others. */
const LARGEST = "run_notes";

/** Milliseconds after an option until it is written. */
const WRITE_PAUSE_MS = 500;

interface Stored {
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly options: Record<string, unknown>;
}

export class LocalSettings {
  #key: string | null = null;
  #options: Record<string, unknown> = {};
  /** Names of what was set or deleted here and is not written yet: another page of the board may have written the rest since. */
  #changed = new Set<string>();
  /** The options that are kept of what is stored: it was cleared here, and that is not written yet. */
  #kept: ReadonlySet<string> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Pending changes are written when the page is left, or when `until` aborts. */
  constructor(page: EventTarget | undefined, until: AbortSignal) {
    const flush = () => this.#flush();
    page?.addEventListener("pagehide", flush, { signal: until });
    until.addEventListener("abort", flush, { once: true });
  }

  /** Opens the settings of a board; returns false if they were open. Options set before the first opening are kept. */
  open(path: string, board: string): boolean {
    const key = PREFIX + hash(JSON.stringify([path, board]));
    if (key === this.#key) {
      return false;
    }
    this.#flush();
    if (this.#key !== null) {
      [this.#options, this.#changed] = [{}, new Set()];
    }
    this.#options = { ...read(key)?.options, ...this.#options };
    this.#key = key;
    if (this.#isUnwritten()) {
      this.#flushSoon();
    }
    return true;
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#options, name) ? this.#options[name] : undefined;
  }

  set(name: string, value: unknown): void {
    this.#options[name] = value;
    this.#changed.add(name);
    this.#flushSoon();
  }

  delete(name: string): void {
    if (Object.hasOwn(this.#options, name)) {
      delete this.#options[name];
      this.#changed.add(name);
      this.#flushSoon();
    }
  }

  /** Forgets all options of the board but some. */
  clear(kept: ReadonlySet<string>): void {
    this.#options = only(this.#options, kept);
    this.#changed = new Set([...this.#changed].filter((name) => kept.has(name)));
    this.#kept = kept;
    this.#flushSoon();
  }

  #isUnwritten(): boolean {
    return this.#changed.size > 0 || this.#kept !== null;
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), WRITE_PAUSE_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#key === null || !this.#isUnwritten()) {
      return;
    }
    const written = read(this.#key)?.options ?? {};
    const others = Object.entries(this.#kept === null ? written : only(written, this.#kept));
    const options = {
      ...Object.fromEntries(others.filter(([name]) => !this.#changed.has(name))),
      ...only(this.#options, this.#changed),
    };
    this.#changed = new Set();
    this.#kept = null;
    const stored: Stored = { usedAt: Date.now(), options };
    let text = JSON.stringify(stored);
    if (text.length > MAX_BOARD_CHARACTERS) {
      text = JSON.stringify({ ...stored, options: { ...options, [LARGEST]: undefined } });
    }
    try {
      if (text.length > MAX_BOARD_CHARACTERS) {
        // Better no settings than some that were changed since.
        this.#forget(this.#key);
        return;
      }
      dropLeastRecent(this.#key, text.length);
      localStorage.setItem(this.#key, text);
    } catch {
      this.#forget(this.#key);
    }
  }

  /** Removes what is stored; with the next change, all is written anew. */
  #forget(key: string): void {
    this.#changed = new Set(Object.keys(this.#options));
    removeStored(key);
  }
}

function only(options: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.has(name)));
}

/** Makes room for the settings of one more board. */
function dropLeastRecent(key: string, characters: number): void {
  const others: { readonly key: string; readonly usedAt: number; readonly characters: number }[] = [];
  for (let i = 0; i < localStorage.length; i += 1) {
    const other = localStorage.key(i);
    if (other?.startsWith(PREFIX) && other !== key) {
      const { usedAt = 0 } = read(other) ?? {};
      others.push({ key: other, usedAt, characters: localStorage.getItem(other)?.length ?? 0 });
    }
  }
  others.sort((a, b) => b.usedAt - a.usedAt);
  let left = MAX_CHARACTERS - characters;
  for (const [i, other] of others.entries()) {
    left -= other.characters;
    if (i >= MAX_BOARDS - 1 || left < 0) {
      localStorage.removeItem(other.key);
    }
  }
}

function removeStored(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage, options last as long as the page.
  }
}

function read(key: string): Stored | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    const { usedAt, options } = (stored ?? {}) as Partial<Record<keyof Stored, unknown>>;
    const isObject = typeof options === "object" && options !== null && !Array.isArray(options);
    return typeof usedAt === "number" && isObject ? { usedAt, options: options as Record<string, unknown> } : null;
  } catch {
    return null;
  }
}

/** 53 bits of a text, as letters and digits; the same in every browser. */
function hash(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (2 ** 32 * (high & 0x1fffff) + (low >>> 0)).toString(36);
}
