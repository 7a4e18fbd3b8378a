// What a run came to, in one cell: a spark line and the last value of the headline tag, and whether the run goes on.

import { useComputed } from "@preact/signals";
import { formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import { useView } from "../../ui/view";
import type { Outline } from "../../wire/runfacts";
import { ROLES, type RunTable } from "./table";

const texts = strings.runTable;

/** CSS pixels of a spark line, and what is left free around it. */
const WIDTH = 48;
const HEIGHT = 16;
const MARGIN = 1.5;

/** Places along a spark line; what lies at the same place is averaged. */
const PLACES = 46;

const paths = new WeakMap<Outline, string>();

/** The path of a spark line, from its first step to its last, and from its least value to its greatest. */
export function sparkPath(outline: Outline): string {
  let path = paths.get(outline);
  if (path === undefined) {
    path = pathOf(outline);
    paths.set(outline, path);
  }
  return path;
}

function pathOf({ step, value }: Outline): string {
  const { length } = value;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < length; i += 1) {
    first = Math.min(first, step[i] as number);
    last = Math.max(last, step[i] as number);
  }
  const [sums, counts, rows] = [new Float64Array(PLACES), new Uint32Array(PLACES), new Uint32Array(PLACES)];
  for (let i = 0; i < length; i += 1) {
    const along = last > first ? ((step[i] as number) / 2 - first / 2) / (last / 2 - first / 2) : 0;
    const place = Math.round(along * (PLACES - 1));
    const one = value[i] as number;
    rows[place] = (rows[place] as number) + 1;
    if (Number.isFinite(one)) {
      // The mean so far: sums of the largest doubles would overflow.
      const count = (counts[place] as number) + 1;
      counts[place] = count;
      sums[place] = (sums[place] as number) + (one / count - (sums[place] as number) / count);
    }
  }
  const drawn = sums.filter((_, place) => (counts[place] as number) > 0);
  const least = drawn.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = drawn.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let path = "";
  let isBroken = true;
  let points = 0;
  for (let place = 0; place < PLACES; place += 1) {
    if ((counts[place] as number) === 0) {
      // Where values were written that are not finite the line breaks; where none was, it goes on.
      isBroken ||= (rows[place] as number) > 0;
      continue;
    }
    const up = most > least ? ((sums[place] as number) / 2 - least / 2) / (most / 2 - least / 2) : 0.5;
    const x = MARGIN + (place / (PLACES - 1)) * (WIDTH - 2 * MARGIN);
    const y = HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN);
    path += `${isBroken ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    isBroken = false;
    points += 1;
  }
  // A line of one point is drawn as a dot, by its round end.
  return points === 1 ? `${path}h0.01` : path;
}

interface Props {
  readonly run: string;
  readonly tag: string;
  readonly table: RunTable;
  readonly color: string;
}

export function HeadlineCell({ run, tag, table, color }: Props) {
  const { options } = useView();
  const path = useComputed(() => {
    const outline = table.outlineOf(run, tag);
    return outline === null ? "" : sparkPath(outline);
  }).value;
  const text = useComputed(() => {
    const last = table.valueOf({ type: "statistic", what: "last", tag }, run);
    return typeof last === "number" ? formatValue(last) : "";
  }).value;
  const state = useComputed(() => table.stateOf(run, tag)).value;
  const dash = useComputed(() => options.colors.dashOf.value(run)).value;
  return (
    <span class="tbwidget-run-cell tbwidget-headline" role={ROLES.cell}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} stroke={color} stroke-dasharray={dash.length > 0 ? dash.join(" ") : undefined} />
      </svg>
      <span class="tbwidget-headline-value" title={text}>
        {text}
      </span>
      {state !== null && (
        <i
          class="tbwidget-run-state"
          role="img"
          data-run-state={state}
          aria-label={texts.runStates[state]}
          title={texts.runStateHints[state]}
        />
      )}
    </span>
  );
}
