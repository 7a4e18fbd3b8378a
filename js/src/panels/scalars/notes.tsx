// Anomalies of the runs of one tag (stopped, gone NaN, diverged), and their last values, as marks of its card.

import { useMemo } from "preact/hooks";
import { commonTexts } from "../../lib/commontexts";
import { formatCount, formatRange, formatValue } from "../../lib/format";
import { select } from "../../lib/quantiles";
import { bisect, lastUpTo } from "../../lib/search";
import { isSmoothed } from "../../lib/smoothing";
import { listOf } from "../../lib/texts";
import { smoothingOf } from "../../lines/axes";
import type { TagScalars } from "../../lines/codec";
import { aggregateValues, tagAlongX } from "../../lines/compare";
import { compareOptions, scalarsOptions } from "../../lines/options";
import { isCrowded } from "../../lines/paint";
import { isSmoothable, type Series } from "../../lines/series";
import { compareTexts } from "../../lines/texts";
import { isWritten, valueIn } from "../../lines/values";
import { type ExactStep, timeAxisOptions } from "../../options/shared";
import { Mark } from "../../ui/marks";
import { type RunOf, runsOf } from "../../ui/runs";
import { useOptions, useView, type View } from "../../ui/view";
import { exactStep } from "../../wire/steps";
import { scalarTexts } from "./texts";

type NoteKind = "stopped" | "nan" | "infinite" | "diverged";

interface Note {
  readonly run: string;
  readonly kind: NoteKind;
}

/** Shortest silence of a series that has stopped, in multiples of its usual interval. */
const MIN_SILENT_INTERVALS = 10;
/** Shortest silence of a series that has stopped, in seconds. */
const MIN_SILENT_S = 60;

/** Smallest rise of a series that has diverged, in spans of its first values. */
const MIN_RISE = 10;
/** The same factor for a rise that began in the first half, where an accuracy may rise by ten spans. */
const MIN_EARLY_RISE = 100;
/** Series with fewer rows have no notes about their course. */
const MIN_ROWS = 20;
/** Share of the first half's values at either end that do not count as usual. */
const TAIL = 0.05;

/** Number of last values whose median counts, so that a single spike does not. */
const LAST = 5;

interface Noted {
  readonly run: string;
  readonly series: Series;
}

const diverged = new WeakMap<Series, boolean>();

/** At most one of each run, in the order of the runs. */
function notesOf(runs: readonly Noted[]): Note[] {
  const stopped = stoppedAmong(runs.map(({ series }) => series));
  return runs.flatMap(({ run, series }) => {
    const kind = endedIn(series) ?? (stopped(series) ? "stopped" : knownDiverged(series) ? "diverged" : null);
    return kind === null ? [] : [{ run, kind }];
  });
}

/** The kind of the last value, if it is not finite. */
export function endedIn({ last }: Series): "nan" | "infinite" | null {
  return last === null || Number.isFinite(last) ? null : Number.isNaN(last) ? "nan" : "infinite";
}

/**
 * Whether a series has stopped: another one, begun before its last point, went on for more than 60 s and 10 times this
 * one's mean interval after that point, and to later steps. A run that follows another one does not count.
 */
export function stoppedAmong(others: readonly Series[]): (series: Series) => boolean {
  // Thousands of series would each look at all others. The largest ends and steps decide most of them.
  const begun = others
    .flatMap(({ startWall, wall, lastStep }) => {
      const end = wall.at(-1);
      return end === undefined || lastStep === null || Number.isNaN(startWall) ? [] : [{ startWall, end, lastStep }];
    })
    .sort((one, other) => (one.startWall < other.startWall ? -1 : Number(one.startWall > other.startWall)));
  let [latest, furthest] = [Number.NEGATIVE_INFINITY, begun[0]?.lastStep ?? 0n];
  const most = begun.map(({ end, lastStep }) => {
    latest = end > latest ? end : latest;
    furthest = lastStep > furthest ? lastStep : furthest;
    return { latest, furthest };
  });
  return ({ wall, total, lastStep, startWall }) => {
    const last = wall.at(-1);
    if (last === undefined || total < 2 || lastStep === null) {
      return false;
    }
    const patience = Math.max(MIN_SILENT_S, (MIN_SILENT_INTERVALS * (last - startWall)) / (total - 1));
    const count = bisect(0, begun.length, (i) => (begun[i]?.startWall as number) <= last);
    const bound = most[count - 1];
    if (bound === undefined || !(bound.latest - last > patience && bound.furthest > lastStep)) {
      return false;
    }
    return begun.slice(0, count).some((other) => other.end - last > patience && other.lastStep > lastStep);
  };
}

