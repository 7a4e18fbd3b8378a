// The interface between a chart's frame and its content: positions of the plots, painting, and hit tests.

import type { Camera } from "./camera";
import type { CutMark, FlatteningLine } from "./cuts";
import type { Position, Size, Surface } from "./geometry";
import type { StepLabel } from "./linkedstep";
import type { RangeMark } from "./namedranges";
import type { Plot, PlotScale } from "./plot";

/** A mark on a point below the crosshair. */
export interface Dot extends Position {
  readonly color: string;
}

/** The result of a hit test at the pointer or the crosshair. */
export interface Hit<T> {
  /** The step that a click links. */
  readonly step: bigint;
  /** Content of the tooltip. */
  readonly details: T;
  /** Where it is drawn, as shares of the plot. */
  readonly at: Position;
  readonly dots: readonly Dot[];
  /** The object that the canvas paints boldly; null for none. */
  readonly highlight: object | null;
}

/** The layout of one picture: its plots, their axes, and hit tests. Positions are shares of a plot. */
export interface Layout<T> {
  readonly plots: readonly Plot[];
  /** Whether the pointer has an upright line. */
  readonly crosshair: boolean;
  /** The steps that are linked, where they are written. */
  readonly stepLabels: readonly StepLabel[];
  /** Marks of values beyond the y axis; none where the layout does not mark them. */
  readonly cuts?: readonly CutMark[];
  /** Names and strips of ranges of steps, in CSS pixels. */
  readonly rangeMarks?: readonly RangeMark[];
  /** The scale of steps, where it is not the horizontal one. */
  readonly stepScale?: PlotScale;
  /** Lines that flatten the others, whether they are cut or not. */
  readonly flattening?: readonly FlatteningLine[];
  /** The largest step drawn. */
  readonly lastStep: bigint | null;
  /** Bytes computed to draw this. */
  readonly bytes: number;
  paint(surface: Surface, highlight: object | null): void;
  hit(plot: number, at: Position): Hit<T> | null;
  /** The step or time of the next point in a direction; from null, that of the first or last visible point. */
  next(plot: number, from: number | null, direction: 1 | -1): number | null;
  hitAt(plot: number, stop: number): Hit<T> | null;
}

/** The content of a chart: made again when data or options change, laid out again for each camera and size. */
export interface ChartContent<T> {
  /** `ratio` is the number of canvas pixels to one CSS pixel; the layout is painted with the same. */
  layOut(size: Size, camera: Camera, ratio: number): Layout<T>;
}

/** Content that is only painted, as for a saved picture: nothing in it is pointed at. */
export function stillContent(paint: (surface: Surface, size: Size) => void): ChartContent<never> {
  return {
    layOut: (size) => ({
      ...{ plots: [], crosshair: false, stepLabels: [], lastStep: null, bytes: 0 },
      paint: (surface) => paint(surface, size),
      hit: () => null,
      next: () => null,
      hitAt: () => null,
    }),
  };
}
