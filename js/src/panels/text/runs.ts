// The runs of a tag that are shown: their texts and their colors.

import type { View } from "../../ui/view";
import type { HeldItems } from "../../wire/items";
import type { TagTexts, TextRow } from "./codec";
import type { RunRows } from "./window";

export interface RunTexts extends RunRows<TextRow> {
  /** As #rrggbb. */
  readonly color: string;
  /** Another run is highlighted. */
  readonly faded: boolean;
  readonly held: HeldItems<TextRow>;
}

/** In natural order. */
export function textsOf(data: TagTexts, { channel, options, theme, highlightedRun }: View): RunTexts[] {
  const highlighted = highlightedRun.value;
  const shown = channel.store.runs.value.filter((run) => data.byRun.has(run) && options.shows(run));
  const fading = highlighted !== null && shown.includes(highlighted);
  return shown.flatMap((run) => {
    const held = data.byRun.get(run);
    const color = options.colorOf.value(run, theme.value);
    return held === undefined ? [] : [{ run, rows: held.rows, color, faded: fading && run !== highlighted, held }];
  });
}
