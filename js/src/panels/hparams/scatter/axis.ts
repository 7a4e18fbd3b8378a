// Where rows are along an axis of a scatter plot: as on parallel coordinates, with points of one value spread a little.

import { AxisSpace, type AxisTick, type ParallelAxis, type Span } from "../parallel/axes";
import type { Brush, Column } from "../sessions";

/** Bars of a histogram of numbers. */
const BARS = 24;

/** Points leave the middle of their strip by up to this share of it, points of a few different numbers by a share of the axis. */
const STRIP_JITTER = 0.32;
const NUMBER_JITTER = 0.012;
const MAX_REPEATED_NUMBERS = 12;

/** Points without a number leave the middle of their slot by up to this share of it. */
const SLOT_JITTER = 0.27;

/** The widest strip of categories that points are spread in. */
const MAX_STRIP_PX = 120;

/** Multiples of these, without their whole part, are evenly spread. The two directions need different ones. */
const SPREADS = { across: 0.7548776662466927, up: 0.5698402909980532 } as const;

/** Part of an axis in CSS pixels from its beginning: from the left, or from above. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export interface Bar extends Part {
  readonly count: number;
}

/** One direction of a cell, `length` CSS pixels long. */
export class ScatterAxis {
  readonly axis: ParallelAxis;
  readonly length: number;
  readonly #direction: keyof typeof SPREADS;
  readonly #space: AxisSpace;
  readonly #values: readonly number[];

  constructor(axis: ParallelAxis, direction: keyof typeof SPREADS, length: number) {
    this.axis = axis;
    this.length = length;
    this.#direction = direction;
    this.#space = new AxisSpace([axis], length);
    this.#values = distinctPlaces(axis);
  }

  get column(): Column {
    return this.axis.column;
  }

  get isCategorical(): boolean {
    return !this.axis.isNumeric;
  }

  /** Whether a row has a value that has a place on the axis itself. */
  has(row: number): boolean {
    const place = this.axis.places[row] ?? -1;
    return place >= 0 && place <= 1;
  }

  /** CSS pixels from the beginning, without jitter. */
  exactAt(row: number): number {
    return this.#turned(this.#space.yOf(this.axis.places[row] ?? 0));
  }

  /** The same of all rows, with jitter. */
  positions(): Float64Array {
    const byKey = placed.get(this.axis) ?? new Map<string, Float64Array>();
    placed.set(this.axis, byKey);
    const key = `${this.#direction} ${this.length}`;
    let found = byKey.get(key);
    if (found === undefined) {
      const spread = this.spread;
      found = this.axis.places.map((_, row) => this.#positionOf(row, spread));
      if (byKey.size >= MAX_LENGTHS) {
        byKey.clear();
      }
      byKey.set(key, found);
    }
    return found;
  }

  #positionOf(row: number, spread: number): number {
    const by = this.has(row) ? spread : SLOT_JITTER * this.#space.slotPx;
    return this.exactAt(row) + by * (2 * (((row + 1) * SPREADS[this.#direction]) % 1) - 1);
  }

  /** CSS pixels by which points leave the place of their value at most. */
  get spread(): number {
    const whole = this.#space.bottom - this.#space.top;
    const count = this.#values.length;
    return this.isCategorical
      ? STRIP_JITTER * Math.min(MAX_STRIP_PX, whole / Math.max(1, count))
      : count <= MAX_REPEATED_NUMBERS
        ? NUMBER_JITTER * whole
        : 0;
  }

  /** From above those that there is room for; from the left all, see `labelsAcross`. */
  ticks(): { readonly at: number; readonly label: string }[] {
    const isUp = this.#direction === "up";
    const ticks = isUp ? this.axis.ticks(this.#space) : this.axis.allTicks(this.#space, true);
    return ticks.map(({ y, label }: AxisTick) => ({ at: this.#turned(y), label }));
  }

  /** The selection between two places. */
  brushesBetween(one: number, other: number): Brush[] {
    const ends = [this.#turned(one), this.#turned(other)];
    return this.axis.brushesAt({ top: Math.min(...ends), bottom: Math.max(...ends) }, this.#space);
  }

  partsOf(brush: Brush): Part[] {
    return this.axis.spansOf(brush, this.#space).map(({ top, bottom }: Span) => {
      const ends = [this.#turned(top), this.#turned(bottom)];
      return { from: Math.min(...ends), to: Math.max(...ends) };
    });
  }

  /** A histogram: numbers in bars of equal width, categories and missing values in one each. */
  bars(rows: Iterable<number>): Bar[] {
    const counts = new Map<number, number>();
    const { places, isNumeric } = this.axis;
    for (const row of rows) {
      const place = places[row] ?? 0;
      const bar =
        isNumeric && place >= 0 && place <= 1 ? (Math.min(BARS - 1, Math.floor(place * BARS)) + 0.5) / BARS : place;
      counts.set(bar, (counts.get(bar) ?? 0) + 1);
    }
    const whole = this.#space.bottom - this.#space.top;
    const own = isNumeric ? whole / BARS / 2 : 0.42 * Math.min(MAX_STRIP_PX, whole / Math.max(1, this.#values.length));
    return [...counts].map(([place, count]) => {
      const middle = this.#turned(this.#space.yOf(place));
      const half = place >= 0 && place <= 1 ? own : SLOT_JITTER * this.#space.slotPx;
      return { from: middle - half, to: middle + half, count };
    });
  }

  /** Heights are from above; from the left it is the other way around. */
  #turned(y: number): number {
    return this.#direction === "up" ? y : this.length - y;
  }
}

/** Positions by direction and length; of an axis there are two in the matrix, and two in the large plot. */
const placed = new WeakMap<ParallelAxis, Map<string, Float64Array>>();
const MAX_LENGTHS = 8;

const known = new WeakMap<ParallelAxis, readonly number[]>();

/** Different places on the axis itself; of more than a few numbers not all. */
function distinctPlaces(axis: ParallelAxis): readonly number[] {
  let found = known.get(axis);
  if (found === undefined) {
    const places = new Set<number>();
    for (const place of axis.places) {
      if (place >= 0 && place <= 1) {
        places.add(place);
      }
      if (axis.isNumeric && places.size > MAX_REPEATED_NUMBERS) {
        break;
      }
    }
    found = [...places];
    known.set(axis, found);
  }
  return found;
}
