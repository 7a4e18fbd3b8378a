// The last view of a dashboard, which a page stores so that the next one has something to show at once. The extension of
// JupyterLab asks for it by an event on the dashboard's element: it is another bundle and shares nothing else.

import type { Row } from "./columns";
import { EntryWriter } from "./entrywriter";
import { LAST_VIEW_REQUEST } from "./handover";
import { type SavedMessage, written } from "./snapshot";
import type { Store } from "./store";

/** The data and the options of a view. */
export interface LastView {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly messages: readonly SavedMessage[];
  /** Options by name, as JSON. */
  readonly options: string;
}

export interface LastViewRequest {
  /** Characters that it may take. */
  readonly most: number;
  /** The one stored before, without its messages; null for nothing. */
  readonly before: Pick<Answer, "changes" | "options"> | null;
  /** Set by the dashboard, unless there is nothing, or nothing else than before. A step of it reads one series or index. */
  answer?: Generator<void, Answer>;
}

export interface Answer extends LastView {
  /** The store's count of changes: while it is the same, the store holds the same. */
  readonly changes: number;
}

/** Share of the room that is for series with all their rows. */
const FULL = 0.7;

/** Entries that may find no room before no other is looked at. */
const MAX_MISSES = 100;

/** Answers, until the signal, for the dashboard in `el`. */
export function answerLastView(el: HTMLElement, store: Store, options: () => Row, until: AbortSignal): void {
  const answer = (event: Event) => {
    event.stopPropagation();
    const request = (event as CustomEvent<LastViewRequest>).detail;
    // A last view itself is stored already.
    if (store.savedAt.peek() !== null || store.tags.peek().length === 0 || store.lacksPlaces) {
      return;
    }
    const chosen = JSON.stringify(options());
    if (request.before?.changes !== store.changes || request.before.options !== chosen) {
      request.answer = lastViewOf(store, chosen, request.most);
    }
  };
  el.addEventListener(LAST_VIEW_REQUEST, answer, { signal: until });
}

/**
 * Collects the store's content step by step: first the tags seen last, then the others in their order, until `most`
 * characters are used. A search for the best fit, as for a saved page, would take time in proportion to the data.
 */
function* lastViewOf(store: Store, options: string, most: number): Generator<void, Answer> {
  const { changes } = store;
  const at = store.receivedAt.peek() ?? 0;
  const writer = new EntryWriter();
  let [used, misses] = [0, 0];
  for (const one of store.saveableInTurn()) {
    const full = used + one.full <= FULL * most;
    const length = full ? one.full : one.short;
    if (length > 0 && used + length <= most) {
      used += length;
      one.save(writer, full);
    } else if (length > 0) {
      misses += 1;
      if (misses === MAX_MISSES) {
        break;
      }
    }
    yield;
  }
  const status = store.status.peek();
  return { at, changes, options, messages: status === null || used === 0 ? [] : written(store, writer, status) };
}
