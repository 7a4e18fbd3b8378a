// The runs that a chart shows, with their colors, where no list of runs is in sight, or a legend names them anyway.

import { formatCount } from "../lib/format";
import { RunName } from "./runname";
import { cardTexts } from "./texts";
import { useView } from "./view";

interface Props {
  /** By run: what is held of each. */
  readonly byRun: ReadonlyMap<string, unknown>;
  readonly most: number;
}

/** As items of a list. */
export function RunsLegend({ byRun, most }: Props) {
  const { channel, options, theme } = useView();
  const runs = channel.store.runs.value.filter((run) => byRun.has(run) && options.shows(run));
  const more = runs.length - most;
  return (
    <>
      {runs.slice(0, most).map((run) => (
        <li key={`run ${run}`}>
          <i style={{ background: options.colorOf.value(run, theme.value) }} />
          <span title={run}>
            <RunName run={run} />
          </span>
        </li>
      ))}
      {more > 0 && <li>{cardTexts().moreRuns(more, formatCount(more))}</li>}
    </>
  );
}
