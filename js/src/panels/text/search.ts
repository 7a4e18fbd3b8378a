// Looks for words in texts: how many have them, and going from one to the next. In those that are here at once; in the
// others the kernel looks, which may have to wait.

import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { useView, type View } from "../../ui/view";
import type { HeldItems } from "../../wire/items";
import { text as codec, decodeText, type TextRow } from "./codec";
import { countHits, patternOf } from "./marks";
import { textOptions } from "./options";

/** Milliseconds of work after which something else may come in. */
const SLICE = 12;

/** Texts that are searched: each needs a place of its own in memory. */
const MAX_SEARCHED = 50_000;

/** A text with a match. */
export interface Hit {
  readonly tag: string;
  readonly run: string;
  readonly id: number;
  readonly step: bigint;
}

interface Found {
  /** By tag in the order of the cards; of each the newest first. */
  readonly hits: readonly Hit[];
  /** Texts that were looked through, and those that there are. */
  readonly searched: number;
  readonly total: number;
}

/** Milliseconds after which the kernel may look again in what has grown. */
const SEARCH_PAUSE_MS = 10_000;

/** The kernel's search results for one run and tag. */
interface KernelFound {
  readonly revision: number;
  /** Texts, from the first written on. */
  readonly searched: number;
  readonly places: ReadonlySet<number>;
}

/** Tags and runs that are searched. */
interface Scope {
  readonly tags: readonly string[];
  readonly runs: ReadonlySet<string>;
  /** Now, in milliseconds since the epoch. */
  readonly at: number;
}

const NOTHING: Found = { hits: [], searched: 0, total: 0 };

export class TextSearch {
  readonly found: ReadonlySignal<Found>;
  /** The text that was jumped to, another object each time. */
  readonly current: ReadonlySignal<Hit | null>;

  readonly #found = signal<Found>(NOTHING);
  readonly #current = signal<Hit | null>(null);
  readonly #view: View;
  #words = "";
  #scope: Scope = { tags: [], runs: new Set(), at: 0 };
  /** Counts of matches by the bytes of the text. */
  #counts = new WeakMap<Uint8Array, number>();
  #pass: AbortController | null = null;
  /** The kernel's results for the current search, by JSON of run and tag. */
  #kernel = new Map<string, KernelFound>();
  /** The text that was jumped to has been brought into sight. */
  #arrived: Hit | null = null;
  #request: { waits: boolean; readonly at: number; readonly total: number } | null = null;
  #end = new AbortController();

  constructor(view: View) {
    this.#view = view;
    this.found = this.#found;
    this.current = this.#current;
  }

