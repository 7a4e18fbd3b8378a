// Marks beside the name of a line card: restarts, values that are not finite, buckets, missing memory, comparison.

import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { LineEnd } from "../charts/cuts";
import { formatCount, formatValue } from "../lib/format";
import { listOf } from "../lib/texts";
import { Elided } from "../ui/elided";
import { Mark, Marks, Superseded } from "../ui/marks";
import { shortName } from "../ui/runname";
import { runsOf, unfollowed } from "../ui/runs";
import { cardTexts, uiTexts } from "../ui/texts";
import { stepsInSight, useEverySecond, useOptions, useView, type View } from "../ui/view";
import { exactStep } from "../wire/steps";
import { cutRuns, cutsRuns } from "./axes";
import type { TagScalars } from "./codec";
import { baselineOf, dataAlong, tagAlongX } from "./compare";
import { drawnScale, type TagLines } from "./content";
import { type Gaps, gapsOf, notPositiveOf, stepsBack } from "./curve";
import { compareOptions, scalarsOptions } from "./options";
import { COARSE_ROWS, isWhole, type Series } from "./series";
import type { CutCount } from "./source";
import { compareTexts, lineTexts } from "./texts";
import "./marks.css";

interface Props {
  readonly shown: readonly TagLines[];
  /** Tags that have no lines, since there are too many. */
  readonly more: number;
  readonly cut: ReadonlySignal<CutCount | null>;
  /** Marks that only some cards have. */
  readonly children?: ComponentChildren;
}

/** The series of the shown runs, with names that tell them apart. */
function namedRuns(
  shown: readonly { readonly tag: string; readonly data: Pick<TagScalars, "byRun"> }[],
  view: View,
): NamedRun[] {
  return shown.flatMap(({ tag, data }) =>
    runsOf(data, view).map(({ run, series }) => ({ run, name: shown.length > 1 ? `${run}, ${tag}` : run, series })),
  );
}

/** The marks that all cards of lines have, the most important first: the last ones are glyphs where there is too little room. */
export function LineMarks({ shown, more, cut, children }: Props) {
  const view = useView();
  const { baseline } = useOptions(compareOptions);
  const range = stepsInSight(shown[0]?.tag ?? "", view.times.value, view.channel, view.options);
  const runs = namedRuns(shown, view);
  const series = runs.map((run) => run.series);
  const buckets = series.filter((one) => !isWhole(one, range));
  const points = formatCount(sum(buckets.map((one) => one.total)));
  return (
    <Marks>
      <GapMarks key={shown.map(({ tag }) => tag).join("\n")} shown={shown} />
      <CutMark cut={cut} tags={shown.map(({ tag }) => tag)} />
      {buckets.length > 0 && (
        <Mark
          class="tbwidget-bucket-count"
          text={lineTexts().asBuckets(points)}
          hint={lineTexts().bucketsHint(formatCount(sum(buckets.map((one) => one.value.length))), points)}
        />
      )}
      {children}
      <Superseded series={series} />
      <MemoryShort series={series} />
      <Along runs={runs} view={view} />
      {baseline.value !== null && <Compared held={shown.map(({ data }) => data)} run={baseline.value} />}
      {more > 0 && <Mark text={cardTexts().moreTags(formatCount(more))} hint={cardTexts().moreTagsHint} />}
    </Marks>
  );
}

interface CutProps {
  readonly cut: ReadonlySignal<CutCount | null>;
  readonly tags: readonly string[];
}

