// What a chart's frame needs of its content: where the plots are, what is painted, and what is where.

import type { Camera } from "./camera";
import type { CutMark, FlatteningLine } from "./cuts";
import type { Position, Size, Surface } from "./geometry";
import type { StepLabel } from "./linkedstep";
import type { Plot } from "./plot";

/** A mark on what is below the crosshair. */
export interface Dot extends Position {
  readonly color: string;
}

/** What is below the pointer or the crosshair. */
export interface Hit<T> {
  /** What a click links. */
  readonly step: bigint;
  /** What the tooltip shows. */
  readonly details: T;
  /** Where it is drawn, as shares of the plot. */
  readonly at: Position;
  readonly dots: readonly Dot[];
  /** What the canvas paints boldly; null where nothing changes on it. */
  readonly highlight: object | null;
}

/** Everything about one picture: where its plots are, what they show, and what is where. Positions are shares of a plot. */
export interface Layout<T> {
  readonly plots: readonly Plot[];
  /** Whether the pointer has an upright line. */
  readonly crosshair: boolean;
  /** The steps that are linked, where they are written. */
  readonly stepLabels: readonly StepLabel[];
  /** Marks of values beyond the y axis; none where the layout does not mark them. */
  readonly cuts?: readonly CutMark[];
  /** Lines that flatten the others, whether they are cut or not. */
  readonly flattening?: readonly FlatteningLine[];
  /** The largest step drawn. */
  readonly lastStep: bigint | null;
  /** Bytes of what was computed to draw this. */
  readonly bytes: number;
  paint(surface: Surface, highlight: object | null): void;
  hit(plot: number, at: Position): Hit<T> | null;
  /** The step or time of the next point behind or before another one; of null, of the first or the last in sight. */
  next(plot: number, from: number | null, direction: 1 | -1): number | null;
  hitAt(plot: number, stop: number): Hit<T> | null;
}

/** What a chart shows: made anew when data or options have changed, laid out anew for each camera and size. */
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