  /** Follows the search text and new texts; returns the function that ends this. */
  follow(): () => void {
    const { options, channel, now } = this.#view;
    const { text_search } = options.of(textOptions);
    const texts = channel.store.items(codec);
    const end = effect(() => {
      const words = text_search.value;
      if (words !== this.#words) {
        this.#stop();
        this.#words = words;
        this.#counts = new WeakMap();
        this.#kernel = new Map();
        this.#request = null;
        this.#current.value = null;
        this.#found.value = NOTHING;
      }
      if (words !== "") {
        const tags = texts.tags.value.filter(options.tagFilter.matches.value);
        const runs = new Set(channel.store.runs.value.filter((run) => options.shows(run)));
        // Blobs come at any time: once a second is often enough to look for them.
        this.#scope = { tags, runs, at: now.value };
        queueMicrotask(() => this.#begin());
      }
    });
    return () => {
      end();
      this.#stop();
    };
  }

  /** Goes to the next text that has it, or to the one before. */
  go(by: 1 | -1): void {
    const { hits } = this.#found.peek();
    const at = this.place();
    const next = at < 0 ? (by === 1 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length;
    const hit = hits[next];
    if (hit !== undefined) {
      this.#view.grid.peek()?.go(hit.tag);
      this.#current.value = { ...hit };
    }
  }

  /** Whether a text that was jumped to must still be brought into sight: afterwards it may be left. */
  isOnTheWay(hit: Hit): boolean {
    return hit !== this.#arrived;
  }

  arrive(hit: Hit): void {
    this.#arrived = hit;
  }

  /** The place of the text that was jumped to; -1 without one. */
  place(): number {
    const current = this.#current.value;
    return current === null ? -1 : this.#found.value.hits.findIndex((hit) => isSame(hit, current));
  }

  #begin(): void {
    if (this.#pass === null && this.#words !== "") {
      const pass = new AbortController();
      this.#pass = pass;
      void this.#search(pass.signal).finally(() => {
        if (this.#pass === pass) {
          this.#pass = null;
        }
      });
    }
  }

  #stop(): void {
    this.#pass?.abort();
    this.#pass = null;
    this.#end.abort();
    this.#end = new AbortController();
    this.#request = null;
  }

  async #search(until: AbortSignal): Promise<void> {
    const pattern = patternOf(this.#words);
    const texts = this.#view.channel.store.items(codec);
    const { tags, runs } = this.#scope;
    const hits: Hit[] = [];
    let searched = 0;
    let total = 0;
    const keys: [string, string][] = [];
    let since = performance.now();
    for (const tag of tags) {
      const ofTag: Hit[] = [];
      for (const [run, held] of texts.tag(tag)?.byRun ?? []) {
        if (!runs.has(run)) {
          continue;
        }
        keys.push([run, tag]);
        const { rows } = held;
        for (let i = rows.length - 1; i >= 0 && pattern !== null; i -= 1) {
          const row = rows[i] as TextRow;
          const { id, step } = row;
          total += 1;
          const blob = searched < MAX_SEARCHED ? texts.blob(run, tag, id).peek() : undefined;
          if (blob?.state === "held") {
            searched += 1;
            if (this.#countIn(blob.bytes, pattern) > 0) {
              ofTag.push({ tag, run, id, step });
            }
          } else {
            const found = this.#foundByKernel(run, tag, held, row);
            searched += found === null ? 0 : 1;
            if (found) {
              ofTag.push({ tag, run, id, step });
            }
          }
          if (performance.now() - since > SLICE) {
            await new Promise((resolve) => setTimeout(resolve));
            if (until.aborted) {
              return;
            }
            since = performance.now();
          }
        }
      }
      hits.push(...ofTag.sort((a, b) => (a.step < b.step ? 1 : a.step > b.step ? -1 : 0)));
    }
    const before = this.#found.peek();
    const same = hits.length === before.hits.length && hits.every((hit, i) => isSame(hit, before.hits[i] as Hit));
    if (!same || searched !== before.searched || total !== before.total) {
      this.#found.value = { hits, searched, total };
    }
    if (searched < total) {
      this.#askKernel(keys, total);
    }
  }

  /** Whether the kernel has found it in a text; null where it has not looked there. */
  #foundByKernel(run: string, tag: string, { revision }: HeldItems<TextRow>, { place }: TextRow): boolean | null {
    const found = this.#kernel.get(JSON.stringify([run, tag]));
    return found?.revision === revision && place < found.searched ? found.places.has(place) : null;
  }

  /** Lets the kernel look in all texts, unless it has done so, or does. */
  #askKernel(keys: readonly [string, string][], total: number): void {
    const request = this.#request;
    const isKnown = request !== null && (request.total === total || this.#scope.at - request.at < SEARCH_PAUSE_MS);
    if (isKnown || request?.waits) {
      return;
    }
    const own = { waits: true, at: this.#scope.at, total };
    this.#request = own;
    const args = { words: this.#words, keys };
    const until = this.#end.signal;
    this.#view.channel.requests
      .ask("text.search", args, until)
      .then(({ data }) => {
        if (!until.aborted) {
          this.#takeFound(keys, data);
          this.#begin();
        }
      })
      .catch(() => {
        // The search covers the texts that the page holds.
      })
      .finally(() => {
        own.waits = false;
      });
  }

  #takeFound(keys: readonly [string, string][], data: Uint8Array): void {
    const entries = JSON.parse(new TextDecoder().decode(data)) as [number, number, number[]][];
    for (const [i, [revision, searched, places]] of entries.entries()) {
      this.#kernel.set(JSON.stringify(keys[i]), { revision, searched, places: new Set(places) });
    }
  }

  #countIn(bytes: Uint8Array, pattern: RegExp): number {
    let count = this.#counts.get(bytes);
    if (count === undefined) {
      count = 0;
      try {
        count = decodeText(bytes).values.reduce((sum, value) => sum + countHits(value, pattern), 0);
      } catch {
        // It shows itself that it cannot be read.
      }
      this.#counts.set(bytes, count);
    }
    return count;
  }
}

export function isSame(a: Hit, b: Hit): boolean {
  return a.tag === b.tag && a.run === b.run && a.id === b.id;
}

/** Calls `open` at each jump to a text of this tag, on whose way its list must be there. */
export function useJumps(tag: string, open: () => void): void {
  const search = searchOf(useView());
  const hit = search.current.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each jump is another object, and opens the list once
  useLayoutEffect(() => {
    if (hit?.tag === tag && search.isOnTheWay(hit)) {
      open();
    }
  }, [hit]);
}

const searches = new WeakMap<View, TextSearch>();

/** The search of a view: its toolbar and its cards share it. */
export function searchOf(view: View): TextSearch {
  let search = searches.get(view);
  if (search === undefined) {
    search = new TextSearch(view);
    searches.set(view, search);
  }
  return search;
}
