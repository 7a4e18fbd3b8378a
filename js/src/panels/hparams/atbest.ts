// The values of metrics at the step at which one of them was best: the kernel has the points to look them up in.

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { type LatestRequest, latestRequest } from "../../ui/latestrequest";
import type { Channel } from "../../wire/channel";
import type { Answer, SavedAnswer } from "../../wire/requests";
import type { MetricInfo, Session } from "./codec";
import type { Metric } from "./columns";
import type { Goal } from "./options";

/** Milliseconds after an answer before a new point makes the page ask again. */
const REPEAT_DELAY_MS = 1000;

/** Values of an answer. Keep in step with MAX_VALUES in tbwidget/panels/hparams_best.py. */
const MAX_VALUES = 1_000_000;

const REQUEST = "hparams.at_best";

/** Values of metrics at the best step of each session. Sessions are named by their runs; undefined means no value. */
export interface ValuesAt {
  /** The value at the best step, or the last one before it. */
  valueOf(session: string, source: MetricInfo): number | undefined;
  /** The step of that value. */
  stepOf(session: string, source: MetricInfo): bigint | undefined;
  bestStepOf(session: string): bigint | undefined;
  /** Whether a metric was looked up. */
  has(source: MetricInfo): boolean;
}

/** Arguments of the request. */
interface Args {
  readonly sessions: readonly string[];
  readonly metric: readonly Pair[];
  readonly best: Goal;
  readonly metrics: readonly Pair[];
  readonly [name: string]: unknown;
}

interface Wanted {
  readonly metric: Metric;
  readonly best: Goal;
  readonly metrics: readonly Metric[];
  readonly sessions: readonly Session[];
}

interface Props {
  readonly channel: Pick<Channel, "requests">;
  /** Whether values at a best step are chosen. */
  isChosen(): boolean;
  /** Null: nothing is to be looked up, or its metric is not there yet. */
  wanted(): Wanted | null;
  /** Changes with new points. */
  readonly changes: ReadonlySignal<unknown>;
}

export class AtBest {
  /** Null: not asked for, or not there yet. */
  readonly values: ReadonlySignal<ValuesAt | null>;
  /** The wanted values have not come. The values of a saved page may stand in until its kernel has answered. */
  readonly waits: ReadonlySignal<boolean>;
  /** Why there are none, for people. */
  readonly reason: ReadonlySignal<string | null>;
  readonly #saved: ReadonlySignal<readonly SavedAnswer[] | null>;

  constructor(props: Props) {
    const { requests } = props.channel;
    const request = latestRequest<ValuesAt>(requests);
    const isWanted = computed(() => props.wanted() !== null);
    let end = () => {};
    const values: Signal<ValuesAt | null> = signal<ValuesAt | null>(null, {
      // Not at once: this is called while something is computed, which sets nothing.
      watched: () =>
        queueMicrotask(() => {
          end();
          end = follow(props, request, values);
        }),
      unwatched: () =>
        queueMicrotask(() => {
          end();
          end = () => {};
        }),
    });
    this.values = values;
    this.#saved = requests.saved;
    this.reason = request.reason;
    this.waits = computed(() => {
      const found = requests.saved.value === null ? request.value.value : values.value;
      return isWanted.value && found === null && request.reason.value === null;
    });
  }

  /** Whether the best step of a metric with these sources can be had: a saved page has it of one metric at most. */
  isToBeHad(sources: readonly MetricInfo[]): boolean {
    return this.#saved.value?.some((answer) => isFor(answer, sources)) ?? true;
  }
}

/** Whether a saved answer is for the best step of these sources of a metric. It may name more, which no session has. */
function isFor({ name, args }: SavedAnswer, sources: readonly MetricInfo[]): boolean {
  const held = new Set(Array.isArray(args.metric) ? args.metric.map((pair) => JSON.stringify(pair)) : []);
  return name === REQUEST && sources.every((source) => held.has(JSON.stringify(pairOf(source))));
}

/** Requests the values, and again after each change, until the returned function is called. */
function follow(
  { channel: { requests }, isChosen, wanted, changes }: Props,
  request: LatestRequest<ValuesAt>,
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
    const args: Args = {
      sessions: what.sessions.map(({ run }) => run),
      metric: what.metric.sources.map(pairOf),
      best: what.best,
      metrics: sources.map(pairOf),
    };
    const take = (answer: Answer) => {
      requests.keep(REQUEST, args, answer);
      return decode(answer, args);
    };
    request.ask(REQUEST, args, take, keeps);
  };
  const ends = [
    effect(() => {
      const [what, points, isSaved] = [wanted(), changes.value, requests.saved.value !== null];
      const isDropped = !(isChosen() || isSaved);
      untracked(() => {
        clearTimeout(timer);
        if (isDropped) {
          requests.drop(REQUEST);
        }
        if (what === null || isSaved) {
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
          timer = setTimeout(() => !request.waits.peek() && ask(what, true), REPEAT_DELAY_MS);
        }
        [asked, of] = [key, what.sessions];
      });
    }),
    effect(() => {
      const [found, reason, saved, what] = [request.value.value, request.reason.value, requests.saved.value, wanted()];
      const isToBeHeld = what !== null && reason === null;
      values.value = found ?? (isToBeHeld ? savedValues(saved ?? requests.restored, what) : null);
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const one of ends) {
      one();
    }
    if (request.waits.peek()) {
      request.cancel();
    }
  };
}

type Pair = readonly [group: string, tag: string];

function pairOf({ group, tag }: MetricInfo): Pair {
  return [group, tag];
}

/** The wanted values that a saved page holds; null for none. */
function savedValues(saved: readonly SavedAnswer[], { metric, best }: Wanted): ValuesAt | null {
  const held = saved.find((answer) => isFor(answer, metric.sources) && answer.args.best === best);
  try {
    return held === undefined ? null : decode(held.answer, held.args as Args);
  } catch {
    // The file was damaged.
    return null;
  }
}

function decode({ data }: Answer, { sessions, metrics }: Args): ValuesAt {
  const count = sessions.length;
  const cells = count * metrics.length;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const found = 8 * (2 * cells + count);
  if (data.length < found + cells + count) {
    throw new Error("the answer is too short");
  }
  const places = new Map(sessions.map((run, i) => [run, i]));
  const rows = new Map(metrics.map((pair, i) => [JSON.stringify(pair), i]));
  const cellOf = (session: string, source: MetricInfo) => {
    const [place, row] = [places.get(session), rows.get(JSON.stringify(pairOf(source)))];
    const cell = place === undefined || row === undefined ? null : row * count + place;
    return cell !== null && data[found + cell] === 1 ? cell : null;
  };
  return {
    has: (source) => rows.has(JSON.stringify(pairOf(source))),
    valueOf: (session, source) => {
      const cell = cellOf(session, source);
      return cell === null ? undefined : view.getFloat64(8 * cell, true);
    },
    stepOf: (session, source) => {
      const cell = cellOf(session, source);
      return cell === null ? undefined : view.getBigInt64(8 * (cells + cell), true);
    },
    bestStepOf: (session) => {
      const place = places.get(session);
      return place !== undefined && data[found + cells + place] === 1
        ? view.getBigInt64(8 * (2 * cells + place), true)
        : undefined;
    },
  };
}
