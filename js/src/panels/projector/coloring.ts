// The colors of points: by a column's categories, or by its numbers along a scale.

import { packed } from "../../charts/raster";
import { rgbOf } from "../../charts/theme";
import { runColor, scaleColor } from "../../lib/colors";
import { compareNatural } from "../../lib/natural";
import { noColor, type Theme } from "../../lib/tokens";
import type { Column } from "./codec";

/** Values up to which each has a color of its own; with more, the rarest share one. The palette of runs has as many. */
export const MAX_CATEGORIES = 50;

/** Values up to which any column is one of classes. With more, most are repeated, and numbers are whole. */
const FEW_VALUES = 20;
const MIN_POINTS_PER_CLASS = 2;

/** Average number of points per text from which any number of texts are classes. */
const MIN_POINTS_OF_MANY = 5;

/** Steps of a scale of numbers. */
const SCALE_STEPS = 64;

/** A category of points. */
export interface Category {
  /** Null for all values that have no color of their own. */
  readonly text: string | null;
  readonly count: number;
}

/** How a column divides points, whatever the colors are. */
export type Groups =
  | {
      readonly sort: "categories";
      readonly column: Column;
      readonly categories: readonly Category[];
      /** The group of each point; `NO_GROUP` without a value. */
      readonly groups: Uint8Array;
      /** Values that share the last category; 0 where each has its own. */
      readonly others: number;
    }
  | { readonly sort: "numbers"; readonly column: Column; readonly least: number; readonly most: number };

export const NO_GROUP = 255;

const known = new WeakMap<Column, Groups>();

/** How a column divides points: by its values where they are few, or are texts. */
export function groupsOf(column: Column): Groups {
  let found = known.get(column);
  if (found === undefined) {
    found = divided(column);
    known.set(column, found);
  }
  return found;
}

function divided(column: Column): Groups {
  if (column.sort === "text") {
    return categoriesOf(column, column.codes, column.values);
  }
  const { numbers } = column;
  const places = new Map<number, number>();
  const codes = new Uint32Array(numbers.length);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isWhole = true;
  const isFew = () => places.size <= (isWhole ? MAX_CATEGORIES : FEW_VALUES);
  for (let i = 0; i < numbers.length; i += 1) {
    const value = numbers[i] as number;
    if (value < least) {
      least = value;
    }
    if (value > most) {
      most = value;
    }
    isWhole &&= Number.isInteger(value) || Number.isNaN(value);
    if (isFew()) {
      const place = places.get(value) ?? places.size;
      places.set(value, place);
      codes[i] = place;
    }
  }
  if (!isFew() || !areClasses(places.size, numbers.length)) {
    return { sort: "numbers", column, least, most };
  }
  const values = [...places.keys()].map((value) => (Number.isNaN(value) ? "" : String(value)));
  return categoriesOf(column, codes, values);
}

/** Whether a number of different values over a number of points are classes, rather than names or measures. */
function areClasses(values: number, points: number): boolean {
  return values <= FEW_VALUES || (values <= MAX_CATEGORIES && points >= MIN_POINTS_PER_CLASS * values);
}

function categoriesOf(column: Column, codes: Uint32Array, values: readonly string[]): Groups {
  const counts = new Uint32Array(values.length);
  for (const code of codes) {
    (counts[code] as number) += 1;
  }
  // The most frequent values, in one pass: there may be as many values as points. Among equally frequent ones the first stay.
  const own: number[] = [];
  let [others, otherPoints] = [0, 0];
  const isUsed = (code: number) => counts[code] !== 0 && values[code] !== "";
  let used = 0;
  for (let code = 0; code < values.length; code += 1) {
    used += isUsed(code) ? 1 : 0;
  }
  const most = used > MAX_CATEGORIES ? MAX_CATEGORIES - 1 : MAX_CATEGORIES;
  for (let code = 0; code < values.length; code += 1) {
    if (!isUsed(code)) {
      continue;
    }
    const count = counts[code] as number;
    let at = own.length;
    while (at > 0 && (counts[own[at - 1] as number] as number) < count) {
      at -= 1;
    }
    own.splice(at, 0, code);
    const left = own.length > most ? own.pop() : undefined;
    if (left !== undefined) {
      others += 1;
      otherPoints += counts[left] as number;
    }
  }
  own.sort((a, b) => compareNatural(values[a] as string, values[b] as string));
  const groupOf = new Uint8Array(values.length).fill(NO_GROUP);
  for (let code = 0; code < values.length && others > 0; code += 1) {
    groupOf[code] = isUsed(code) ? own.length : NO_GROUP;
  }
  for (const [group, code] of own.entries()) {
    groupOf[code] = group;
  }
  const categories: Category[] = own.map((code) => ({ text: values[code] as string, count: counts[code] as number }));
  if (others > 0) {
    categories.push({ text: null, count: otherPoints });
  }
  const groups = Uint8Array.from(codes, (code) => groupOf[code] as number);
  return { sort: "categories", column, categories, groups, others };
}

