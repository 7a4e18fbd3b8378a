// What a run is called wherever it is shown: as its user has named it, else its own name without what all of them share.

import { sharedEnd, sharedStart, shortened } from "../lib/names";
import { Elided } from "./elided";
import { useView, type View } from "./view";

interface Shared {
  readonly start: string;
  readonly end: string;
}

/** By the list of all runs, which is another one whenever a run comes or goes. */
const shared = new WeakMap<readonly string[], Shared>();

function sharedBy(runs: readonly string[]): Shared {
  let known = shared.get(runs);
  if (known === undefined) {
    const first = runs[0] ?? "";
    const start = first.slice(0, sharedStart(runs));
    // Of names that are cut at their beginnings, which may leave nothing to cut at the ends.
    const end = sharedEnd(runs.map((run) => run.slice(start.length)));
    known = { start, end: first.slice(first.length - end) };
    shared.set(runs, known);
  }
  return known;
}

/** The name of a run, or of a group, which need not begin and end as the names of the runs do. */
export function shortName(run: string, { channel, options }: Pick<View, "channel" | "options">): string {
  const own = options.runTable.run_names.value.get(run);
  if (own !== undefined) {
    return own;
  }
  const { start, end } = sharedBy(channel.store.runs.value);
  const isLike = run.length > start.length + end.length && run.startsWith(start) && run.endsWith(end);
  if (!isLike || start + end === "") {
    return run;
  }
  const name = shortened(run, start.length);
  return end === "" ? name : `${name.slice(0, -end.length)}…`;
}

/** Read the names of these runs now: a chart follows no name that it reads only when it lays out its plots. */
export function namesOf(runs: readonly { readonly run: string }[], view: View): (run: string) => string {
  const names = new Map(runs.map(({ run }) => [run, shortName(run, view)]));
  return (run) => names.get(run) ?? run;
}

export function RunName({ run }: { readonly run: string }) {
  return <Elided text={shortName(run, useView())} />;
}
