// Requests items from the kernel in batches, once the user has stopped moving.

import type { ItemRow } from "../wire/codec";
import { isRow, list, ProtocolError } from "../wire/columns";
import { messageOf, reasonIn, withReason } from "../wire/reasons";
import type { Answer, Requests } from "../wire/requests";
import type { ItemRequest, WantedItem } from "./kind";

/** Milliseconds without another call of `ask` after which a request is sent; a call that comes later is not part of a drag. */
const REST_MS = 70;

/** Milliseconds after the first call of several, or the only one. */
const FIRST_MS = 10;

export type AnswerPart =
  | { readonly blob: Uint8Array<ArrayBuffer> }
  | { readonly reason: string }
  /** The answer has grown too large for it: it is to be requested again. */
  | { readonly later: true };

/** Called with each item that has arrived, or that the kernel refused. */
type Deliver<R extends ItemRow> = (
  item: WantedItem<R>,
  size: number,
  part: Exclude<AnswerPart, { later: true }>,
) => void;

interface QueuedItem<R extends ItemRow> {
  readonly key: string;
  readonly item: WantedItem<R>;
  readonly size: number;
  /** When it may be requested, in milliseconds since the page began. */
  readonly due: number;
  /** The request it is part of. */
  batch: Batch<R> | null;
}

/** The items of one request, in its order; by key, the calls of `ask` that are not cancelled. */
interface Batch<R extends ItemRow> {
  readonly items: ReadonlyMap<string, { readonly item: WantedItem<R>; readonly queued: Set<QueuedItem<R>> }>;
  readonly size: number;
  readonly end: AbortController;
}

export class ItemFetcher<R extends ItemRow> {
  readonly #requests: Pick<Requests, "ask">;
  readonly #request: ItemRequest<R>;
  readonly #deliver: Deliver<R>;
  readonly #waiting = new Set<QueuedItem<R>>();
  /** By key: what has been requested and not been answered. */
  readonly #open = new Map<string, Batch<R>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When an item was last asked for that the kernel does not push, in milliseconds since the page began. */
  #queuedAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds that such a call waits now. */
  #pause = FIRST_MS;

  constructor(requests: Pick<Requests, "ask">, request: ItemRequest<R>, deliver: Deliver<R>) {
    this.#requests = requests;
    this.#request = request;
    this.#deliver = deliver;
  }

  /** Requests an item of a size; the function that is returned cancels. `pushed`: it should come by itself soon. */
  ask(item: WantedItem<R>, size: number, pushed = false): () => void {
    const key = JSON.stringify([item.tag, item.run, item.revision, item.row.id, String(size)]);
    const batch = this.#open.get(key) ?? null;
    const now = performance.now();
    if (!pushed) {
      this.#pause = now - this.#queuedAt > REST_MS ? FIRST_MS : this.#pause;
      this.#queuedAt = now;
    }
    const pause = pushed ? this.#request.patienceMs : this.#pause;
    const one: QueuedItem<R> = { key, item, size, due: now + pause, batch };
    if (batch === null) {
      this.#waiting.add(one);
      this.#arm(this.#pause);
    } else {
      batch.items.get(key)?.queued.add(one);
    }
    return () => {
      this.#waiting.delete(one);
      if (one.batch?.items.get(key)?.queued.delete(one)) {
        this.#endIfUnwanted(one.batch);
      }
    };
  }

