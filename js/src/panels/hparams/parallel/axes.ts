// The axes of parallel coordinates: where each value is, which values have a tick, and which a brush selects.

import { formatExact, formatRange, NOT_A_NUMBER } from "../../../lib/format";
import { sharedStart, shortened } from "../../../lib/names";
import { compareNatural } from "../../../lib/natural";
import type { Range } from "../../../lib/search";
import { isSameList } from "../../../lib/sortrows";
import { listOf } from "../../../lib/texts";
import type { Column, Value } from "../columns";
import { MIN_TICK_SPACE_PX, type NumberScale, numberScale, sortedNumbers } from "../numberscale";
import type { Scale } from "../options";
import type { Brush } from "../sessions";
import { parallelTexts } from "./texts";

/** Places of values that an axis of numbers has none for: rows of their own above and below the axis. */
const [HIGH, LOW, NAN, MISSING] = [2, -1, -2, -3];

/** Slots from above; the axis itself is behind the first. */
const SLOTS = [HIGH, LOW, NAN, MISSING];

/** CSS pixels: of a slot as a rule, and around everything. */
const MAX_SLOT_PX = 22;
const PADDING_PX = 10;

/** Characters that all categories begin with are left out of their labels, up to a slash or a dot. */
const SHARED_LIMITS = { short: 10, start: 4, folders: 4, middle: 0, end: 0 } as const;

export interface AxisTick {
  /** CSS pixels from above. */
  readonly y: number;
  readonly label: string;
}

