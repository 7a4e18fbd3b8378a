// Beside a card's name: the last value of the run, or those of the runs, and what is to be noticed of them.

import { useMemo } from "preact/hooks";
import { formatCount, formatValue } from "../../lib/format";
import { lastUpTo } from "../../lib/search";
import { strings } from "../../lib/strings";
import { stepNumber, timeAxisOptions } from "../../options/shared";
import { Elided } from "../../ui/elided";
import { Superseded } from "../../ui/marks";
import { shortName } from "../../ui/runname";
import { runsOf } from "../../ui/runs";
import { stepsInSight, useOptions, useView, type View } from "../../ui/view";
import { exactStep, numbers } from "../../wire/steps";
import { tagAlongX } from "./compare/lines";
import { type NoteKind, notesOf } from "./compare/notes";
import { baselineOf } from "./compare/options";
import { isWritten, valueIn } from "./compare/values";
import { NotFinite, Restarts } from "./gapmarks";
import { COARSE_ROWS } from "./kind/coarsen";
import { scalars as scalarsCodec, type TagScalars } from "./kind/codec";
import { isWhole } from "./kind/detail";
import type { Series } from "./kind/series";
import { compareOptions } from "./options";

const { compare: texts } = strings;

interface Props {
  readonly tag: string;
  readonly data: TagScalars;
}

export function ScalarMarks({ tag, data }: Props) {
  const view = useView();
  const { aggregate, baseline } = useOptions(compareOptions);
  void data.version.value;
  const range = stepsInSight(tag, view.times.value, view.channel, view.options);
  const runs = runsOf(data, view);
  const last = baseline.value === null && aggregate.value === null;
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
      <MemoryShort series={shown} />
      <Notes runs={runs} view={view} />
      <Along runs={runs} view={view} />
      {baseline.value !== null && <Compared held={[data]} run={baseline.value} />}
      {last && <Last runs={runs} view={view} />}
    </span>
  );
}

/** What the lines are compared with, as far as the baseline has values of their tags. */
export function Compared({ held, run }: { readonly held: readonly TagScalars[]; readonly run: string }) {
  const how = useOptions(compareOptions).compare_as.value;
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
  const { aggregate } = useOptions(compareOptions);
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

/** Looked for once a second: that takes all values of all runs. */
function Notes({ runs, view }: RunsProps & { readonly view: View }) {
  const names = runs.map(({ run }) => run).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the same runs have written since waits for its second
  const notes = useMemo(() => notesOf(runs), [names, view.now.value]);
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

/** Some of the series are held in fewer rows than the kernel has, since more do not fit into memory. */
export function MemoryShort({ series }: { readonly series: readonly Series[] }) {
  const few = series.filter(({ reduced }) => reduced !== undefined && reduced.rows > COARSE_ROWS);
  return few.length === 0 ? null : (
    <abbr
      class="tbwidget-memory-short"
      title={strings.memoryShortHint(
        formatCount(sum(few.map(({ step }) => step.length))),
        formatCount(sum(few.map(({ total }) => total))),
      )}
    >
      {strings.memoryShort}
    </abbr>
  );
}

/**
 * The last value as it was written, or the one at the linked step: of the only run or the one pointed at, else from least
 * to greatest.
 */
function Last({ runs, view }: RunsProps & { readonly view: View }) {
  const pointed = runs.find(({ run }) => run === view.highlightedRun.value);
  const described = pointed === undefined ? runs : [pointed];
  const { linked_step } = view.options.of(timeAxisOptions);
  const linked = stepNumber(linked_step.value);
  const values = described.flatMap(({ run, series }) => {
    const row = linked === null ? series.value.length - 1 : lastUpTo(numbers(series.step), linked);
    // The mean of a bucket is no value.
    return row < 0 || !isWritten(series, row) ? [] : [{ run, series, row, value: valueIn(series, row) }];
  });
  const [first] = values;
  if (first === undefined || values.length < described.length) {
    return null;
  }
  const step = formatCount(exactStep(first.series.step, first.row));
  if (values.length === 1) {
    const written = formatValue(first.value);
    return (
      <output title={texts.lastHint(first.run, written, step)}>
        <Word linked={linked} step={step} /> {written}
      </output>
    );
  }
  const finite = values.map(({ value }) => value).filter(Number.isFinite);
  if (finite.length === 0) {
    return null;
  }
  const [least, most] = [Math.min(...finite), Math.max(...finite)].map(formatValue) as [string, string];
  return (
    <output title={texts.lastOfRuns(formatCount(values.length))}>
      <Word linked={linked} step={formatCount(linked_step.value ?? 0)} />{" "}
      {texts.lastRange(least, most, formatCount(values.length))}
    </output>
  );
}

function Word({ linked, step }: { readonly linked: number | null; readonly step: string }) {
  return <small>{linked === null ? texts.last : strings.atStep(step)}</small>;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