  /** Aborts a request whose calls are all cancelled; a moment later, since the next step may need part of the answer. */
  #endIfUnwanted(batch: Batch<R>): void {
    const isWanted = () => [...batch.items.values()].some(({ queued }) => queued.size > 0);
    if (!isWanted()) {
      setTimeout(() => {
        if (!isWanted()) {
          this.#close(batch);
          batch.end.abort();
        }
      });
    }
  }

  #close(batch: Batch<R>): void {
    for (const key of batch.items.keys()) {
      if (this.#open.get(key) === batch) {
        this.#open.delete(key);
      }
    }
  }

  #arm(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), pause);
  }

  #send(): void {
    const now = performance.now();
    const { most } = this.#request;
    this.#pause = REST_MS;
    const due = [...this.#waiting].filter((one) => one.due <= now + 1);
    for (const size of new Set(due.map((one) => one.size))) {
      const alike = due.filter((one) => one.size === size);
      for (let i = 0; i < alike.length; i += most) {
        void this.#sendBatch(alike.slice(i, i + most), size);
      }
    }
    if (this.#waiting.size > 0) {
      this.#arm(Math.max(1, Math.min(...[...this.#waiting].map((one) => one.due)) - now));
    }
  }

  async #sendBatch(queued: readonly QueuedItem<R>[], size: number): Promise<void> {
    const items = new Map<string, { item: WantedItem<R>; queued: Set<QueuedItem<R>> }>();
    const batch: Batch<R> = { items, size, end: new AbortController() };
    for (const one of queued) {
      const { key, item } = one;
      this.#waiting.delete(one);
      one.batch = batch;
      items.set(key, { item, queued: (items.get(key)?.queued ?? new Set()).add(one) });
      this.#open.set(key, batch);
    }
    const wanted = [...items.values()];
    const { signal } = batch.end;
    const asked = wanted.map(({ item }) => item);
    const parts = await requestItems(this.#requests, this.#request, asked, size, false, signal);
    if (!signal.aborted) {
      this.#close(batch);
      for (const [i, one] of wanted.entries()) {
        this.#settle(parts[i] as AnswerPart, one.item, size, one.queued);
      }
    }
  }

  #settle(part: AnswerPart, item: WantedItem<R>, size: number, queued: ReadonlySet<QueuedItem<R>>): void {
    if ("blob" in part || ("reason" in part && queued.size > 0)) {
      this.#deliver(item, size, part);
      return;
    }
    // Cancelled calls were removed from `queued`, so that unwanted items are not requested again.
    for (const one of queued) {
      one.batch = null;
      this.#waiting.add(one);
      this.#arm(0);
    }
  }
}

/**
 * Asks the kernel for some items. Resolves to a part for each of them: where the request is refused or aborted, or the answer
 * makes no sense, to the reason. The first part is never `later`, so that who asks again gets on.
 */
export async function requestItems<R extends ItemRow>(
  requests: Pick<Requests, "ask">,
  request: ItemRequest<R>,
  items: readonly WantedItem<R>[],
  size: number,
  written: boolean,
  until: AbortSignal,
): Promise<AnswerPart[]> {
  let parts: AnswerPart[] = [];
  let reason = () => request.damaged;
  try {
    const answer = await requests.ask(request.name, request.args(items, size, written), until);
    parts = request.most === 1 ? [{ blob: answer.data as Uint8Array<ArrayBuffer> }] : partsOf(answer);
  } catch (error) {
    reason = () => messageOf(error);
  }
  return items.map((_, i) => {
    const part = parts[i];
    return part === undefined || (i === 0 && "later" in part) ? withReason({}, reason) : part;
  });
}

/** The parts of an answer, one for each item requested, up to the first malformed one. */
export function partsOf({ value, data }: Answer): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let from = 0;
  try {
    for (const entry of list(value)) {
      const row = isRow(entry) ? entry : {};
      const { size, later } = row;
      if (later === true) {
        parts.push({ later });
      } else if (typeof size === "number" && Number.isInteger(size) && size >= 0 && from + size <= data.length) {
        // A copy: else each of them would keep the whole answer.
        parts.push({ blob: data.slice(from, from + size) as Uint8Array<ArrayBuffer> });
        from += size;
      } else if (reasonIn(row) !== null) {
        parts.push(withReason({}, () => reasonIn(row) ?? ""));
      } else {
        throw new ProtocolError("an answer without a part for each item");
      }
    }
  } catch {
    // The parts before are valid.
  }
  return parts;
}
