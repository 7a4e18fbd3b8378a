// What a page keeps of a dashboard in its storage, so that the next page has something to show at once. Who keeps it asks
// the dashboard's element by an event, since the element is all that both know of one another.

import type { Row } from "./columns";
import { type SavedMessage, snapshotOf } from "./snapshot";
import type { Store } from "./store";

/** The event's type. */
export const KEEP = "tbwidget-keep";

/** What was shown, and how. */
export interface Kept {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly messages: readonly SavedMessage[];
  /** Choices by name, as JSON. */
  readonly choices: string;
}

export interface KeepRequest {
  /** Characters that it may take. */
  readonly most: number;
  /** What was kept before, without its messages; null for nothing. */
  readonly before: Pick<Answer, "changes" | "choices"> | null;
  /** Set by the dashboard, unless there is nothing, or nothing else than before. */
  answer?: Answer;
}

export interface Answer extends Kept {
  /** Of the store: as long as it is the same, nothing else is held. */
  readonly changes: number;
}

/** Answers, until the signal, for the dashboard in `el`. */
export function answerKeeping(el: HTMLElement, store: Store, choices: () => Row, until: AbortSignal): void {
  const answer = (event: Event) => {
    event.stopPropagation();
    const request = (event as CustomEvent<KeepRequest>).detail;
    const at = store.receivedAt.peek();
    // What was kept itself is kept already.
    if (at === null || store.savedAt.peek() !== null) {
      return;
    }
    const [chosen, { changes }] = [JSON.stringify(choices()), store];
    if (request.before?.changes !== changes || request.before.choices !== chosen) {
      const messages = snapshotOf(store, request.most);
      if (messages.length > 0) {
        request.answer = { at, messages, choices: chosen, changes };
      }
    }
  };
  el.addEventListener(KEEP, answer, { signal: until });
}
