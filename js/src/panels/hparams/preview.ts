// Brushed and filtered sessions as a preview in all panels: the runs of the best ones are shown in place of the selected runs.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import { MOST_SELECTED, NEWEST, type RunPreview } from "../../options/runselection";
import type { View } from "../../ui/view";
import { runsOf } from "./chips";
import { rankedRows } from "./ranking";
import type { HParamsState } from "./sessions";

const { parallel: texts } = strings;

export interface SessionPreview extends RunPreview {
  /** While a brush is dragged, the other panels stay as they are. */
  readonly isBrushing: Signal<boolean>;
  /** The runs of all of these sessions are selected instead. */
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
  const { hparams_filters } = state.options;
  /** Filters that stay in the table, but whose preview was ended. */
  const ended = signal<unknown>(null);
  const filtered = computed(() => {
    const isEnded = ended.value === hparams_filters.value;
    const shown = state.shown.value;
    return isEnded || shown.length === state.sessions.value.rows.length ? null : shown;
  });
  let last: readonly number[] | null = null;
  /** Brushed rows, or those that pass the filters, the best first. */
  const rows: ReadonlySignal<readonly number[] | null> = computed(() => {
    if (!isBrushing.value) {
      const inside = state.brushed.value ?? filtered.value;
      last = inside && rankedRows(state, [...inside]);
    }
    return last;
  });
  const namesOf = (some: readonly number[]): ReadonlySet<string> =>
    new Set(runsOf(some, state.sessions.value, all.value));
  /** Panels draw up to MOST_SELECTED runs without a preview, too; of more, the best sessions. */
  const previewed = computed(() => {
    const all = rows.value;
    return all !== null && namesOf(all).size > MOST_SELECTED ? all.slice(0, NEWEST) : all;
  });
  return {
    isBrushing,
    panel: "hparams",
    runs: computed(() => previewed.value && namesOf(previewed.value)),
    label: computed(() => {
      const count = rows.value?.length ?? 0;
      const shown = previewed.value?.length ?? 0;
      const [n, most] = [formatCount(count), formatCount(shown)];
      if (count <= shown) {
        return texts.previewed(count, n);
      }
      const goal = state.goal.value;
      return goal === null ? texts.previewedFirst(most, count, n) : texts.previewedBest(most, count, n, goal.title);
    }),
    commitLabel: computed(() => texts.onlyThese(formatCount(rows.value?.length ?? 0))),
    commit: () => {
      const previewed = rows.peek();
      if (previewed !== null) {
        options.select({ names: namesOf(previewed), only: true });
      }
    },
    end: () =>
      batch(() => {
        isBrushing.value = false;
        ended.value = hparams_filters.peek();
        state.clearBrushes();
      }),
  };
}
