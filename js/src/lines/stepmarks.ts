// Marks on the horizontal axis of a line chart, such as checkpoints: glyphs at steps of runs. Close ones are one, with a count.

import { isTimeline } from "../charts/axis";
import type { Rect } from "../charts/geometry";
import { labelWidth } from "../charts/linkedstep";
import { type Plot, shareOf } from "../charts/plot";
import { commonTexts } from "../lib/commontexts";
import { formatCount } from "../lib/format";
import { lastUpTo } from "../lib/search";
import { language, listOf } from "../lib/texts";
import { timeAxis, type XAxisMode } from "../lib/xaxis";
import { timeAxisOptions } from "../options/shared";
import { runsOf } from "../ui/runs";
import { uiTexts } from "../ui/texts";
import type { View } from "../ui/view";
import { type TagLines, xAxisOf } from "./content";
import type { Series } from "./series";
import { lineTexts } from "./texts";
import "./stepmarks.css";

/** Something that happened to a run at a step. The same object says the same, but for the language and the day. */
export interface StepMark {
  readonly run: string;
  /** Null where only the time is known: it is marked along times alone. */
  readonly step: bigint | null;
  /** Seconds since the epoch. */
  readonly wallTime?: number | undefined;
  /** The style of its glyph. Only marks of one kind are merged. */
  readonly kind: "alert" | "checkpoint";
  /** Shown while the pointer is on it. */
  readonly text: string;
}

/** The kind of some marks, the place of the first one and their number; the tooltip says the rest. */
function nameOf(kind: StepMark["kind"], [first, ...others]: readonly StepMark[]): string {
  const step = first?.step ?? null;
  const facts = [
    first?.run ?? "",
    ...(step === null ? [] : [lineTexts().stepName([formatCount(step)])]),
    ...(others.length === 0 ? [] : [`+${formatCount(others.length)}`]),
  ];
  return commonTexts().labeled(lineTexts().markKinds[kind], listOf(facts));
}

/** A mark of a run that is drawn. */
export interface PlacedMark<M extends StepMark = StepMark> {
  readonly mark: M;
  /** Its place along the axis. */
  readonly x: number;
  readonly color: string;
}

/** Marks that stand at one place of a plot. */
export interface MarkGroup<M extends StepMark = StepMark> {
  readonly kind: StepMark["kind"];
  readonly marks: readonly M[];
  /** The color of their run; null for several runs. */
  readonly color: string | null;
  /** The middle, in CSS pixels from the left edge of the chart. */
  readonly left: number;
  readonly width: number;
}

/** CSS pixels of a target for fingers. */
const TARGET_PX = 24;
/** CSS pixels of a glyph. */
const GLYPH_PX = 9;
/** Marks of a chart: each of its runs has the same share of them, the last ones. */
const MAX_MARKS = 5000;
/** Marks whose texts a group shows. */
const MAX_TEXTS = 8;

/** Place the marks of the runs whose lines are drawn, along the axis that the view has. Follows the signals that it reads. */
export function placedMarks<M extends StepMark>(
  marksOf: (run: string) => readonly M[],
  shown: readonly TagLines[],
  view: View,
): PlacedMark<M>[] {
  const x = xAxisOf(view);
  if (!isTimeline(x)) {
    return [];
  }
  // Their texts are written when the chart has been drawn, where nothing is followed.
  language();
  const mode = timeAxis(view.options.of(timeAxisOptions).x_axis.value);
  const drawn = new Map(shown.flatMap(({ data }) => runsOf(data, view).map((run) => [run.run, run] as const)));
  const runs = [...drawn.values()].filter(({ faded }) => !faded);
  const most = Math.max(1, Math.floor(MAX_MARKS / runs.length));
  return runs.flatMap(({ run, series, color }) =>
    marksOf(run)
      .slice(-most)
      .flatMap((mark) => {
        const place = x.scale.place(positionOf(mark, mode, series));
        return Number.isFinite(place) ? [{ mark, x: place, color }] : [];
      }),
  );
}

/** The step, or the time at which the run was at it; NaN where neither is known. */
function positionOf({ step, wallTime = Number.NaN }: StepMark, mode: XAxisMode, series: Series): number {
  if (mode === "step") {
    return step === null ? Number.NaN : Number(step);
  }
  // Files keep no times when they are copied: what the run wrote at the step tells more.
  const row = step === null || step > (series.lastStep ?? -1n) ? -1 : lastUpTo(series.step, step);
  const time = row < 0 ? wallTime : (series.wall[row] as number);
  return mode === "wall" ? time : time - series.startWall;
}

