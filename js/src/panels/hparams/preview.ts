// Brushed sessions as a preview in all panels: their runs are shown in place of the selected ones. Of many, the best.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import type { RunPreview } from "../../options/runselection";
import type { View } from "../../ui/view";
import { runsOf } from "./chips";
import type { HParamsState } from "./sessions";

const { parallel: texts } = strings;

/** Sessions whose runs other panels show. */
export const MAX_PREVIEWED = 50;

export interface SessionPreview extends RunPreview {
  /** While a brush is dragged, the other panels stay as they are. */
  readonly isBrushing: Signal<boolean>;
  /** The runs of all brushed sessions are selected instead. */
  commit(): void;
}

const previews = new WeakMap<HParamsState, SessionPreview>();

/** The preview of a view, whichever plots it shows. */
export function previewOf(view: View, state: HParamsState): SessionPreview {
  let preview = previews.get(state);
  if (preview === undefined) {
    preview = makePreview(view, state);
    previews.set(state, preview);
  }
  return preview;
}

export function makePreview({ channel, options }: View, state: HParamsState): SessionPreview {
  const { runs: all } = channel.store;
  const isBrushing = signal(false);
  let last: readonly number[] | null = null;
  /** Brushed rows, the best first. */
  const rows: ReadonlySignal<readonly number[] | null> = computed(() => {
    if (!isBrushing.value) {
      const brushed = state.brushed.value;
      last = brushed && rankedRows(state, [...brushed]);
    }
    return last;
  });
  const namesOf = (some: readonly number[]): ReadonlySet<string> =>
    new Set(runsOf(some, state.sessions.value, all.value));
  return {
    isBrushing,
    panel: "hparams",
    runs: computed(() => rows.value && namesOf(rows.value.slice(0, MAX_PREVIEWED))),
    label: computed(() => {
      const count = rows.value?.length ?? 0;
      const [n, most] = [formatCount(count), formatCount(MAX_PREVIEWED)];
      if (count <= MAX_PREVIEWED) {
        return texts.previewed(count, n);
      }
      const goal = state.goal.value;
      return goal === null ? texts.previewedFirst(most, count, n) : texts.previewedBest(most, count, n, goal.title);
    }),
    commitLabel: computed(() => texts.onlyThese(formatCount(rows.value?.length ?? 0))),
    commit: () => {
      const brushed = rows.peek();
      if (brushed !== null) {
        options.select({ names: namesOf(brushed), only: true });
      }
    },
    end: () =>
      batch(() => {
        isBrushing.value = false;
        state.clearBrushes();
      }),
  };
}

/** The best by the goal metric first; those without a number last, in their order. */
export function rankedRows({ goal, goalBest }: HParamsState, rows: readonly number[]): readonly number[] {
  const values = goal.value?.values;
  if (values === undefined) {
    return rows;
  }
  const sign = goalBest.value === "max" ? -1 : 1;
  const rank = (row: number) => {
    const value = values[row];
    return typeof value === "number" && !Number.isNaN(value) ? sign * value : Number.NaN;
  };
  return rows
    .map((row) => ({ row, by: rank(row) }))
    .sort((a, b) => Number(Number.isNaN(a.by)) - Number(Number.isNaN(b.by)) || (a.by < b.by ? -1 : a.by > b.by ? 1 : 0))
    .map(({ row }) => row);
}
