// The buttons that select among the listed runs: all, none, invert, newest.

import { NEWEST } from "../../options/runselection";
import { ALL } from "../../options/selection";
import { runTableTexts } from "../../ui/texts";
import type { View } from "../../ui/view";
import { newestRuns } from "../../wire/runfacts";
import { runTableOf } from "./table";

/** Selects these runs alone; without any, nothing changes. */
export function selectOnly({ options }: View, runs: readonly string[]): void {
  if (runs.length > 0) {
    options.select({ names: new Set(runs), only: true });
  }
}

const listed = (view: View) => runTableOf(view).matching.peek();

/** By name, in the order of the menu. */
export const selections: readonly (readonly [name: () => string, act: (view: View) => void])[] = [
  [
    () => runTableTexts().all,
    (view) =>
      listed(view).length === view.channel.store.runs.peek().length
        ? view.options.select(ALL)
        : selectOnly(view, listed(view)),
  ],
  [() => runTableTexts().none, ({ options }) => options.select({ names: new Set(), only: true })],
  [
    () => runTableTexts().invert,
    (view) => {
      const { options, channel } = view;
      const inverted = new Set(listed(view));
      const { names, only } = options.runs.selection.peek();
      const runs = channel.store.runs.peek();
      const after = runs.filter((run) => (names.has(run) === only) !== inverted.has(run));
      options.select({ names: new Set(after), only: true });
    },
  ],
  [
    () => runTableTexts().newest,
    (view) => selectOnly(view, [...newestRuns(listed(view), view.channel.store.runFacts(), NEWEST)]),
  ],
];