/** How many values the axis leaves out. Where runs were cut that flatten the others, a button includes them again. */
function CutMark({ cut, tags }: CutProps) {
  const view = useView();
  if (cut.value === null || cut.value.count === 0) {
    return null;
  }
  const { count, isAtLeast, ends } = cut.value;
  const hint = lineTexts().cutCountHint(count, formatCount(count), isAtLeast);
  return ends.length === 0 ? (
    <Mark class="tbwidget-cut-count" text={lineTexts().cutCount(formatCount(count), isAtLeast)} hint={hint} />
  ) : (
    <button
      type="button"
      class="tbwidget-cut-runs"
      aria-label={lineTexts().showBeyond(subjectOf(ends), ends.length)}
      title={[endsOf(ends), lineTexts().runsCutHint, hint].join("\n")}
      onClick={() => cutRuns(tags, view, false)}
    >
      <span class="tbwidget-cut-subject">
        <Elided text={subjectOf(ends)} />
        <span>
          <span class="tbwidget-cut-words">{lineTexts().areBeyond(ends.length)}</span> ·
        </span>
      </span>
      <b>{lineTexts().showAllRuns}</b>
    </button>
  );
}

/** The name of one run, or how many there are. */
function subjectOf(ends: readonly LineEnd[]): string {
  const [only] = ends;
  return only !== undefined && ends.length === 1
    ? only.name
    : lineTexts().someRuns(ends.length, formatCount(ends.length));
}

/** Upon a chart in which runs flatten the others: a button that cuts them. It stands where the others are not. */
export function CutOffer({ cut, tags }: CutProps) {
  const view = useView();
  const flattening = cut.value?.flattening ?? [];
  const [farthest] = flattening;
  if (farthest === undefined || cutsRuns(tags, view)) {
    return null;
  }
  return (
    <button
      type="button"
      class="tbwidget-cut-offer"
      data-side={farthest.side}
      aria-label={lineTexts().showFlattened(subjectOf(flattening), flattening.length)}
      title={[endsOf(flattening), lineTexts().cutRunsHint].join("\n")}
      onClick={() => cutRuns(tags, view, true)}
    >
      <span class="tbwidget-cut-subject">
        <Elided text={subjectOf(flattening)} />
        <span>{lineTexts().flattenOthers(flattening.length)}</span>
      </span>
      <b>{lineTexts().showOthers}</b>
    </button>
  );
}

function endsOf(ends: readonly LineEnd[]): string {
  return listed(ends.map(({ name, value }) => lineTexts().runEndsAt(name, formatValue(value))));
}

/** The baseline of the lines, as far as it has values of their tags. */
function Compared({ held, run }: { readonly held: readonly TagScalars[]; readonly run: string }) {
  const how = useOptions(compareOptions).compare_as.value;
  const name = shortName(run, useView());
  const compared = compareTexts().comparedTo[how](name);
  const without = held.filter((data) => baselineOf(data, run) === undefined).length;
  return without > 0 ? (
    <Mark
      text={without === held.length ? compareTexts().noSuchBaseline : compareTexts().someBaseline(name, how)}
      hint={
        without === held.length ? compareTexts().noSuchBaselineHint(run) : compareTexts().someBaselineHint(run, how)
      }
    />
  ) : (
    <Mark class="tbwidget-compared" text={compared} hint={compareTexts().comparedHint[how](run)}>
      <Elided text={compared} />
    </Mark>
  );
}

/** Why nothing is drawn along another tag, or no aggregate. */
function Along({ runs, view }: { readonly runs: readonly { readonly run: string }[]; readonly view: View }) {
  const { aggregate } = useOptions(compareOptions);
  const along = tagAlongX(view);
  const over = along === null ? undefined : dataAlong(along, view);
  if (along === null || runs.length === 0) {
    return null;
  }
  if (!runs.some(({ run }) => over?.byRun.has(run))) {
    return <Mark text={compareTexts().noTagThere(along)} hint={compareTexts().noTagHere(along)} />;
  }
  return aggregate.value === null ? null : (
    <Mark
      text={compareTexts().notAggregated(aggregate.value)}
      hint={compareTexts().notAggregatedHint(aggregate.value)}
    />
  );
}

