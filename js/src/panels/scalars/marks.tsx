// Beside a card's name: the last value of the run, or those of the runs, and what is to be noticed of them.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { stepNumber, timeAxisChoices } from "../../choices/shared";
import { formatCount, formatValue } from "../../lib/format";
import { lastUpTo } from "../../lib/search";
import { isSmoothed } from "../../lib/smoothing";
import { strings } from "../../lib/strings";
import { Elided } from "../../ui/elided";
import { Superseded } from "../../ui/marks";
import { shortName } from "../../ui/runname";
import { runsOf } from "../../ui/runs";
import { stepsInSight, useChoices, useView, type View } from "../../ui/view";
import { exactStep, numbers } from "../../wire/steps";
import { smoothingOf } from "./axes/chosen";
import { compareChoices } from "./choices";
import { tagAlongX } from "./compare/lines";
import { type NoteKind, notesOf } from "./compare/notes";
import { baselineOf, optionsOf } from "./compare/options";
import { type CurveOptions, curveOf, hasCurve } from "./curve";
import { NotFinite, Restarts } from "./gapmarks";
import { scalars as scalarsCodec, type TagScalars } from "./kind/codec";
import { isWhole } from "./kind/detail";
import { pointsAt, type Series } from "./kind/series";

const { compare: texts } = strings;

interface Props {
  readonly tag: string;
  readonly data: TagScalars;
}

export function ScalarMarks({ tag, data }: Props) {
  const view = useView();
  const { aggregate, baseline } = useChoices(compareChoices);
  void data.version.value;
  const range = stepsInSight(tag, view.times.value, view.channel, view.choices);
  const runs = runsOf(data, view);
  // What is off the screen has nothing smoothed.
  const inSight = useComputed(() => view.inSight.value.includes(tag));
  const last = baseline.value === null && aggregate.value === null && inSight.value;
  const shown = runs.map(({ series }) => series);
  const buckets = shown.filter((series) => !isWhole(series, range));
  return (
    <span class="tbwidget-marks">
      <Restarts data={data} />
      <NotFinite data={data} />
      <Superseded series={shown} />
      {buckets.length > 0 && (
        <abbr
          title={strings.bucketsHint(
            formatCount(sum(buckets.map((series) => series.value.length))),
            formatCount(sum(buckets.map((series) => series.total))),
          )}
        >
          {strings.buckets}
        </abbr>
      )}
      <Notes runs={runs} />
      <Along runs={runs} view={view} />
      {baseline.value !== null && <Compared held={[data]} run={baseline.value} />}
      {last && <Last tag={tag} data={data} runs={runs} view={view} />}
    </span>
  );
}

/** What the lines are compared with, as far as the baseline has values of their tags. */
export function Compared({ held, run }: { readonly held: readonly TagScalars[]; readonly run: string }) {
  const how = useChoices(compareChoices).compare_as.value;
  const name = shortName(run, useView());
  const without = held.filter((data) => baselineOf(data, run) === undefined).length;
  return without > 0 ? (
    <abbr title={without === held.length ? texts.noSuchBaselineHint(run) : texts.someBaselineHint(run, how)}>
      {without === held.length ? texts.noSuchBaseline : texts.someBaseline(name, how)}
    </abbr>
  ) : (
    <abbr class="tbwidget-compared" title={texts.comparedHint[how](run)}>
      <Elided text={texts.comparedTo[how](name)} />
    </abbr>
  );
}

interface RunsProps {
  readonly runs: ReturnType<typeof runsOf<Series>>;
}

/** Why nothing is drawn along another tag, or no aggregate. */
export function Along({ runs, view }: { readonly runs: readonly { readonly run: string }[]; readonly view: View }) {
  const { aggregate } = useChoices(compareChoices);
  const along = tagAlongX(view);
  const over = along === null ? undefined : view.channel.store.series(scalarsCodec).tag(along);
  void over?.version.value;
  if (along === null || runs.length === 0) {
    return null;
  }
  if (!runs.some(({ run }) => over?.byRun.has(run))) {
    return <abbr title={texts.noTagHere(along)}>{texts.noTagThere(along)}</abbr>;
  }
  return aggregate.value === null ? null : (
    <abbr title={texts.notAggregatedHint(aggregate.value)}>{texts.notAggregated(aggregate.value)}</abbr>
  );
}

