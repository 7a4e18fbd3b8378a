// What a page shows that is opened without a kernel. The widget's state holds it only in what was saved or exported:
// it is made when somebody reads the state to write it down. Twin of tbwidget/panels/snapshot.py.

import { encode, type HeldSeries, type SavedMessage } from "./encode";
import { waysOf } from "./kinds";
import { type DataMessage, decode } from "./protocol";
import type { Store } from "./store";

/** Bytes of text that it takes at most. Keep in step with MOST_SAVED in tbwidget/panels/snapshot.py. */
export const MOST_SAVED = 5_000_000;

/** Bytes of text that a series takes beside its columns and names, at most. */
const ENTRY = 500;

export interface Saved {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly messages: readonly DataMessage[];
}

/** What was saved, understood; null if there is nothing, or nothing that this version knows. */
export function readSaved(value: unknown): Saved | null {
  const { at, messages } = (value ?? {}) as { readonly at?: unknown; readonly messages?: unknown };
  if (typeof at !== "number" || !Array.isArray(messages) || messages.length === 0) {
    return null;
  }
  try {
    const understood = messages.map(({ header, buffer }) => decode(header, [bytes(String(buffer))]));
    return { at, messages: understood.filter((message) => message !== null) };
  } catch {
    return null;
  }
}

/** From now on, whoever copies `state` finds there what the store holds then. */
export function lendSaved(state: unknown, store: Store): void {
  if (typeof state !== "object" || state === null || !Object.isExtensible(state)) {
    return;
  }
  // Set without a word to the model: it would send the kernel all that the kernel has sent.
  Object.defineProperties(state, {
    at: { enumerable: true, configurable: true, get: () => store.heardAt.peek() },
    messages: { enumerable: true, configurable: true, get: () => messagesOf(store) },
  });
}

/** What the store holds: as it is where there is room for that, else in few rows, those last seen first. */
export function messagesOf(store: Store, most = MOST_SAVED): SavedMessage[] {
  const status = store.status.peek();
  if (status === null || store.tags.peek().length === 0) {
    return [];
  }
  const held = store.held();
  const few = held.map((named) => ({ ...named, series: waysOf(named.kind).coarsened(named.series) }));
  let later = few.reduce((sum, named) => sum + textOf(named), 0);
  let used = 0;
  const kept: HeldSeries[] = [];
  for (const [i, named] of held.entries()) {
    const short = few[i] as HeldSeries;
    later -= textOf(short);
    const chosen = used + textOf(named) + later <= most ? named : short;
    if (used + textOf(chosen) > most) {
      break;
    }
    used += textOf(chosen);
    kept.push(chosen);
  }
  const problemList = store.problems.peek();
  return [encode(kept, { ...status, problemList })];
}

/** Bytes of text that a series takes at most. */
function textOf({ kind, run, tag, series }: HeldSeries): number {
  return Math.ceil(waysOf(kind).bytesWritten(series) / 3) * 4 + ENTRY + run.length + tag.length;
}

function bytes(base64: string): DataView {
  const text = atob(base64);
  return new DataView(Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer);
}
