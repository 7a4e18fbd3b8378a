// Requests where only the latest counts, exposed as signals.

import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { messageOf } from "../wire/reasons";
import type { Answer, Requests } from "../wire/requests";

export interface LatestRequest<T> {
  /** The decoded answer; null until it arrives. */
  readonly value: ReadonlySignal<T | null>;
  readonly waits: ReadonlySignal<boolean>;
  /** The reason of a refusal, for people; null if there is none. */
  readonly reason: ReadonlySignal<string | null>;
  /** Cancels the request before. With `keeps`, its value stays until there is another. */
  ask(
    name: string,
    args: Readonly<Record<string, unknown>>,
    decode: (answer: Answer) => T | Promise<T>,
    keeps?: boolean,
  ): void;
  /** Cancels the request and drops its value. */
  cancel(): void;
}

export function latestRequest<T>(requests: Pick<Requests, "ask">): LatestRequest<T> {
  const value = signal<T | null>(null);
  const waits = signal(false);
  /** The error of the last request, in an array; null if there was none. */
  const failed = signal<readonly [unknown] | null>(null);
  const reason = computed(() => failed.value && messageOf(failed.value[0]));
  let end = new AbortController();
  const set = (found: T | null, isWaiting: boolean, why: readonly [unknown] | null) =>
    batch(() => {
      value.value = found;
      waits.value = isWaiting;
      failed.value = why;
    });
  const begin = (kept: T | null, isWaiting: boolean) => {
    end.abort();
    end = new AbortController();
    set(kept, isWaiting, null);
    return end.signal;
  };
  return {
    value,
    waits,
    reason,
    cancel: () => void begin(null, false),
    ask(name, args, decode, keeps = false) {
      const until = begin(keeps ? value.peek() : null, true);
      const settle = (found: T | null, why: readonly [unknown] | null) => {
        if (!until.aborted) {
          set(found, false, why);
        }
      };
      requests
        .ask(name, args, until)
        .then(decode)
        .then(
          (found) => settle(found, null),
          (error: unknown) => settle(null, [error]),
        );
    },
  };
}