const NOTE_KINDS: readonly NoteKind[] = ["notFinite", "diverged", "stopped"];
/** Runs that a hint names. */
const MOST_NAMED = 8;

function Notes({ runs }: RunsProps) {
  const notes = notesOf(runs);
  const found = NOTE_KINDS.flatMap((kind) => {
    const names = notes.filter((note) => note.kind === kind).map(({ run }) => run);
    return names.length === 0 ? [] : [{ kind, names }];
  });
  if (found.length === 0) {
    return null;
  }
  const hints = found.map(({ kind, names }) => {
    const more = names.length - MOST_NAMED;
    return texts.notes[kind](more > 0 ? [...names.slice(0, MOST_NAMED), texts.andMore(more)] : names);
  });
  const words = found.map(({ kind, names }) => texts.noted(names.length, texts.noteNames[kind]));
  return (
    <abbr class="tbwidget-note" title={hints.join("\n")}>
      {strings.list(words)}
    </abbr>
  );
}

/** Written anew once the lines are smoothed as chosen: until then the text before stays. */
function Last({ tag, data, runs, view }: RunsProps & Props & { readonly view: View }) {
  const options = optionsOf(tag, data, view);
  const pointed = runs.find(({ run }) => run === view.highlightedRun.value);
  const described = pointed === undefined ? runs : [pointed];
  const before = useRef<ReturnType<typeof lastOf>>(null);
  if (useSmoothed(described, options, view)) {
    before.current = lastOf(described, options, view);
  }
  return before.current;
}

/** The last value as it is drawn, or the one at the linked step: of the only run or the one pointed at, else from least to greatest. */
function lastOf(described: RunsProps["runs"], options: CurveOptions, view: View) {
  const { linked_step } = view.choices.of(timeAxisChoices);
  const linked = stepNumber(linked_step.value);
  const values = described.flatMap(({ run, series }) => {
    const row = linked === null ? series.value.length - 1 : lastUpTo(numbers(series.step), linked);
    // The mean of a bucket is no last value.
    return row < 0 || pointsAt(series, row) > 1
      ? []
      : [{ run, series, row, drawn: curveOf(series, options).smoothed[row] as number }];
  });
  const [first] = values;
  if (first === undefined || values.length < described.length) {
    return null;
  }
  const step = formatCount(exactStep(first.series.step, first.row));
  if (values.length === 1) {
    const [written, drawn] = [formatValue(first.series.value[first.row] as number), formatValue(first.drawn)];
    const hint = isSmoothed(smoothingOf(view))
      ? texts.lastSmoothedHint(first.run, written, step, drawn)
      : texts.lastHint(first.run, written, step);
    return (
      <output title={hint}>
        <Word linked={linked} step={step} /> {drawn}
      </output>
    );
  }
  const finite = values.map(({ drawn }) => drawn).filter(Number.isFinite);
  if (finite.length === 0) {
    return null;
  }
  const [least, most] = [Math.min(...finite), Math.max(...finite)].map(formatValue) as [string, string];
  return (
    <output title={texts.lastOfRuns(formatCount(values.length))}>
      <Word linked={linked} step={formatCount(linked_step.value ?? 0)} />{" "}
      {least === most ? least : texts.range(least, most)}
    </output>
  );
}

/**
 * Whether the lines are smoothed as chosen. What of them is not is done in a frame, behind the charts that were asked for
 * before: done for all cards at once, it would keep the first chart waiting.
 */
function useSmoothed(runs: RunsProps["runs"], options: CurveOptions, view: View): boolean {
  const done = useSignal(0);
  void done.value;
  const owner = useRef({});
  const waits = runs.some(({ series }) => !hasCurve(series, options));
  useEffect(() => {
    if (!waits) {
      return;
    }
    view.frames.request(owner.current, () => {
      for (const { series } of runs) {
        curveOf(series, options);
      }
      done.value += 1;
    });
  });
  useEffect(() => () => view.frames.cancel(owner.current), [view]);
  return !waits;
}

function Word({ linked, step }: { readonly linked: number | null; readonly step: string }) {
  return <small>{linked === null ? texts.last : strings.atStep(step)}</small>;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
