// The runs of a tag that are shown, in their order of appearance and their colours.

import type { View } from "../../dashboard/view";
import { runColour } from "../../lib/colours";
import type { HistogramData } from "../../wire/store";
import type { RunSeries } from "./ridges";

export function runsOf(data: HistogramData, { session, choices, theme, pointedOut }: View): RunSeries[] {
  const { store } = session;
  const pointed = pointedOut.value;
  const shown = [...data.byRun].filter(([run]) => choices.shows(run));
  const fading = pointed !== null && shown.some(([run]) => run === pointed);
  return shown
    .sort(([a], [b]) => store.place(a) - store.place(b))
    .map(([run, { series }]) => ({
      run,
      colour: choices.colours.value.get(run) ?? runColour(store.place(run), theme.value),
      series,
      faded: fading && run !== pointed,
    }));
}