/** The selection between two heights, in CSS pixels from above. */
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
  /** CSS pixels of a slot. In a small plot, an axis is at least as high as a slot. */
  readonly slotPx: number;

  constructor(axes: readonly ParallelAxis[], height: number) {
    this.height = height;
    this.#slots = SLOTS.filter((slot) => axes.some((axis) => axis.slots.has(slot)));
    const above = this.#slots.includes(HIGH) ? 1 : 0;
    const inner = height - 2 * PADDING_PX;
    this.slotPx = Math.max(1, Math.min(MAX_SLOT_PX, inner / (this.#slots.length + 1)));
    this.top = PADDING_PX + above * this.slotPx;
    this.bottom = Math.max(this.top + 1, height - PADDING_PX - (this.#slots.length - above) * this.slotPx);
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
      return this.top - this.slotPx;
    }
    const below = this.#slots.filter((slot) => slot !== HIGH);
    return this.bottom + this.slotPx * (below.indexOf(place) + 1);
  }

  placeAt(y: number): number {
    return Math.min(1, Math.max(0, (this.bottom - y) / (this.bottom - this.top)));
  }
}

/** Something at one place that is selected as a whole: a category, or the values of a slot. */
interface Item {
  readonly place: number;
  readonly label: string;
  /** Its label on the axis. */
  readonly tick: string;
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
    this.#numbers = isNumeric ? numberScale(sortedNumbers(rows.map((row) => values[row])), scale) : null;
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
    const slot = (at: number, label: string, value?: Value): Item => ({ place: at, label, tick: label, value });
    const infinity = (high: boolean): Item => {
      const value = high === isFlipped ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      return slot(high ? HIGH : LOW, formatExact(value), value);
    };
    const slots: Item[] = [
      infinity(true),
      infinity(false),
      slot(NAN, NOT_A_NUMBER, Number.NaN),
      slot(MISSING, parallelTexts().missing),
    ];
    const shared = sharedStart(
      categories.map((value) => labelOf(value).replaceAll(".", "/")),
      SHARED_LIMITS,
    );
    this.#items = [
      ...[...placed].map(([value, at]) => {
        const label = labelOf(value);
        return { place: at, label, tick: shortened(label, shared), value };
      }),
      ...slots.filter((item) => this.slots.has(item.place)),
    ];
  }

  get isNumeric(): boolean {
    return this.#numbers !== null;
  }

  /** The number at a place from 0 below to 1 above; null for categories. */
  numberAt(place: number): number | null {
    return this.#numbers?.value(this.#turned(place)) ?? null;
  }

  /** From above; as many as there is room for. */
  ticks(space: AxisSpace): AxisTick[] {
    const all = this.allTicks(space, false);
    const kept: AxisTick[] = [];
    for (const tick of all) {
      if (tick.y - (kept.at(-1)?.y ?? Number.NEGATIVE_INFINITY) >= MIN_TICK_SPACE_PX - 1) {
        kept.push(tick);
      }
    }
    return kept;
  }

  /** All of them from above, whether there is room for their labels or not. `isAcross`: these stand side by side. */
  allTicks(space: AxisSpace, isAcross: boolean): AxisTick[] {
    const own = this.#numbers?.ticks(space.bottom - space.top, isAcross) ?? [];
    const items = this.#items.map(({ place, tick }) => ({ y: space.yOf(place), label: tick }));
    const numbers = own.map(({ place, label }) => ({ y: space.yOf(this.#turned(place)), label }));
    return [...numbers, ...items].sort((a, b) => a.y - b.y);
  }

  /** The selection between two heights: a range of numbers, or all categories and slots between them. */
  brushesAt({ top, bottom }: Span, space: AxisSpace): Brush[] {
    const values = this.#items.filter(({ place }) => space.yOf(place) >= top && space.yOf(place) <= bottom);
    const chosen: Brush[] = values.length > 0 ? [{ values: new Set(values.map(({ value }) => value)) }] : [];
    if (this.#numbers === null || bottom < space.top || top > space.bottom) {
      return chosen;
    }
    const ends = [top, bottom].map((y) => this.#boundAt(space.placeAt(y)));
    return [{ range: [Math.min(...ends), Math.max(...ends)] }, ...chosen];
  }

  /** Where a brush is, from above. Neighbors are one span. */
  spansOf(brush: Brush, space: AxisSpace): Span[] {
    if ("range" in brush) {
      if (this.#numbers === null) {
        return [];
      }
      const ends = brush.range.map((bound) => space.yOf(this.#placeOf(bound)));
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

  /** The category or slot that a click at a height selects; null where numbers are. */
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
        brush === null ? (by > 0 ? [0, 0.25] : [0.75, 1]) : brush.range.map((bound) => this.#placeOf(bound));
      let [low, high] = [Math.min(from ?? 0, to ?? 0), Math.max(from ?? 0, to ?? 0)];
      if (brush !== null) {
        const step = resizes ? by * 0.05 : Math.min(1 - high, Math.max(-low, by * 0.05));
        [low, high] = [resizes ? low : low + step, Math.min(1, Math.max(low, high + step))];
      }
      const ends = [low, high].map((place) => this.#boundAt(place));
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
      return rangeText(brush.range, formatExact);
    }
    return listOf(this.#items.filter(({ value }) => brush.values.has(value)).map(({ label }) => label));
  }

  /** Categories and slots from above, with half of what each takes. */
  #extents(space: AxisSpace): { readonly y: number; readonly half: number; readonly value: Value | undefined }[] {
    const categories = this.#items.length - this.slots.size;
    const half = Math.min(MAX_SLOT_PX / 2, (space.bottom - space.top) / Math.max(1, categories) / 2);
    const isSlot = (place: number) => SLOTS.includes(place);
    return this.#items
      .map(({ place, value }) => ({ y: space.yOf(place), half: isSlot(place) ? 0.4 * space.slotPx : half, value }))
      .sort((a, b) => a.y - b.y);
  }

  /** The bound of a range at a place; infinite at an end of the axis, where the range is open. */
  #boundAt(place: number): number {
    const own = this.#turned(place);
    return own <= 0
      ? Number.NEGATIVE_INFINITY
      : own >= 1
        ? Number.POSITIVE_INFINITY
        : (this.#numbers?.value(own) ?? Number.NaN);
  }

  /** The place of a bound of a range, within the axis. */
  #placeOf(bound: number): number {
    const own = Number.isFinite(bound) ? (this.#numbers?.place(bound) ?? 0) : Number(bound > 0);
    return this.#turned(Math.min(1, Math.max(0, own)));
  }

  #turned(place: number): number {
    return this.isFlipped ? 1 - place : place;
  }
}

/** Keeps the axis of a column as long as it would be made of the same. */
export class AxisCache {
  readonly #known = new Map<string, { readonly by: readonly unknown[]; readonly axis: ParallelAxis }>();

  of(...by: ConstructorParameters<typeof ParallelAxis>): ParallelAxis {
    const [{ key }] = by;
    let known = this.#known.get(key);
    if (known === undefined || !isSameList(known.by, by)) {
      known = { by, axis: new ParallelAxis(...by) };
      this.#known.set(key, known);
    }
    return known.axis;
  }
}

/** A range of numbers in words; infinite bounds are open. */
export function rangeText([from, to]: Range, format: (bound: number) => string): string {
  const [isLow, isHigh] = [Number.isFinite(from), Number.isFinite(to)];
  return isLow && isHigh
    ? formatRange(format(from), format(to))
    : isLow
      ? parallelTexts().atLeast(format(from))
      : isHigh
        ? parallelTexts().atMost(format(to))
        : parallelTexts().anyNumber;
}

export function labelOf(value: Value | undefined): string {
  return value === undefined ? parallelTexts().missing : typeof value === "number" ? formatExact(value) : String(value);
}

/** From below: numbers, which rise as on an axis of numbers; falsehood and truth; texts, in natural order from above. */
function categoriesOf({ values }: Column, rows: readonly number[]): Value[] {
  const all = [...new Set(rows.flatMap((row) => values[row] ?? []))];
  const typed = <T extends Value>(type: string) => all.filter((value): value is T => typeof value === type);
  return [
    ...Float64Array.from(typed<number>("number")).sort(),
    ...typed<boolean>("boolean").sort(),
    ...typed<string>("string").sort((a, b) => compareNatural(b, a)),
  ];
}
