// The values of metrics at the step at which one of them was best: the kernel has the points to look them up in.

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { type LatestRequest, latestRequest } from "../../ui/latestrequest";
import type { Channel } from "../../wire/channel";
import type { Answer } from "../../wire/requests";
import type { MetricInfo, Session } from "./codec";
import type { Metric } from "./columns";
import type { Goal } from "./options";

/** Milliseconds after an answer before a new point makes the page ask again. */
const AGAIN_MS = 1000;

/** Values of an answer. Keep in step with MAX_VALUES in tbwidget/panels/hparams_best.py. */
const MAX_VALUES = 1_000_000;

/** The value that a metric of a session has at the step; undefined for none. */
export type ValuesAt = (session: string, source: MetricInfo) => number | undefined;

interface Wanted {
  readonly metric: Metric;
  readonly best: Goal;
  readonly metrics: readonly Metric[];
  readonly sessions: readonly Session[];
}

interface Props {
  readonly channel: Pick<Channel, "requests">;
  /** Null: nothing is to be looked up. */
  wanted(): Wanted | null;
  /** Changes with new points. */
  readonly changes: ReadonlySignal<unknown>;
}

export class AtBest {
  /** Null: not asked for, or not there yet. */
  readonly values: ReadonlySignal<ValuesAt | null>;
  readonly waits: ReadonlySignal<boolean>;
  /** Why there are none, for people. */
  readonly reason: ReadonlySignal<string | null>;

  constructor({ channel, wanted, changes }: Props) {
    const request = latestRequest<ValuesAt>(channel.requests);
    const isWanted = computed(() => wanted() !== null);
    let end = () => {};
    const values: Signal<ValuesAt | null> = signal<ValuesAt | null>(null, {
      // Not at once: this is called while something is computed, which sets nothing.
      watched: () =>
        queueMicrotask(() => {
          end();
          end = follow(request, wanted, changes, values);
        }),
      unwatched: () =>
        queueMicrotask(() => {
          end();
          end = () => {};
        }),
    });
    this.values = values;
    this.reason = request.reason;
    this.waits = computed(() => isWanted.value && values.value === null && request.reason.value === null);
  }
}

/** Requests the values, and again after each change, until the returned function is called. */
function follow(
  request: LatestRequest<ValuesAt>,
  wanted: () => Wanted | null,
  changes: ReadonlySignal<unknown>,
  values: Signal<ValuesAt | null>,
): () => void {
  let asked = "";
  let of: readonly Session[] | null = null;
  /** The value of `changes` at the last request. */
  let seen: unknown;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = (what: Wanted, keeps: boolean) => {
    seen = changes.peek();
    const room = Math.floor(MAX_VALUES / Math.max(1, what.sessions.length)) - what.metric.sources.length;
    const sources = what.metrics.flatMap((metric) => metric.sources).slice(0, Math.max(0, room));
    const args = {
      sessions: what.sessions.map(({ run }) => run),
      metric: what.metric.sources.map(({ group, tag }) => [group, tag]),
      best: what.best,
      metrics: sources.map(({ group, tag }) => [group, tag]),
    };
    request.ask("hparams.at_best", args, (answer) => decode(answer, what.sessions, sources), keeps);
  };
  const ends = [
    effect(() => {
      const [what, points] = [wanted(), changes.value];
      untracked(() => {
        clearTimeout(timer);
        if (what === null) {
          asked = "";
          request.cancel();
          return;
        }
        const key = JSON.stringify([what.metric, what.best, what.metrics]);
        if (key !== asked || of === null) {
          ask(what, false);
        } else if (of !== what.sessions) {
          ask(what, true);
        } else if (points !== seen) {
          // The answer to come may be older than what has changed.
          timer = setTimeout(() => !request.waits.peek() && ask(what, true), AGAIN_MS);
        }
        [asked, of] = [key, what.sessions];
      });
    }),
    effect(() => {
      values.value = request.value.value;
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const one of ends) {
      one();
    }
  };
}

function decode({ data }: Answer, sessions: readonly Session[], sources: readonly MetricInfo[]): ValuesAt {
  const count = sessions.length;
  const cells = count * sources.length;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const found = 8 * (cells + count);
  if (data.length < found + cells + count) {
    throw new Error("the answer is too short");
  }
  const places = new Map(sessions.map(({ run }, i) => [run, i]));
  const rows = new Map(sources.map((source, i) => [source, i]));
  return (session, source) => {
    const [place, row] = [places.get(session), rows.get(source)];
    if (place === undefined || row === undefined) {
      return undefined;
    }
    const cell = row * count + place;
    return data[found + cell] === 1 ? view.getFloat64(8 * cell, true) : undefined;
  };
}