/** Group the marks that are within a plot, so that no two groups cover each other. */
export function groupedMarks<M extends StepMark>(
  placed: readonly PlacedMark<M>[],
  { area, horizontal }: Pick<Plot, "area" | "horizontal">,
  measure: (text: string) => number = labelWidth,
): MarkGroup<M>[] {
  const at = placed
    .map((one) => ({ ...one, at: shareOf(horizontal, one.x) }))
    .filter(({ at }) => at >= 0 && at <= 1)
    .sort((one, other) => one.at - other.at);
  const byKind = new Map<M["kind"], Flag<M>[]>();
  for (const { mark, color, at: share } of at) {
    const flags = byKind.get(mark.kind) ?? [];
    byKind.set(mark.kind, flags);
    const place = share * area.width;
    let flag: Flag<M> = { marks: [mark], color, from: place, to: place, width: GLYPH_PX };
    for (let before = flags.at(-1); before !== undefined; before = flags.at(-1)) {
      if (startOf(flag, area) >= startOf(before, area) + before.width) {
        break;
      }
      flags.pop();
      const { marks } = before;
      for (const one of flag.marks) {
        marks.push(one);
      }
      const width = Math.max(GLYPH_PX, measure(formatCount(marks.length)));
      const one = before.color === flag.color ? flag.color : null;
      flag = { marks, color: one, from: before.from, to: flag.to, width };
    }
    flags.push(flag);
  }
  return [...byKind].flatMap(([kind, flags]) =>
    flags.map((flag) => ({
      ...{ kind, marks: flag.marks, color: flag.color, width: flag.width },
      left: area.left + startOf(flag, area) + flag.width / 2,
    })),
  );
}

interface Flag<M> {
  readonly marks: M[];
  readonly color: string | null;
  /** Places of the first mark and the last, in CSS pixels from the left edge of the plot. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Within the plot: the labels of the other axis stand beside it. */
function startOf({ from, to, width }: Flag<unknown>, area: Pick<Rect, "width">): number {
  return Math.max(0, Math.min(area.width - width, (from + to - width) / 2));
}

/** A button, and what it shows. */
interface Shown<M> {
  readonly button: HTMLButtonElement;
  marks: readonly M[];
  /** The language and the day of its texts. */
  wording: string;
  style: string;
}

/** Shows groups of marks over a chart, on the axis of its plots. */
export class StepMarks<M extends StepMark> {
  readonly #host: Element;
  readonly #pressed: (marks: readonly M[], button: HTMLElement) => void;
  readonly #shown: Shown<M>[] = [];
  #plots: readonly Plot[] = [];
  #placed: readonly PlacedMark<M>[] = [];

  /** `pressed` takes the marks of a group that is clicked, and its button. */
  constructor(host: Element, pressed: (marks: readonly M[], button: HTMLElement) => void = () => {}) {
    this.#host = host;
    this.#pressed = pressed;
  }

  /** Show marks on these plots; nothing is done where both are the same objects as before. */
  show(plots: readonly Plot[], placed: readonly PlacedMark<M>[]): void {
    if (plots === this.#plots && placed === this.#placed) {
      return;
    }
    [this.#plots, this.#placed] = [plots, placed];
    const groups = plots.flatMap((plot) => groupedMarks(placed, plot).map((group) => ({ ...group, plot })));
    for (const { button } of this.#shown.splice(groups.length)) {
      button.remove();
    }
    // Texts name today's moments otherwise than those of other days.
    const wording = `${language()} ${new Date().toDateString()}`;
    for (const [i, group] of groups.entries()) {
      const { kind, marks, color, left, width, plot } = group;
      const shown = this.#shown[i] ?? this.#added();
      const { button } = shown;
      // Charts are drawn many times a second while points come, and marks seldom change.
      if (wording !== shown.wording || !areSame(marks, shown.marks)) {
        const text = commonTexts().labeled(lineTexts().markKinds[kind], textOf(marks));
        button.dataset.kind = kind;
        button.textContent = marks.length > 1 ? formatCount(marks.length) : "";
        button.title = text;
        button.setAttribute("aria-label", nameOf(kind, marks));
      }
      [shown.marks, shown.wording] = [marks, wording];
      const foot = plot.area.top + plot.area.height;
      const place = `left:${left - width / 2}px;top:${foot}px;width:${width}px`;
      const reach = reachOf(group, groups);
      const style = `${place};--tbwidget-run:${color ?? "var(--tbwidget-quiet)"};--tbwidget-reach:${reach}px`;
      if (style !== shown.style) {
        shown.style = style;
        button.style.cssText = style;
      }
    }
  }

  #added(): Shown<M> {
    const button = this.#host.ownerDocument.createElement("button");
    const shown: Shown<M> = { button, marks: [], wording: "", style: "" };
    button.type = "button";
    button.className = "tbwidget-step-mark";
    // There may be dozens in each chart: keys go from chart to chart.
    button.tabIndex = -1;
    button.addEventListener("click", () => this.#pressed(shown.marks, button));
    this.#host.append(button);
    this.#shown.push(shown);
    return shown;
  }
}

type Placed = Pick<MarkGroup, "left" | "width"> & { readonly plot: Plot };

/** CSS pixels by which the target of a mark is wider at each side, as far as the targets of its neighbors. */
function reachOf(group: Placed, groups: readonly Placed[]): number {
  const gaps = groups
    .filter((other) => other !== group && other.plot === group.plot)
    .map((other) => (Math.abs(other.left - group.left) - (other.width + group.width) / 2) / 2);
  return Math.max(0, Math.min((TARGET_PX - group.width) / 2, ...gaps));
}

function areSame(some: readonly StepMark[], others: readonly StepMark[]): boolean {
  return some.length === others.length && some.every((mark, i) => mark === others[i]);
}

function textOf(marks: readonly StepMark[]): string {
  const texts = marks.slice(0, MAX_TEXTS).map(({ text }) => text);
  return [...texts, ...(marks.length > MAX_TEXTS ? [uiTexts().moreRuns(marks.length - MAX_TEXTS)] : [])].join("\n");
}