function knownDiverged(series: Series): boolean {
  let known = diverged.get(series);
  if (known === undefined) {
    known = hasDiverged(series.value);
    diverged.set(series, known);
  }
  return known;
}

/**
 * Whether the median of the last five finite values exceeds the first half's 95th percentile by more than ten times the span
 * of its 5th to 95th percentiles; or whether from some row of that half on, all values exceed all earlier ones by more than a
 * hundred times the span of those.
 */
export function hasDiverged(values: Float64Array): boolean {
  const finite = values.filter((value) => value - value === 0);
  const half = finite.slice(0, finite.length >>> 1);
  if (half.length * 2 < MIN_ROWS) {
    return false;
  }
  const last = select(finite.slice(-LAST), LAST >>> 1);
  const low = select(half, Math.ceil((half.length - 1) * TAIL));
  const high = select(half, Math.floor((half.length - 1) * (1 - TAIL)));
  return (high > low && last / 2 - high / 2 > MIN_RISE * (high / 2 - low / 2)) || leapt(finite, half.length);
}

/** Whether a row among the first `end`, with enough rows before it, begins values that stay far above those before. */
function leapt(values: Float64Array, end: number): boolean {
  const least = values.slice();
  for (let row = least.length - 2; row >= 0; row -= 1) {
    least[row] = Math.min(least[row] as number, least[row + 1] as number);
  }
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < end; row += 1) {
    const [value, next] = [values[row] as number, least[row + 1] as number];
    low = Math.min(low, value);
    high = Math.max(high, value);
    const span = high / 2 - low / 2;
    if (row + 1 >= MIN_ROWS / 2 && span > 0 && next / 2 - high / 2 > MIN_EARLY_RISE * span) {
      return true;
    }
  }
  return false;
}

interface Props {
  readonly data: TagScalars;
  /** The split that the values belong to, where the card shows several. */
  readonly split?: string;
}

const NOTE_KINDS: readonly NoteKind[] = ["nan", "infinite", "diverged", "stopped"];
/** Runs that a hint names. */
const MAX_NAMED = 8;

