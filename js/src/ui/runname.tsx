// What a run is called wherever it is shown: as its user has named it, else its own name without what all of them share.

import { sharedStart, shortened } from "../lib/names";
import { Elided } from "./elided";
import { useView, type View } from "./view";

/** By the list of all runs, which is another one whenever a run comes or goes. */
const starts = new WeakMap<readonly string[], number>();

/** The name of a run, or of a group, which need not begin as the names of the runs do. */
export function shortName(run: string, { channel, choices }: Pick<View, "channel" | "choices">): string {
  const own = choices.runTable.run_names.value.get(run);
  if (own !== undefined) {
    return own;
  }
  const runs = channel.store.runs.value;
  const start = starts.get(runs) ?? sharedStart(runs);
  starts.set(runs, start);
  return start > 0 && run.startsWith(runs[0]?.slice(0, start) ?? "") ? shortened(run, start) : run;
}

export function RunName({ run }: { readonly run: string }) {
  return <Elided text={shortName(run, useView())} />;
}
