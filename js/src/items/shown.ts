// The rows that cards of items show at a step: for each run and sample, the newest that has arrived.

import { chartTexts } from "../lib/commontexts";
import { formatCount } from "../lib/format";
import type { AtStep, StepOption } from "../ui/globalstep";
import { KeyedSignals } from "../ui/keyed";
import type { View } from "../ui/view";
import type { ItemRow, ItemsCodec } from "../wire/codec";
import type { HeldItems } from "../wire/items";
import type { ItemPlace } from "./kind";
import { cardStep, rowsAt } from "./steps";
import { itemTexts } from "./texts";

/** A row of an index in which a step may have several samples. */
export interface SampledRow extends ItemRow {
  readonly sample: number;
}

/** The part of a run's items that this needs. */
export type Arriving<R extends ItemRow> = Pick<HeldItems<R>, "rows" | "blobs" | "arrivals">;

/** The place of the last of these rows whose blob has come, or is not there; -1 where all are on their way. */
export function lastArrived<R extends ItemRow>({ blobs, arrivals }: Arriving<R>, rows: readonly R[]): number {
  const hasCome = ({ id }: R) => ["held", "broken"].includes(blobs.get(id)?.value.state ?? "");
  return arrivals.value === 0 ? -1 : rows.findLastIndex(hasCome);
}

/**
 * The rows of the last step up to `at`. Where that is the newest, of each sample those up to the last that has come, of its
 * step; as long as none has, the newest. Follows what comes where it is called from a component or an effect.
 */
export function rowsShown<R extends SampledRow>(items: Arriving<R>, at: AtStep): readonly R[] {
  const newest = rowsAt(items.rows, at);
  if (at !== "newest" || newest.every((row) => lastArrived(items, [row]) === 0)) {
    return newest;
  }
  return [...new Set(newest.map(({ sample }) => sample))].flatMap((one) => {
    const rows = items.rows.filter(({ sample }) => sample === one);
    const last = lastArrived(items, rows);
    const step = rows[last]?.step;
    return last < 0
      ? newest.filter(({ sample }) => sample === one)
      : rows.slice(0, last + 1).filter((row) => row.step === step);
  });
}

/** The newest row of the same sample, where that is another one, and still on its way. */
export function newerThan<R extends SampledRow>(items: Arriving<R>, { id, sample }: R): R | null {
  const newest = rowsAt(items.rows, "newest").findLast((row) => row.sample === sample);
  return newest === undefined || newest.id === id || lastArrived(items, [newest]) === 0 ? null : newest;
}

/** The step of a row that is shown, in words; `behind`: another one was chosen, or is on its way. */
export function stepShown({ step }: ItemRow, at: AtStep, newer: ItemRow | null) {
  const chosen = at === "newest" ? (newer?.step ?? step) : at;
  const behind = chosen !== step;
  const text = formatCount(step);
  return { behind, text: behind ? itemTexts().askedForStep(text, formatCount(chosen)) : chartTexts().atLinked(text) };
}

/** One of the values that a sample has at a step. */
export interface Repeat<R> {
  readonly row: R;
  /** Which of them it is, from 1 on, and how many there are. */
  readonly number: number;
  readonly count: number;
}

/** The values of each sample at a step, ascending by sample: the one with the number `repeat`, or the last before that. */
export function repeatsAt<R extends Pick<SampledRow, "sample">>(rows: readonly R[], repeat: AtStep): Repeat<R>[] {
  const bySample = new Map<number, R[]>();
  for (const row of rows) {
    const same = bySample.get(row.sample);
    if (same === undefined) {
      bySample.set(row.sample, [row]);
    } else {
      same.push(row);
    }
  }
  return [...bySample]
    .sort(([a], [b]) => a - b)
    .map(([, same]) => {
      const number = repeat === "newest" ? same.length : Math.min(same.length, Math.max(1, Number(repeat)));
      return { row: same[number - 1] as R, number, count: same.length };
    });
}

/** A value that a card shows. */
export interface ShownRow<R> extends Repeat<R> {
  /** The newest of its sample, where that is another one that is on its way. */
  readonly newer: R | null;
}

/** The values of a run that a card shows. Follows what comes where it is called from a component or an effect. */
export function shownRows<R extends SampledRow>(items: Arriving<R>, at: AtStep, repeat: AtStep): ShownRow<R>[] {
  return repeatsAt(rowsShown(items, at), repeat).map((one) => {
    return { ...one, newer: at === "newest" ? newerThan(items, one.row) : null };
  });
}

interface Chosen {
  readonly repeat: AtStep;
  /** At another step it has no effect. */
  readonly at: AtStep;
}

const ofViews = new WeakMap<View, KeyedSignals<Chosen | null>>();

/** Which of the values of its step a card shows: its number, or the newest. */
export function cardRepeat(view: View, panel: string, tag: string): StepOption {
  const repeats = ofViews.get(view) ?? new KeyedSignals<Chosen | null>(null);
  ofViews.set(view, repeats);
  const own = repeats.of(panel, tag);
  const step = cardStep(view, panel, tag);
  return {
    get at(): AtStep {
      const chosen = own.value;
      return chosen !== null && chosen.at === step.at ? chosen.repeat : "newest";
    },
    set: (repeat) => {
      own.value = { repeat, at: step.at };
    },
  };
}

/** The items that all cards of a panel show, or one of them, on the screen or farther down. */
export function shownItems<R extends SampledRow>(view: View, codec: ItemsCodec<R>, only?: string): ItemPlace<R>[] {
  const { channel, options } = view;
  const panel = codec.kind;
  const items = channel.store.items(codec);
  const matches = options.tagFilter.matches.peek();
  const pinned = options.board.pinned.peek();
  const runs = channel.store.runs.peek().filter((run) => options.shows(run));
  const tags = items.tags.peek().filter((tag) => matches(tag) || pinned.includes(tag));
  return (only === undefined ? tags : [only]).flatMap((tag) => {
    const { at } = cardStep(view, panel, tag);
    const repeat = cardRepeat(view, panel, tag).at;
    const byRun = items.tag(tag)?.byRun;
    return runs.flatMap((run) => {
      const held = byRun?.get(run);
      const rows = held === undefined ? [] : rowsShown(held, at);
      return repeatsAt(rows, repeat).map(({ row }) => ({ tag, run, row }));
    });
  });
}
