// One axis of a chart, for uPlot. Its scale is always [0, 1]: uPlot gives no ticks beyond some magnitudes, doubles go further.

import type uPlot from "uplot";
import { formatTick } from "../lib/format";
import { multiples, roundUp } from "../lib/ticks";
import { clockTicks, formatClockTick, formatDuration, roundUpTime } from "../lib/times";

/** From, to. */
export type Range = readonly [number, number];

/** What stands along an axis: whole numbers, numbers, their logarithms, seconds, or seconds since the epoch. */
export type AxisKind = "whole" | "number" | "log" | "duration" | "clock";

/** Pixels right of the axis that a label may reach into, and of a character. */
const MARGIN = 12;
const CHARACTER = 6.5;

/** Pixels beside a vertical axis: charts one above the other line up, unless a label needs more. */
const USUAL_WIDTH = 52;

/** Pixels that the labels of a vertical axis need, with their ticks. */
export function widthOf(labels: readonly string[]): number {
  return Math.max(USUAL_WIDTH, CHARACTER * Math.max(0, ...labels.map((label) => label.length)) + 10);
}

interface Scale {
  /** A round spacing of ticks, at least as wide as this one. */
  spacing(least: number): number;
  ticks(min: number, max: number, spacing: number): number[];
  label(tick: number, spacing: number, range: Range): string;
}

const numeric: Scale = { spacing: roundUp, ticks: multiples, label: formatTick };

const SCALES: Record<AxisKind, Scale> = {
  number: numeric,
  whole: { ...numeric, spacing: (least) => Math.max(1, roundUp(least)) },
  log: { spacing: (least) => least, ticks: logTicks, label: logLabel },
  duration: {
    spacing: roundUpTime,
    ticks: multiples,
    label: (tick, spacing, range) => formatDuration(tick, Math.max(Math.abs(range[0]), Math.abs(range[1])), spacing),
  },
  clock: { spacing: roundUpTime, ticks: clockTicks, label: formatClockTick },
};

export class Axis {
  kind: AxisKind;
  /** What the axis shows: logarithms if it is a logarithmic one. */
  range: Range = [0, 1];
  #spacing = 1;
  #ticks: readonly number[] = [];

  constructor(kind: AxisKind) {
    this.kind = kind;
  }

  /** What stands at a position between 0 and 1. */
  value(position: number): number {
    const [min, max] = this.range;
    return min + position * (max - min);
  }

  /** The position of what is drawn; between 0 and 1 if it is in sight. */
  position(value: number): number {
    const [min, max] = this.range;
    return (value - min) / (max - min);
  }

  /** Pixels from tick to tick for labels side by side, on an axis so long: `usual`, unless they are longer. */
  space(length: number, usual: number): number {
    const [min, max] = this.range;
    const { spacing, ticks, label } = SCALES[this.kind];
    const apart = spacing(((max - min) * usual) / length);
    const labels = ticks(min, max, apart).map((tick) => label(tick, apart, this.range).length);
    return Math.max(usual, CHARACTER * Math.max(0, ...labels) + MARGIN);
  }

  /** Puts round numbers along the axis, `space` pixels apart at least. */
  readonly options: Pick<uPlot.Axis, "incrs" | "splits"> & {
    readonly values: (plot: uPlot, splits: number[], axis: number) => string[];
  } = {
    incrs: (_plot, _axis, _min, _max, length, space) => {
      const [min, max] = this.range;
      this.#spacing = SCALES[this.kind].spacing(((max - min) * space) / length);
      return [1];
    },
    splits: () => {
      this.#ticks = SCALES[this.kind].ticks(...this.range, this.#spacing);
      return this.#ticks.map((tick) => this.position(tick));
    },
    values: (plot, _splits, axis) =>
      this.#ticks.map((tick) => {
        const label = SCALES[this.kind].label(tick, this.#spacing, this.range);
        // A label below the very end of the axis would be cut.
        const room = axis === 0 ? (1 - this.position(tick)) * plot.width + MARGIN : Number.POSITIVE_INFINITY;
        return (label.length * CHARACTER) / 2 > room ? "" : label;
      }),
  };
}

/** Logarithms of round numbers: powers of ten, with as many between them as there is room for. */
function logTicks(min: number, max: number, spacing: number): number[] {
  if (spacing > 0.5) {
    return multiples(min, max, Math.ceil(spacing));
  }
  if (spacing < 0.1) {
    return multiples(10 ** min, 10 ** max, evenSpacing([min, max], spacing)).map(Math.log10);
  }
  const leads = spacing > 0.3 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let decade = Math.floor(min); decade <= max; decade += 1) {
    ticks.push(...leads.map((lead) => decade + Math.log10(lead)).filter((tick) => tick >= min && tick <= max));
  }
  return ticks;
}

/** Of values along a logarithmic axis that is short enough for even steps. */
function evenSpacing([min, max]: Range, spacing: number): number {
  return roundUp(((10 ** max - 10 ** min) * spacing) / (max - min));
}

function logLabel(tick: number, spacing: number, range: Range): string {
  const apart = spacing < 0.1 ? evenSpacing(range, spacing) : 10 ** Math.floor(tick - 1 + 1e-9);
  return formatTick(Number((10 ** tick).toPrecision(12)), apart);
}

/** Round numbers along an axis of `length` pixels, `space` apart at least, with their labels. */
export function ticksAlong(
  kind: AxisKind,
  range: Range,
  length: number,
  space: number,
): { at: number; label: string }[] {
  const { spacing, ticks, label } = SCALES[kind];
  const apart = spacing(((range[1] - range[0]) * space) / length);
  return ticks(...range, apart).map((at) => ({ at, label: label(at, apart, range) }));
}