/** Some of the series are held in fewer rows than the kernel has, since more do not fit into memory. */
export function MemoryShort({ series }: { readonly series: readonly Series[] }) {
  const few = series.filter(({ reduced }) => reduced !== undefined && reduced.rows > COARSE_ROWS);
  return few.length === 0 ? null : (
    <Mark
      class="tbwidget-memory-short"
      text={lineTexts().memoryShort}
      hint={lineTexts().memoryShortHint(
        formatCount(sum(few.map(({ step }) => step.length))),
        formatCount(sum(few.map(({ total }) => total))),
      )}
    />
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

interface NamedRun {
  readonly run: string;
  readonly name: string;
  readonly series: Series;
}

interface NamedProps {
  readonly runs: readonly NamedRun[];
}

/** Looked for once a second: that takes all values of the runs that have written some. */
function GapMarks({ shown }: { readonly shown: readonly TagLines[] }) {
  const view = useView();
  const runs = useEverySecond(() =>
    namedRuns(
      shown.map(({ tag, data }) => ({ tag, data: unfollowed(data) })),
      view,
    ),
  );
  return (
    <>
      <Restarts runs={runs} />
      <NotFinite runs={runs} />
      {drawnScale(shown, view).name === "log" && <NotPositive runs={runs} />}
    </>
  );
}

/** Runs, and steps of one, that a hint names. */
const MAX_LISTED = 5;

function NotFinite({ runs }: NamedProps) {
  const found = runs.flatMap(({ name, series }) => {
    const gaps = gapsOf(series);
    return gaps === null ? [] : [{ name, gaps }];
  });
  if (found.length === 0) {
    return null;
  }
  const sum = (kind: "nan" | "up" | "down" | "other") => found.reduce((total, { gaps }) => total + gaps[kind], 0);
  const all = { nan: sum("nan"), up: sum("up"), down: sum("down"), other: sum("other") };
  const hint = found.map(({ name, gaps }) =>
    lineTexts().notFiniteHint(name, textOf(gaps), formatCount(gaps.first), formatCount(gaps.last)),
  );
  return <Mark class="tbwidget-not-finite" text={textOf(all)} hint={listed(hint)} />;
}

/** The values that a logarithmic axis leaves out. */
function NotPositive({ runs }: NamedProps) {
  const found = runs.map(({ series }) => notPositiveOf(series));
  const count = sum(found.map((one) => one.count));
  const isAtLeast = found.some((one) => one.isAtLeast);
  return count === 0 ? null : (
    <Mark text={lineTexts().notPositive(count, formatCount(count), isAtLeast)} hint={lineTexts().notPositiveHint} />
  );
}

function textOf({ nan, up, down, other }: Pick<Gaps, "nan" | "up" | "down" | "other">): string {
  const [a, b, c, d] = [nan, up, down, other].map((count) => (count > 0 ? formatCount(count) : ""));
  return lineTexts().notFinite(a ?? "", b ?? "", c ?? "", d ?? "");
}

/** Where lines are split; looked for once a second, in all rows of all runs. */
function Restarts({ runs }: NamedProps) {
  const { split_restarts } = useOptions(scalarsOptions);
  const names = runs.map(({ name }) => name).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the same runs have written since waits for its second
  const found = useMemo(() => restartsOf(runs), [names, useView().now.value]);
  if (found.length === 0 || !split_restarts.value) {
    return null;
  }
  const count = found.reduce((total, { steps }) => total + steps.length, 0);
  const hint = found.map(({ name, steps }) => {
    const more = steps.length > MAX_LISTED ? [uiTexts().moreRuns(steps.length - MAX_LISTED)] : [];
    return lineTexts().restartsHint(name, listOf([...steps.slice(0, MAX_LISTED), ...more]));
  });
  return <Mark text={lineTexts().restarts(count, formatCount(count))} hint={listed(hint)} />;
}

function restartsOf(runs: NamedProps["runs"]): { readonly name: string; readonly steps: readonly string[] }[] {
  return runs.flatMap(({ name, series }) => {
    const rows = Array.from(stepsBack(series));
    return rows.length === 0 ? [] : [{ name, steps: rows.map((row) => formatCount(exactStep(series.first, row))) }];
  });
}

function listed(lines: readonly string[]): string {
  const more = lines.length > MAX_LISTED ? [uiTexts().moreRuns(lines.length - MAX_LISTED)] : [];
  return [...lines.slice(0, MAX_LISTED), ...more].join("\n");
}
