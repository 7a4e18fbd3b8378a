// The last view of a dashboard, which a page stores so that the next one has something to show at once. Who stores it asks
// the dashboard's element by an event, since the element is all that both know of one another.

import type { Row } from "./columns";
import { EntryWriter } from "./entrywriter";
import { LAST_VIEW_REQUEST } from "./handover";
import { type SavedMessage, written } from "./snapshot";
import type { Store } from "./store";

/** What was shown, and how. */
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
  /** Of the store: as long as it is the same, nothing else is held. */
  readonly changes: number;
}

/** Share of the room that is for series with all their rows. */
const FULL = 0.7;

/** Entries that may find no room before no other is looked at. */
const MOST_MISSES = 100;

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
 * What the store holds, step by step: of the tags seen last first, then of others in their order, as many as there is room
 * for. To look for what fits best, as for a page that is saved, would take as long as there is data.
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
      if (misses === MOST_MISSES) {
        break;
      }
    }
    yield;
  }
  const status = store.status.peek();
  return { at, changes, options, messages: status === null || used === 0 ? [] : written(store, writer, status) };
}
