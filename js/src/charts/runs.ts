// The runs of a tag that are shown, and their colours.

import type { View } from "../dashboard/view";
import type { TagOf } from "../wire/collection";

/** What a run has of a tag, and how it is drawn. */
export interface RunOf<S> {
  readonly run: string;
  /** As #rrggbb. */
  readonly colour: string;
  readonly series: S;
  /** Another run is being pointed out. */
  readonly faded: boolean;
}

/** In natural order. */
export function runsOf<S>(data: TagOf<S>, { session, choices, theme, pointedOut }: View): RunOf<S>[] {
  const pointed = pointedOut.value;
  const shown = session.store.runs.value.filter((run) => data.byRun.has(run) && choices.shows(run));
  const fading = pointed !== null && shown.includes(pointed);
  return shown.flatMap((run) => {
    const held = data.byRun.get(run);
    const colour = choices.colourOf.value(run, theme.value);
    return held === undefined ? [] : [{ run, colour, series: held.series, faded: fading && run !== pointed }];
  });
}

/** Looks at everything that the runs of a tag depend on, so that its changes are told. */
export function watchRuns(data: TagOf<unknown>, { choices, theme, pointedOut }: View): void {
  void data.version.value;
  void theme.value;
  void pointedOut.value;
  void choices.selection.value;
  void choices.runPattern.value;
  void choices.colourOf.value;
}
