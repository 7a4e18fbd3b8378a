// The axes of parallel coordinates: where each value is, which values have a tick, and which a brush selects.

import { ticksAlong } from "../../../charts/axis";
import { formatExact } from "../../../lib/format";
import { compareNatural } from "../../../lib/natural";
import type { Range } from "../../../lib/range";
import { type AxisScale, LINEAR, LOG, symlog } from "../../../lib/scale";
import { strings } from "../../../lib/strings";
import type { Column, Value } from "../columns";
import type { Scale } from "../options";
import type { Brush } from "../sessions";

const { parallel: texts } = strings;

/** Places of values that an axis of numbers has none for: rows of their own above and below the axis. */
const [HIGH, LOW, NAN, MISSING] = [2, -1, -2, -3];

/** Slots from above; the axis itself is behind the first. */
const SLOTS = [HIGH, LOW, NAN, MISSING];

/** CSS pixels: of a slot, and around everything. */
const SLOT_PX = 22;
const PADDING_PX = 10;

/** CSS pixels between ticks: of an axis of numbers as a rule, and at least. */
const TICK_SPACE_PX = 30;
const MIN_TICK_SPACE_PX = 14;

/** Numbers have ticks of their own if there are no more. */
const MAX_DISTINCT = 12;

const QUANTILES = [0, 0.25, 0.5, 0.75, 1];

/** The smallest logarithms of a symmetric scale are so much smaller than the greatest. */
const SYMLOG_SHARE = 1e-6;

export interface AxisTick {
  /** CSS pixels from above. */
  readonly y: number;
  readonly label: string;
}

/** What is selected from one height to another, in CSS pixels from above. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** Heights on all axes: they have the same slots, so that equal places have equal heights. */
export class AxisSpace {
  readonly height: number;
  readonly #slots: readonly number[];
  /** The ends of the axes themselves. */
  readonly top: number;
  readonly bottom: number;

