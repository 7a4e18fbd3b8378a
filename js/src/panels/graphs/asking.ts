// One thing that the kernel is asked for, until another is; what it answers may have to be decoded.

import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Answer, Requests } from "../../wire/requests";

export interface Asking<T> {
  /** Null until it is here. */
  readonly value: ReadonlySignal<T | null>;
  readonly waits: ReadonlySignal<boolean>;
  /** Why there is none; for people. */
  readonly reason: ReadonlySignal<string | null>;
  /** Forgets what was asked for before; with `keeps`, its answer stays until there is another. */
  ask(
    name: string,
    args: Readonly<Record<string, unknown>>,
    decode: (answer: Answer) => T | Promise<T>,
    keeps?: boolean,
  ): void;
  forget(): void;
}

export function asking<T>(requests: Requests): Asking<T> {
  const value = signal<T | null>(null);
  const waits = signal(false);
  const reason = signal<string | null>(null);
  let end = new AbortController();
  const begin = (kept: T | null, isAsked: boolean) => {
    end.abort();
    end = new AbortController();
    batch(() => {
      value.value = kept;
      waits.value = isAsked;
      reason.value = null;
    });
  };
  return {
    value,
    waits,
    reason,
    forget: () => begin(null, false),
    ask(name, args, decode, keeps = false) {
      begin(keeps ? value.peek() : null, true);
      const until = end.signal;
      const pending = requests.ask(name, args, until);
      const settle = (set: () => void) => {
        if (!until.aborted) {
          batch(() => {
            waits.value = false;
            set();
          });
        }
      };
      const fail = (error: unknown) =>
        settle(() => {
          value.value = null;
          reason.value = error instanceof Error ? error.message : String(error);
        });
      const stop = effect(() => {
        const answer = pending.answer.value;
        if (pending.state.value === "refused") {
          fail(pending.reason.peek() ?? "");
        } else if (answer !== null) {
          Promise.resolve(answer)
            .then(decode)
            .then(
              (decoded) =>
                settle(() => {
                  value.value = decoded;
                }),
              fail,
            );
        }
      });
      until.addEventListener("abort", stop, { once: true });
    },
  };
}