/** Facts about the tags of a card. Looked for once a second: that takes all values of all runs. */
export function Notes({ tags }: { readonly tags: readonly TagScalars[] }) {
  const view = useView();
  const runs = tags.map((data) => runsOf(data, view));
  const names = runs.map((own) => own.map(({ run }) => run).join("\n")).join("\n\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the same runs have written since waits for its second
  const notes = useMemo(() => runs.flatMap(notesOf), [names, view.now.value]);
  const found = NOTE_KINDS.flatMap((kind) => {
    const names = [...new Set(notes.filter((note) => note.kind === kind).map(({ run }) => run))];
    return names.length === 0 ? [] : [{ kind, names }];
  });
  if (found.length === 0) {
    return null;
  }
  const hints = found.map(({ kind, names }) => {
    const more = names.length - MAX_NAMED;
    return compareTexts().notes[kind](more > 0 ? [...names.slice(0, MAX_NAMED), compareTexts().andMore(more)] : names);
  });
  const words = found.map(({ kind, names }) => compareTexts().noted(names.length, compareTexts().noteNames[kind]));
  return <Mark class="tbwidget-note" text={listOf(words)} hint={hints.join("\n")} />;
}

/** The value of a card's lines, and its description. */
interface Described {
  readonly name: string;
  readonly value: number;
  readonly step: bigint;
  /** The value is the mean of a bucket. */
  readonly approximate?: boolean;
}

/**
 * The last values as written, or the values at the linked step, of the drawn runs or their aggregates: one value for the only
 * or the hovered line, else the range from least to greatest.
 */
export function LastValue({ data, split = "" }: Props) {
  const view = useView();
  const runs = runsOf(data, view);
  const { aggregate, aggregate_members, baseline } = useOptions(compareOptions);
  const { linked_step } = view.options.of(timeAxisOptions);
  const linked = linked_step.value;
  const pointed = view.highlightedRun.value;
  const isAggregate =
    aggregate.value !== null && tagAlongX(view) === null && (pointed === null || !aggregate_members.value);
  const values = isAggregate ? aggregatesDescribed(data, view, linked, pointed) : runsDescribed(runs, linked, pointed);
  const [first] = values;
  if (first === undefined || baseline.value !== null) {
    return null;
  }
  const plain = wordOf(
    values.map(({ step }) => step),
    linked,
  );
  const at = split === "" ? plain : linked === null ? split : scalarTexts().splitAt(split, plain);
  const what = isAggregate && aggregate.value !== null ? aggregate.value : null;
  const approximate = values.some((one) => one.approximate);
  const written = (text: string) => (approximate ? compareTexts().approximate(text) : text);
  const hinted = (hint: string) => (approximate ? `${hint}\n${compareTexts().approximateHint}` : hint);
  const word =
    what !== null
      ? compareTexts().aggregateAt(what, at, linked !== null)
      : isOffLine(runs, view)
        ? compareTexts().rawAt(at)
        : at;
  if (values.length === 1) {
    const [value, step] = [written(formatValue(first.value)), formatCount(first.step)];
    const name = split === "" ? first.name : commonTexts().beside([split, first.name]);
    const hint =
      linked === null
        ? compareTexts().lastHint(name, value, step)
        : compareTexts().linkedHint(name, value, step, formatCount(linked));
    return (
      <output role="none" class="tbwidget-card-value" title={hinted(hint)}>
        <span>
          <small>{word}</small> {value}
        </span>
      </output>
    );
  }
  const finite = values.map(({ value }) => value).filter(Number.isFinite);
  if (finite.length === 0) {
    return null;
  }
  const [least, most] = [Math.min(...finite), Math.max(...finite)].map(formatValue) as [string, string];
  const count = formatCount(values.length);
  const of = what === null ? compareTexts().runsNamed(count) : compareTexts().groupsNamed(what, count);
  const hint = linked === null ? compareTexts().lastOfAll(of) : compareTexts().linkedOfAll(of, formatCount(linked));
  return (
    <output role="none" class="tbwidget-card-value" title={hinted(hint)}>
      <span>
        <small>{word}</small> {written(formatRange(least, most))}
      </span>
    </output>
  );
}

/** Whether a step is linked whose values as written lie beside the lines, since only smoothed values are drawn. */
function isOffLine(runs: readonly RunOf<Series>[], view: View): boolean {
  const { raw_values } = view.options.of(scalarsOptions);
  return (
    view.options.of(timeAxisOptions).linked_step.value !== null &&
    (raw_values.value === "hidden" || isCrowded(runs.length)) &&
    isSmoothed(smoothingOf(view)) &&
    runs.some(({ series }) => isSmoothable(series))
  );
}

/** The last values are none where one of them is not known; at a linked step, the mean of a bucket stands for its points. */
function runsDescribed(runs: readonly RunOf<Series>[], linked: ExactStep | null, pointed: string | null): Described[] {
  const only = runs.find(({ run }) => run === pointed);
  const described = only === undefined ? runs : [only];
  const values = described.flatMap(({ run, series }) => {
    const row = linked === null ? series.value.length - 1 : lastUpTo(series.step, linked);
    const approximate = row >= 0 && !isWritten(series, row);
    return row < 0 || (linked === null && approximate)
      ? []
      : [{ name: run, value: valueIn(series, row), step: exactStep(series.step, row), approximate }];
  });
  return values.length < described.length ? [] : values;
}

function aggregatesDescribed(
  data: TagScalars,
  view: View,
  linked: ExactStep | null,
  pointed: string | null,
): Described[] {
  const all = aggregateValues(data, view, linked) ?? [];
  const own = all.filter(({ runs }) => pointed !== null && runs.includes(pointed));
  return (own.length > 0 ? own : all).map(({ text, ...value }) => ({ name: text, ...value }));
}

/** The word before the values: they are the last ones, or at these steps. */
export function wordOf(steps: readonly bigint[], linked: ExactStep | null): string {
  if (linked === null) {
    return compareTexts().last;
  }
  let [first, last] = [steps[0] ?? 0n, steps[0] ?? 0n];
  for (const step of steps) {
    first = step < first ? step : first;
    last = step > last ? step : last;
  }
  return first === last
    ? scalarTexts().atStep(formatCount(first))
    : scalarTexts().atSteps(formatCount(first), formatCount(last));
}
