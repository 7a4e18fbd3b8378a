// The scene of the stage: its points with their layers, labels and pictures.

import { boundsOf, fitTo, type Orbit, type Vector, type View } from "../../charts/orbit";
import type { Groups } from "./coloring";

/** Points in a projection, ready to be drawn. */
export interface Scene {
  /** Names the projection: another one has another camera. */
  readonly key: string;
  /** x, y and, in three dimensions, z. */
  readonly planes: readonly Float32Array[];
  readonly extent: Extent;
  readonly layers: Uint8Array;
  /** Points that are drawn. */
  readonly drawn: number;
  readonly colors: Int32Array;
  /** Names of clusters and where they are. */
  readonly clusters: readonly Cluster[];
  /** Whether some points stand out, so that names of clusters step back. */
  readonly isLit: boolean;
  /** Points with a ring around each. */
  readonly rings: readonly number[];
  /** Names of points; null for none. */
  readonly labelOf: ((point: number) => string) | null;
  /** Names of the axes. */
  readonly axes: readonly string[];
  /** The point whose neighbors are shown, and these. */
  readonly spokes: { readonly point: number; readonly neighbors: readonly number[] } | null;
}

/** Where the shown points are, without a few that are far from all others. */
export interface Extent {
  readonly least: Vector;
  readonly largest: Vector;
  /** Radius of the sphere around all of them. */
  readonly radius: number;
  /** Points that are outside of it. */
  readonly outside: number;
}

/** Points from which on single ones may be outside, and the share that may be so at each end of an axis. */
const MIN_TRIMMED = 20;
const TRIMMED_SHARE = 0.005;

/** Smallest ratio of the range of all points to the range of most at which the others count as outside. */
const MIN_RANGE_RATIO = 3;
/** Margin around the points that are not outside, as a share of their range. */
const MARGIN = 0.15;

/** Points that quantiles are computed of. */
const MAX_QUANTILE_SAMPLE = 20_000;

/**
 * Whether a point is the one of `stride` that a sample has. Its place among them has no period: where classes are written in
 * turn, every fiftieth point may be of a single class.
 */
function isSampled(i: number, stride: number): boolean {
  const block = Math.floor(i / stride);
  const share = (Math.imul(block, 0x9e3779b1) >>> 0) / 2 ** 32;
  return i - block * stride === Math.floor(share * stride);
}

/** `shown`: 0 for points that do not count; null: all do. `isWhole`: no point is outside. */
export function extentOf(planes: readonly Float32Array[], shown: Uint8Array | null, isWhole = false): Extent {
  const own = shown === null ? planes : planes.map((plane) => plane.filter((_, i) => shown[i] !== 0));
  const [least, largest] = (
    boundsOf(own) ?? [
      [0, 0, 0],
      [0, 0, 0],
    ]
  ).map((ends) => [...ends]) as [[number, number, number], [number, number, number]];
  for (const [axis, plane] of isWhole ? [] : own.entries()) {
    const stride = Math.ceil(plane.length / MAX_QUANTILE_SAMPLE);
    const sorted = plane.filter((value, i) => isSampled(i, stride) && Number.isFinite(value)).sort();
    const cut = Math.ceil(TRIMMED_SHARE * sorted.length);
    const [low, high] = [sorted[cut] as number, sorted[sorted.length - 1 - cut] as number];
    const range = high - low;
    if (
      sorted.length >= MIN_TRIMMED &&
      range > 0 &&
      (largest[axis] as number) - (least[axis] as number) > MIN_RANGE_RATIO * range
    ) {
      least[axis] = Math.max(least[axis] as number, low - MARGIN * range);
      largest[axis] = Math.min(largest[axis] as number, high + MARGIN * range);
    }
  }
  const middle = own.map((_, axis) => ((least[axis] as number) + (largest[axis] as number)) / 2);
  let [square, outside] = [0, 0];
  for (let i = 0; i < (own[0]?.length ?? 0); i += 1) {
    let apart = 0;
    let isOutside = false;
    for (let axis = 0; axis < own.length; axis += 1) {
      const value = (own[axis] as Float32Array)[i] as number;
      apart += (value - (middle[axis] as number)) ** 2;
      isOutside ||= value < (least[axis] as number) || value > (largest[axis] as number);
    }
    if (isOutside) {
      outside += 1;
    } else if (apart > square) {
      square = apart;
    }
  }
  return { least, largest, radius: Math.sqrt(square), outside };
}

/** Share of the shorter side of the stage that the sphere around all points takes. */
const FITTED = 0.96;

/** The camera that shows all points; in three dimensions, however they are turned. */
export function wholeOrbit(
  { planes, extent }: Pick<Scene, "planes" | "extent">,
  size: View,
  rotation: Orbit["rotation"],
): Orbit {
  const fitted = fitTo({ rotation, eye: null }, [extent.least, extent.largest], size);
  return planes.length > 2 && extent.radius > 0 ? { ...fitted, scale: FITTED / (2 * extent.radius) } : fitted;
}

/** A category, and the middle of its points. */
export interface Cluster {
  readonly text: string;
  readonly count: number;
  readonly at: readonly number[];
}

/** The choices that decide how points are drawn. */
export interface Choice {
  /** 1 for points that pass the filters; null: all do. */
  readonly passing: Uint8Array | null;
  readonly isolated: ReadonlySet<number> | null;
  /** Points that stand out; null: none does. */
  readonly lit: { has(point: number): boolean } | null;
}