function isOfClasses(column: Column): boolean {
  const groups = groupsOf(column);
  return (
    groups.sort === "categories" &&
    groups.categories.length > 1 &&
    areClasses(groups.categories.length + groups.others, groups.groups.length)
  );
}

/** Tells whether a column has more classes than colors. */
function isOfMany(column: Column): boolean {
  const groups = column.sort === "text" ? groupsOf(column) : null;
  return (
    groups?.sort === "categories" &&
    groups.others > 0 &&
    groups.groups.length >= MIN_POINTS_OF_MANY * (groups.categories.length + groups.others)
  );
}

const TRUTHS = ["true", "false", "yes", "no", ""];

/** Tells whether a column has truth values, which divide points but name none. */
function isBoolean(column: Column): boolean {
  return (
    column.sort === "text" &&
    column.values.length < 4 &&
    column.values.every((one) => TRUTHS.includes(one.toLowerCase()))
  );
}

/** The column of a name; null where none is chosen, and undefined where the card has none of this name. */
function chosenColumn(columns: readonly Column[], chosen: string | null): Column | null | undefined {
  return chosen === "" ? null : columns.find(({ name }) => name === chosen);
}

/**
 * The column to color by: the chosen one, or the first one of classes, or one of more classes than colors, or of truth values;
 * null for none. Another card of the board may have the chosen column where this one has not.
 */
export function colorColumn(columns: readonly Column[], chosen: string | null): Column | null {
  const own = chosenColumn(columns, chosen);
  if (own !== undefined) {
    return own;
  }
  const classes = columns.filter(isOfClasses);
  return classes.find((column) => !isBoolean(column)) ?? columns.find(isOfMany) ?? classes[0] ?? null;
}

/** The column that names points: the chosen one, or one of many texts, or any of texts, or the classes; null for none. */
export function labelColumn(columns: readonly Column[], chosen: string | null): Column | null {
  const own = chosenColumn(columns, chosen);
  if (own !== undefined) {
    return own;
  }
  const texts = columns.filter((column) => column.sort === "text" && !isBoolean(column));
  const names = texts.find((column) => column.sort === "text" && column.values.length > FEW_VALUES);
  const classes = colorColumn(columns, null);
  return names ?? texts[0] ?? (classes === null || isBoolean(classes) ? null : classes);
}

/** Points of a class, on average, from which on its name stands for them. */
const MIN_NAMED_POINTS = 3;

/** The column whose classes are named on the stage: the coloring one, else the labels'; null for none. */
export function clusterColumn(colored: Column | null, labels: Column | null): Column | null {
  if (colored !== null && groupsOf(colored).sort === "categories") {
    return colored;
  }
  const groups = labels === null ? null : groupsOf(labels);
  return groups?.sort === "categories" &&
    groups.groups.length >= MIN_NAMED_POINTS * (groups.categories.length + groups.others)
    ? labels
    : null;
}

/** As #rrggbb. */
export function categoryColor(groups: Extract<Groups, { sort: "categories" }>, group: number, theme: Theme): string {
  return groups.categories[group]?.text == null ? noColor[theme] : runColor(group, theme);
}

/** The color of each point, packed as a raster has it. */
export function pointColors(groups: Groups | null, count: number, theme: Theme, plain: string): Int32Array {
  const colors = new Int32Array(count);
  if (groups === null) {
    return colors.fill(packed(rgbOf(plain)));
  }
  const none = packed(rgbOf(noColor[theme]));
  if (groups.sort === "categories") {
    const table = new Int32Array(NO_GROUP + 1).fill(none);
    for (const group of groups.categories.keys()) {
      table[group] = packed(rgbOf(categoryColor(groups, group, theme)));
    }
    for (let i = 0; i < count; i += 1) {
      colors[i] = table[groups.groups[i] as number] as number;
    }
    return colors;
  }
  const { column, least, most } = groups;
  const table = Int32Array.from({ length: SCALE_STEPS }, (_, i) =>
    packed(rgbOf(scaleColor(i / (SCALE_STEPS - 1), theme))),
  );
  const numbers = column.sort === "number" ? column.numbers : new Float64Array(count);
  const factor = most > least ? (SCALE_STEPS - 1) / (most - least) : 0;
  for (let i = 0; i < count; i += 1) {
    const value = numbers[i] as number;
    colors[i] = Number.isNaN(value) ? none : (table[Math.round((value - least) * factor)] as number);
  }
  return colors;
}
