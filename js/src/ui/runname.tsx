// The name of a run wherever it is shown: its display name, else its own without the parts that all runs share; and a legend
// of runs with their colors.

import { measureLabel } from "../charts/text";
import { formatCount } from "../lib/format";
import { type Elision, elisionsOf } from "../lib/names";
import { bisect } from "../lib/search";
import { Elided } from "./elided";
import { cardTexts } from "./texts";
import { useView, useWindowWidth, type View } from "./view";

/** By the list of all runs, which is another one whenever a run comes or goes. */
const known = new WeakMap<readonly string[], ReadonlyMap<string, Elision>>();

/** The names of all runs without what they share. */
export function elisions(runs: readonly string[]): ReadonlyMap<string, Elision> {
  let found = known.get(runs);
  if (found === undefined) {
    found = elisionsOf(runs).within(Number.POSITIVE_INFINITY);
    known.set(runs, found);
  }
  return found;
}

/** The name of a run, or of a group, which need not begin and end as the names of the runs do. */
export function shortName(run: string, { channel, options }: Pick<View, "channel" | "options">): string {
  const own = options.runTable.run_names.value.get(run);
  return own ?? elisions(channel.store.runs.value).get(run)?.text ?? run;
}

/** Read the names of these runs now: a chart follows no name that it reads only when it lays out its plots. */
export function namesOf(runs: readonly { readonly run: string }[], view: View): (run: string) => string {
  const names = new Map(runs.map(({ run }) => [run, shortName(run, view)]));
  return (run) => names.get(run) ?? run;
}

export function RunName({ run }: { readonly run: string }) {
  const view = useView();
  return <Elided text={shortName(run, view)} among={shownNames(view)} />;
}

const listed = new WeakMap<readonly string[], { readonly own: unknown; readonly names: readonly string[] }>();

/** The names of all runs, the same list until one changes. */
function shownNames(view: View): readonly string[] {
  const [runs, own] = [view.channel.store.runs.value, view.options.runTable.run_names.value];
  let found = listed.get(runs);
  if (found?.own !== own) {
    found = { own, names: runs.map((run) => shortName(run, view)) };
    listed.set(runs, found);
  }
  return found.names;
}

interface Props {
  /** The content held for each run. */
  readonly byRun: ReadonlyMap<string, unknown>;
  readonly most: number;
  /** Above a chart over the whole window: one row, with what says how many more there are. */
  readonly inWindow?: boolean;
  /** CSS pixels of the row that other entries take. */
  readonly taken?: number;
}

/** CSS pixels around the name of a run in a legend, and of what says how many more there are. */
const AROUND_NAME_PX = 26;
const MORE_PX = 120;

/** How many of these names one row holds. `hasMore`: there are others, which it never names. */
function fitting(names: readonly string[], room: number, hasMore: boolean): number {
  const widths = names.map((name) => measureLabel(name) + AROUND_NAME_PX);
  const sum = (count: number) => widths.slice(0, count).reduce((total, width) => total + width, 0);
  return sum(names.length) + (hasMore ? MORE_PX : 0) <= room
    ? names.length
    : bisect(1, names.length, (count) => sum(count) + MORE_PX <= room) - 1;
}

/** As items of a list. */
export function RunsLegend({ byRun, most, inWindow = false, taken = 0 }: Props) {
  const view = useView();
  const { channel, options, theme } = view;
  const runs = channel.store.runs.value.filter((run) => byRun.has(run) && options.shows(run));
  const names = runs.slice(0, most).map((run) => shortName(run, view));
  const listed = fitting(names, useWindowWidth(inWindow) - taken, runs.length > names.length);
  const more = runs.length - listed;
  return (
    <>
      {runs.slice(0, listed).map((run) => (
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