  constructor(axes: readonly ParallelAxis[], height: number) {
    this.height = height;
    this.#slots = SLOTS.filter((slot) => axes.some((axis) => axis.slots.has(slot)));
    const above = this.#slots.includes(HIGH) ? 1 : 0;
    this.top = PADDING_PX + above * SLOT_PX;
    this.bottom = Math.max(this.top + 1, height - PADDING_PX - (this.#slots.length - above) * SLOT_PX);
  }

  /** Equal for spaces in which all places have the same heights. */
  get key(): string {
    return `${this.height} ${this.#slots}`;
  }

  yOf(place: number): number {
    if (place >= 0 && place <= 1) {
      return this.bottom + place * (this.top - this.bottom);
    }
    if (place === HIGH) {
      return this.top - SLOT_PX;
    }
    const below = this.#slots.filter((slot) => slot !== HIGH);
    return this.bottom + SLOT_PX * (below.indexOf(place) + 1);
  }

  placeAt(y: number): number {
    return Math.min(1, Math.max(0, (this.bottom - y) / (this.bottom - this.top)));
  }
}

/** From values to places from 0 to 1, and back. */
interface NumberScale {
  place(value: number): number;
  value(place: number): number;
  /** Values with ticks within the axis, which is so many CSS pixels long. */
  ticks(length: number): readonly { readonly place: number; readonly label: string }[];
}

/** Something at one place that is selected as a whole: a category, or the values of a slot. */
interface Item {
  readonly place: number;
  readonly label: string;
  readonly value: Value | undefined;
}

export class ParallelAxis {
  readonly column: Column;
  /** Null for categories. */
  readonly scale: Scale | null;
  readonly isFlipped: boolean;
  /** By row: from 0 below to 1 above, or a slot. */
  readonly places: Float64Array;
  /** Slots in which rows are. */
  readonly slots: ReadonlySet<number>;
  readonly #numbers: NumberScale | null;
  readonly #items: readonly Item[];

  /** Fits the rows. `scale` is for numbers. */
  constructor(column: Column, rows: readonly number[], scale: Scale, isFlipped: boolean) {
    this.column = column;
    this.isFlipped = isFlipped;
    const { values } = column;
    const isNumeric = column.type === "number";
    this.scale = isNumeric ? scale : null;
    const finite = isNumeric ? sortedNumbers(values, rows) : null;
    this.#numbers = finite && numberScale(finite, scale);
    const categories = isNumeric ? [] : categoriesOf(column, rows);
    const placed = new Map(categories.map((value, i) => [value, this.#turned((i + 0.5) / categories.length)] as const));
    const place = (value: Value | undefined): number => {
      if (value === undefined) {
        return MISSING;
      }
      if (this.#numbers === null || typeof value !== "number") {
        return placed.get(value) ?? MISSING;
      }
      if (Number.isFinite(value)) {
        return this.#turned(Math.min(1, Math.max(0, this.#numbers.place(value))));
      }
      return Number.isNaN(value) ? NAN : value > 0 !== isFlipped ? HIGH : LOW;
    };
    this.places = Float64Array.from(values, place);
    this.slots = new Set(rows.map((row) => this.places[row] ?? MISSING).filter((at) => SLOTS.includes(at)));
    const infinity = (high: boolean): Item => {
      const value = high === isFlipped ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      return { place: high ? HIGH : LOW, label: formatExact(value), value };
    };
    const slots: Item[] = [
      infinity(true),
      infinity(false),
      { place: NAN, label: strings.notANumber, value: Number.NaN },
      { place: MISSING, label: texts.missing, value: undefined },
    ];
    this.#items = [
      ...[...placed].map(([value, at]) => ({ place: at, label: labelOf(value), value })),
      ...slots.filter((item) => this.slots.has(item.place)),
    ];
  }

  get isNumeric(): boolean {
    return this.#numbers !== null;
  }

  /** From above; as many as there is room for. */
  ticks(space: AxisSpace): AxisTick[] {
    const own = this.#numbers?.ticks(space.bottom - space.top) ?? [];
    const items = this.#items.map(({ place, label }) => ({ y: space.yOf(place), label }));
    const numbers = own.map(({ place, label }) => ({ y: space.yOf(this.#turned(place)), label }));
    const all = [...numbers, ...items].sort((a, b) => a.y - b.y);
    const kept: AxisTick[] = [];
    for (const tick of all) {
      if (tick.y - (kept.at(-1)?.y ?? Number.NEGATIVE_INFINITY) >= MIN_TICK_SPACE_PX - 1) {
        kept.push(tick);
      }
    }
    return kept;
  }

  /** What is selected between two heights: a range of numbers, or all categories and slots between them. */
  brushesAt({ top, bottom }: Span, space: AxisSpace): Brush[] {
    const values = this.#items.filter(({ place }) => space.yOf(place) >= top && space.yOf(place) <= bottom);
    const chosen: Brush[] = values.length > 0 ? [{ values: new Set(values.map(({ value }) => value)) }] : [];
    if (this.#numbers === null || bottom < space.top || top > space.bottom) {
      return chosen;
    }
    const ends = [top, bottom].map((y) => this.#numbers?.value(this.#turned(space.placeAt(y))) ?? 0);
    return [{ range: [Math.min(...ends), Math.max(...ends)] }, ...chosen];
  }

  /** Where a brush is, from above. Neighbors are one span. */
  spansOf(brush: Brush, space: AxisSpace): Span[] {
    if ("range" in brush) {
      const numbers = this.#numbers;
      if (numbers === null) {
        return [];
      }
      const place = (value: number) => Math.min(1, Math.max(0, numbers.place(value)));
      const ends = brush.range.map((value) => space.yOf(this.#turned(place(value))));
      return [{ top: Math.min(...ends), bottom: Math.max(...ends) }];
    }
    const spans: Span[] = [];
    let last = -2;
    this.#extents(space).forEach(({ y, half, value }, i) => {
      if (brush.values.has(value)) {
        const before = last === i - 1 ? spans.pop() : undefined;
        spans.push({ top: before?.top ?? y - half, bottom: y + half });
        last = i;
      }
    });
    return spans;
  }

  /** What a click selects at a height: the category or slot there; null where numbers are. */
  itemAt(y: number, space: AxisSpace): { readonly value: Value | undefined } | null {
    return this.#extents(space).find((item) => Math.abs(item.y - y) <= Math.max(item.half, 4)) ?? null;
  }

  /**
   * The brush that a key makes of the last one: a step up or down, or so much larger or smaller; without one, at the end that
   * the key comes from. `by` counts steps up.
   */
  moved(brush: Brush | null, by: number, resizes: boolean, space: AxisSpace): Brush | null {
    const numbers = this.#numbers;
    if (numbers !== null && (brush === null || "range" in brush)) {
      const [from, to] =
        brush === null
          ? by > 0
            ? [0, 0.25]
            : [0.75, 1]
          : brush.range.map((value) => this.#turned(numbers.place(value)));
      let [low, high] = [Math.min(from ?? 0, to ?? 0), Math.max(from ?? 0, to ?? 0)];
      if (brush !== null) {
        const step = resizes ? by * 0.05 : Math.min(1 - high, Math.max(-low, by * 0.05));
        [low, high] = [resizes ? low : low + step, Math.min(1, Math.max(low, high + step))];
      }
      const ends = [low, high].map((place) => numbers.value(this.#turned(place)));
      return { range: [Math.min(...ends), Math.max(...ends)] };
    }
    const items = [...this.#extents(space)].reverse();
    const chosen = items.flatMap(({ value }, i) =>
      brush !== null && "values" in brush && brush.values.has(value) ? [i] : [],
    );
    const last = items.length - 1;
    let [low, high] = chosen.length === 0 ? (by > 0 ? [0, 0] : [last, last]) : [chosen[0] ?? 0, chosen.at(-1) ?? 0];
    if (chosen.length > 0) {
      const step = resizes ? by : Math.min(last - high, Math.max(-low, by));
      [low, high] = [resizes ? low : low + step, Math.min(last, Math.max(low, high + step))];
    }
    return last < 0 ? null : { values: new Set(items.slice(low, high + 1).map(({ value }) => value)) };
  }

  /** A brush in words. */
  describe(brush: Brush): string {
    if ("range" in brush) {
      return strings.fromTo(formatExact(brush.range[0]), formatExact(brush.range[1]));
    }
    return strings.list(this.#items.filter(({ value }) => brush.values.has(value)).map(({ label }) => label));
  }

  /** Categories and slots from above, with half of what each takes. */
  #extents(space: AxisSpace): { readonly y: number; readonly half: number; readonly value: Value | undefined }[] {
    const categories = this.#items.length - this.slots.size;
    const half = Math.min(SLOT_PX / 2, (space.bottom - space.top) / Math.max(1, categories) / 2);
    const isSlot = (place: number) => SLOTS.includes(place);
    return this.#items
      .map(({ place, value }) => ({ y: space.yOf(place), half: isSlot(place) ? SLOT_PX / 2 - 2 : half, value }))
      .sort((a, b) => a.y - b.y);
  }

  #turned(place: number): number {
    return this.isFlipped ? 1 - place : place;
  }
}

export function labelOf(value: Value | undefined): string {
  return value === undefined ? texts.missing : typeof value === "number" ? formatExact(value) : String(value);
}

function sortedNumbers(values: Column["values"], rows: readonly number[]): Float64Array {
  const numbers = rows.map((row) => values[row]).filter((value) => typeof value === "number" && Number.isFinite(value));
  return Float64Array.from(numbers as number[]).sort();
}

/** From below: truth above falsehood, and texts in their order from above. */
function categoriesOf({ values, type }: Column, rows: readonly number[]): Value[] {
  const all = [...new Set(rows.flatMap((row) => values[row] ?? []))];
  if (type === "boolean") {
    return all.sort((a, b) => Number(a) - Number(b));
  }
  return all.sort((a, b) => compareNatural(String(b), String(a)));
}

function numberScale(sorted: Float64Array, name: Scale): NumberScale {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const distinct = distinctNumbers(sorted, MAX_DISTINCT);
  const even = name === "quantile" ? quantileScale(sorted) : axisScale(sorted, name, [least, most]);
  return {
    ...even,
    ticks: (length) => {
      if (sorted.length === 0) {
        return [];
      }
      const ends = distinct ?? (least === most ? [least] : [least, most]);
      const own = ends.map((value) => ({ place: even.place(value), label: formatExact(rounded(value)) }));
      const isRoomy = own.every(
        ({ place }, i) => i === 0 || (place - (own[i - 1]?.place ?? 0)) * length >= MIN_TICK_SPACE_PX,
      );
      if (distinct !== null && isRoomy) {
        return own;
      }
      // The ends are those of the data; other ticks are where there is room between them.
      const [first, last] = [own[0], own.at(-1)].filter((tick) => tick !== undefined);
      const inner = even
        .ticks(length)
        .filter(({ place }) => place * length > TICK_SPACE_PX / 2 && (1 - place) * length > TICK_SPACE_PX / 2);
      return [first, ...inner, last].filter((tick) => tick !== undefined);
    },
  };
}

/** The different numbers of a sorted list; null for more than `most`. */
function distinctNumbers(sorted: Float64Array, most: number): number[] | null {
  const found: number[] = [];
  for (const value of sorted) {
    if (value !== found.at(-1)) {
      found.push(value);
      if (found.length > most) {
        return null;
      }
    }
  }
  return found;
}

/** Without the noise of binary fractions: 0.30000000000000004 is 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

function axisScale(sorted: Float64Array, name: "linear" | "log", [least, most]: Range): NumberScale {
  const scale = name === "linear" ? LINEAR : least > 0 ? LOG : symlog(smallest(sorted, Math.max(-least, most)));
  const [from, to] = [scale.place(least), scale.place(most)];
  return {
    place: (value) => (to > from ? (scale.place(value) - from) / (to - from) : 0.5),
    // The ends exactly: rounding must not leave out the values there.
    value: (place) => (place <= 0 ? least : place >= 1 ? most : scale.value(from + place * (to - from))),
    ticks: (length) => {
      const axis = { kind: "number", scale } satisfies { kind: "number"; scale: AxisScale };
      const ticks = to > from ? ticksAlong(scale === LINEAR ? "number" : axis, [from, to], length, TICK_SPACE_PX) : [];
      return ticks.map(({ value, label }) => ({ place: (value - from) / (to - from), label }));
    },
  };
}

/** The smallest size that is not 0, within bounds. */
function smallest(sorted: Float64Array, most: number): number {
  let least = most || 1;
  for (const value of sorted) {
    if (value !== 0) {
      least = Math.min(least, Math.abs(value));
    }
  }
  return Math.max(least, most * SYMLOG_SHARE);
}

/** By rank: equal values share the middle one of theirs. */
function quantileScale(sorted: Float64Array): NumberScale {
  const values: number[] = [];
  const ranks: number[] = [];
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (sorted[to] === sorted[from]) {
      to += 1;
    }
    values.push(sorted[from] ?? 0);
    ranks.push((from + to - 1) / 2);
    from = to;
  }
  const [first = 0, last = 0] = [ranks[0], ranks.at(-1)];
  const places = ranks.map((rank) => (last > first ? (rank - first) / (last - first) : 0.5));
  const value = (place: number) => interpolated(places, values, place);
  return {
    place: (of) => interpolated(values, places, of),
    value,
    ticks: () => QUANTILES.map((place) => ({ place, label: formatExact(Number(value(place).toPrecision(4))) })),
  };
}

/** The value of `to` at `at` in the ascending `from`; between two of them, that on the line between them. */
function interpolated(from: readonly number[], to: readonly number[], at: number): number {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] as number) < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const [before, after] = [from[low - 1], from[low]];
  if (after === undefined || before === undefined || after === at) {
    return to[Math.min(low, to.length - 1)] ?? 0.5;
  }
  const share = (at - before) / (after - before);
  return (to[low - 1] as number) * (1 - share) + (to[low] as number) * share;
}
