// Brushed and filtered sessions as a preview in all panels: the runs of the best ones are shown in place of the selected runs.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { formatCount } from "../../lib/format";
import type { RunPreview } from "../../options/runselection";
import type { View } from "../../ui/view";
import { runsOf } from "./chips";
import { parallelTexts } from "./parallel/texts";
import { rankedRows } from "./ranking";
import type { HParamsState } from "./sessions";
import { hparamsTexts } from "./texts";

/** Sessions whose runs other panels show. */
export const MAX_PREVIEWED = 50;

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
  const ended = signal<string | null>(null);
  // Compared by content: equal filters may be set once more, also by Python.
  const contentOf = (filters: typeof hparams_filters.value) => JSON.stringify([...filters]);
  const filtered = computed(() => {
    const filters = hparams_filters.value;
    if (filters.size === 0 || ended.value === contentOf(filters)) {
      return null;
    }
    const shown = state.shown.value;
    const candidates = state.selected.value?.size ?? state.sessions.value.rows.length;
    return shown.length === candidates ? null : shown;
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
  return {
    isBrushing,
    panel: "hparams",
    runs: computed(() => rows.value && namesOf(rows.value.slice(0, MAX_PREVIEWED))),
    label: computed(() => {
      const count = rows.value?.length ?? 0;
      const [n, most] = [formatCount(count), formatCount(MAX_PREVIEWED)];
      if (count <= MAX_PREVIEWED) {
        return parallelTexts().previewed(count, n);
      }
      const goal = state.goal.value;
      return goal === null
        ? parallelTexts().previewedFirst(most, count, n)
        : parallelTexts().previewedBest(most, count, n, goal.title);
    }),
    commitLabel: computed(() => {
      const count = rows.value?.length ?? 0;
      return hparamsTexts().onlyThese(hparamsTexts().sessions(count, formatCount(count)));
    }),
    commit: () => {
      const previewed = rows.peek();
      if (previewed !== null) {
        options.select({ names: namesOf(previewed), only: true });
      }
    },
    end: () =>
      batch(() => {
        isBrushing.value = false;
        ended.value = contentOf(hparams_filters.peek());
        state.clearBrushes();
      }),
  };
}