/** The layers of `Dots`, and how many points are drawn. A point without a place is not. */
export function layersOf(
  planes: readonly Float32Array[],
  { passing, isolated, lit }: Choice,
): { readonly layers: Uint8Array; readonly drawn: number } {
  const count = planes[0]?.length ?? 0;
  const layers = new Uint8Array(count);
  let drawn = 0;
  for (let i = 0; i < count; i += 1) {
    if (passing?.[i] !== 0 && isolated?.has(i) !== false && planes.every((plane) => Number.isFinite(plane[i]))) {
      layers[i] = lit === null ? 2 : lit.has(i) ? 3 : 1;
      drawn += 1;
    }
  }
  return { layers, drawn };
}

/** Points of a category that its middle is computed of, at most. */
const MAX_SAMPLE = 400;

/** A category is not named where its points are spread almost as far as all are: its middle means nothing. */
const MAX_SPREAD = 0.85;

/** The middles of the categories among the drawn points: medians, which few far points do not move. */
export function clustersOf(groups: Groups | null, planes: readonly Float32Array[], layers: Uint8Array): Cluster[] {
  if (groups?.sort !== "categories") {
    return [];
  }
  const members = groups.categories.map((): number[] => []);
  for (let i = 0; i < layers.length; i += 1) {
    if (layers[i] !== 0) {
      members[groups.groups[i] as number]?.push(i);
    }
  }
  const whole = spreadOf(planes, members.flat());
  const several = members.filter((all) => all.length > 0).length > 1;
  return groups.categories.flatMap(({ text }, group): Cluster[] => {
    const all = members[group] as number[];
    if (text === null || all.length === 0) {
      return [];
    }
    const { at, spread } = spreadOf(planes, all);
    return several && all.length > 1 && spread > MAX_SPREAD * whole.spread ? [] : [{ text, count: all.length, at }];
  });
}

/** The middle of some points, and how far they are from it: medians along each axis. */
function spreadOf(planes: readonly Float32Array[], points: readonly number[]) {
  const stride = Math.ceil(points.length / MAX_SAMPLE);
  const sample = points.filter((_, i) => isSampled(i, stride));
  const at = planes.map((plane) => median(Float64Array.from(sample, (i) => plane[i] as number)));
  const away = planes.map((plane, axis) =>
    median(Float64Array.from(sample, (i) => Math.abs((plane[i] as number) - (at[axis] as number)))),
  );
  return { at, spread: Math.hypot(...away) };
}

function median(values: Float64Array): number {
  values.sort();
  const half = values.length / 2;
  return ((values[Math.ceil(half) - 1] as number) + (values[Math.floor(half)] as number)) / 2;
}

/** A place on the stage for a picture, in pixels. */
export interface SpritePlace {
  readonly point: number;
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Largest number of visible points for which pictures are placed. */
const MAX_CANDIDATES = 20_000;

/** Share of the stage that pictures take about, where all points have one. */
const PICTURED = 0.6;

/**
 * Places of pictures, all of one size from `least` to `most` pixels a side; none overlaps another. Points that stand out come
 * first. The others are dots.
 */
export function spritePlaces(
  places: Float32Array,
  layers: Uint8Array,
  size: { readonly width: number; readonly height: number },
  least: number,
  most: number,
): SpritePlace[] {
  const count = layers.length;
  const candidates: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const [x, y] = [places[i] as number, places[count + i] as number];
    if ((layers[i] as number) > 1 && x > -most && y > -most && x < size.width + most && y < size.height + most) {
      candidates.push(i);
      if (candidates.length > MAX_CANDIDATES) {
        return [];
      }
    }
  }
  const even = Math.sqrt((PICTURED * size.width * size.height) / Math.max(1, candidates.length));
  const side = Math.floor(Math.max(least, Math.min(most, even)));
  const across = Math.ceil((size.width + 2 * most) / side) + 3;
  const cells = new Map<number, SpritePlace>();
  const found: SpritePlace[] = [];
  candidates.sort((a, b) => (layers[b] as number) - (layers[a] as number) || a - b);
  for (const point of candidates) {
    const [x, y] = [places[point] as number, places[count + point] as number];
    const cell = (Math.floor(y / side) + 3) * across + Math.floor(x / side) + 3;
    // A cell is as large as a picture, so that it has the middle of one at most.
    const isFree = [-across, 0, across].every((row) =>
      [-1, 0, 1].every((column) => {
        const other = cells.get(cell + row + column);
        return other === undefined || Math.max(Math.abs(other.x - x), Math.abs(other.y - y)) >= side;
      }),
    );
    if (isFree) {
      const place = { point, x, y, side };
      cells.set(cell, place);
      found.push(place);
    }
  }
  return found;
}

/** A label that is placed, by its upper left corner. */
export interface PlacedLabel {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

interface Wanted {
  readonly text: string;
  readonly width: number;
  /** Its middle; other places are tried after it. */
  readonly tries: readonly (readonly [x: number, y: number])[];
}

/** Edges of a rectangle on the stage. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Places labels without overlap, earlier ones first, and none on a taken box. Labels that do not fit are left out. */
export function placeLabels(wanted: Iterable<Wanted>, height: number, taken: readonly Box[]): PlacedLabel[] {
  const boxes = [...taken];
  const placed: PlacedLabel[] = [];
  for (const { text, width, tries } of wanted) {
    for (const [x, y] of tries) {
      const [left, top, right, bottom] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
      if (boxes.every(([l, t, r, b]) => right < l || left > r || bottom < t || top > b)) {
        boxes.push([left, top, right, bottom]);
        placed.push({ text, left, top });
        break;
      }
    }
  }
  return placed;
}
