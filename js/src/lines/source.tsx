// The chart source of a line card: its content, tooltip and selection, and the caches it frees when it leaves the screen.

import type { Signal } from "@preact/signals";
import type { Cut, FlatteningLine, LineEnd } from "../charts/cuts";
import { valuesBetween } from "../lib/scale";
import { timeAxisOptions } from "../options/shared";
import { alertsOpenIn } from "../ui/alerts";
import type { ChartSource } from "../ui/mountchart";
import { shownName } from "../ui/tagtitle";
import type { View } from "../ui/view";
import { freeAggregates } from "./aggregate";
import { alertMarks } from "./alertmarks";
import { cutRuns, includeOutliers, limitsOf, setLimits } from "./axes";
import { showCheckpoints } from "./checkpointlist";
import { type Checkpoint, type CheckpointMark, checkpointMarks } from "./checkpoints";
import type { TagScalars } from "./codec";
import { compareState, isCompared, linesOf, optionsOf } from "./compare";
import { drawnScale, legendOf, scalarsContent, type TagLines, xAxisOf } from "./content";
import { freeCurve } from "./curve";
import { freeCompared, freeJoined } from "./derived";
import { compareOptions } from "./options";
import type { LinePoint } from "./points";
import { type PlacedMark, placedMarks, type StepMark, StepMarks } from "./stepmarks";
import { selectAlong } from "./steps";
import { SupersededPoints } from "./superseded";
import { describe, LinesTooltip, scalarColumns } from "./tooltip";

/** Values that the axis of a card leaves out. */
export interface CutCount extends Pick<Cut, "count" | "isAtLeast"> {
  /** Lines whose newest values are among them. */
  readonly ends: readonly LineEnd[];
  /** Lines that flatten the others, cut or not. */
  readonly flattening: readonly FlatteningLine[];
}

/** The chart of the scalars of some tags; `name` is the card's, `cut` what its axis leaves out, or could. Marks are shown in `host`. */
export function scalarsSource(
  panel: string,
  name: string,
  shown: readonly TagLines[],
  view: View,
  cut: Signal<CutCount | null>,
  host: Element,
): ChartSource<readonly LinePoint[]> {
  const tags = shown.map(({ tag }) => tag);
  const { baseline, compare_as, tooltip_sort, tooltip_rows } = view.options.of(compareOptions);
  const { x_axis } = view.options.of(timeAxisOptions);
  const superseded = shown.map((part) => new SupersededPoints(panel, part.tag, part.data, view));
  const marks = new StepMarks<StepMark>(host, (pressed) => showMarked(view, pressed));
  let placed: readonly PlacedMark[] = [];
  return {
    panel,
    tag: tags[0] ?? "",
    tags,
    name,
    start: () => {
      for (const one of superseded) {
        one.start();
      }
    },
    content: () => {
      const alerts = alertMarks(view, tags);
      placed = placedMarks((run) => [...shownCheckpoints(view, run), ...(alerts.get(run) ?? [])], shown, view);
      return scalarsContent(shown, view, superseded);
    },
    drawn: (plots) => marks.show(plots, placed),
    cuts: {
      drawn: (marks, flattening) => {
        const [count, isAtLeast] = [sum(marks.map((mark) => mark.cut.count)), marks.some((mark) => mark.cut.isAtLeast)];
        const ends = marks.flatMap((mark) => mark.cut.ends ?? []);
        const found = count === 0 && flattening.length === 0 ? null : { count, isAtLeast, ends, flattening };
        if (JSON.stringify(cut.peek()) !== JSON.stringify(found)) {
          cut.value = found;
        }
      },
      include: () => {
        if (cut.peek()?.ends.length) {
          cutRuns(tags, view, false);
        } else {
          includeOutliers(tags, view, true);
        }
      },
    },
    legend: () => legendOf(shown, view),
    xAxis: () => xAxisOf(view),
    // A change of the limits drops the zoom, so that they can be seen.
    valueAxis: () => {
      return `${drawnScale(shown, view).key} ${limitsOf(view, tags) ?? ""} ${baseline.value} ${compare_as.value}`;
    },
    limitsAt: (places) => {
      const ends = valuesBetween(drawnScale(shown, view), places);
      // Limits hold for values, not for differences and ratios.
      const hasLimits = ends.every(Number.isFinite) && !shown.some(({ data }) => isCompared(data, view));
      return new Map(hasLimits ? tags.map((tag) => [tag, ends]) : []);
    },
    fit: () => {
      for (const tag of tags) {
        setLimits(view, tag, [null, null]);
      }
    },
    tooltip: (points, now) => {
      const columns = scalarColumns(points, x_axis.peek(), now, (tag) => shownName(view, tag));
      return <LinesTooltip points={points} columns={columns} sort={tooltip_sort.peek()} most={tooltip_rows.peek()} />;
    },
    describe,
    points: (points) => points,
    select: {
      always: compareState(view).selecting,
      chosen: (range) => {
        const lines = shown.flatMap(({ tag, data }) => linesOf(data, view, optionsOf(tag, data, view)));
        selectAlong(range, lines, view);
      },
    },
    release: () => {
      cut.value = null;
      marks.show([], []);
      for (const one of superseded) {
        one.end();
      }
      for (const { data, lower, upper } of shown) {
        freeAggregates(data);
        for (const held of [data, lower, upper]) {
          freeSeries(held);
        }
      }
    },
  };
}

function shownCheckpoints(view: View, run: string): readonly CheckpointMark[] {
  return view.options.of(compareOptions).checkpoints.value ? checkpointMarks(run, view) : [];
}

/** Show the checkpoints of a group of marks; for alerts, the list of all of them. */
export function showMarked(view: View, marks: readonly StepMark[]): void {
  const byRun = new Map<string, Checkpoint[]>();
  for (const mark of marks) {
    if ("checkpoint" in mark) {
      const { run, checkpoint } = mark as CheckpointMark;
      const listed = byRun.get(run) ?? [];
      listed.push(checkpoint);
      byRun.set(run, listed);
    }
  }
  if (byRun.size > 0) {
    showCheckpoints(
      view,
      [...byRun].map(([run, checkpoints]) => ({ run, checkpoints })),
    );
  } else {
    alertsOpenIn(view).value = true;
  }
}

/** Frees the cached curves of the series of a tag. */
function freeSeries(data: TagScalars | undefined): void {
  for (const { series } of data?.byRun.values() ?? []) {
    freeCurve(series);
    freeCompared(series);
    freeJoined(series);
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((a, b) => a + b, 0);
}
