// One axis of a chart, for uPlot. Its scale is always [0, 1]: uPlot gives no ticks beyond some magnitudes, doubles go further.

import type uPlot from "uplot";
import { formatTick } from "../../lib/format";
import { multiples, roundUp } from "../../lib/ticks";

export type Range = readonly [number, number];

export class Axis {
  /** What the axis shows. */
  range: Range = [0, 1];
  readonly #least: number;
  #spacing = 1;
  #ticks: readonly number[] = [];

  /** `least`: no two ticks are nearer than this. */
  constructor(least: number) {
    this.#least = least;
  }

  /** The value at a position between 0 and 1. */
  value(position: number): number {
    const [min, max] = this.range;
    return min + position * (max - min);
  }

  /** The position of a value; between 0 and 1 if it is in sight. */
  position(value: number): number {
    const [min, max] = this.range;
    return (value - min) / (max - min);
  }

  /** Puts round numbers along the axis, `space` pixels apart at least. */
  readonly options: Pick<uPlot.Axis, "incrs" | "splits" | "values"> = {
    incrs: (_plot, _axis, _min, _max, length, space) => {
      const [min, max] = this.range;
      this.#spacing = roundUp(Math.max(this.#least, ((max - min) * space) / length));
      return [1];
    },
    splits: () => {
      this.#ticks = multiples(...this.range, this.#spacing);
      return this.#ticks.map((tick) => this.position(tick));
    },
    values: () => this.#ticks.map((tick) => formatTick(tick, this.#spacing)),
  };
}
