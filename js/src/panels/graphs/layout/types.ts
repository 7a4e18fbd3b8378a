// Input and output of the layout: plain data that can be sent to a worker.

/** Where a box of an opened scope is drawn. As `Area` in tbwidget/graph/auxiliary.py. */
export const Area = { MAIN: 0, IN: 1, OUT: 2 } as const;

/** Meanings of the icons at a box's sides. */
export const MarkKind = { CONSTANT: 1, SUMMARY: 2, PARAMETER: 3, PLUMBING: 4, PARTNER: 5, MORE: 6 } as const;

/** Icons at boxes' sides, in columns: embedded nodes, and ends of edges that are not drawn as routes. */
export interface Marks {
  readonly count: number;
  /** Box beside which it is drawn. */
  readonly box: Int32Array;
  /** `MarkKind`. */
  readonly kind: Uint8Array;
  /** 0: on the side of its inputs (left), 1: of its outputs (right). */
  readonly side: Uint8Array;
  /** Inlined nodes: the node; PARTNER: the box at the other end; MORE: the number of icons left out. */
  readonly about: Int32Array;
  readonly label: readonly string[];
  /** Of PARTNER: 1 if only control edges lead there. */
  readonly control: Uint8Array;
}

/** Input of the layout: a view, with the boxes moved out of its main drawing. */
export interface LayoutInput {
  /** Boxes. A box stands behind its parent. */
  readonly count: number;
  readonly parent: Int32Array;
  readonly open: Uint8Array;
  /** `BoxKind`. */
  readonly kind: Uint8Array;
  readonly copies: Int32Array;
  /** 1 for stacks whose label says that the order inside is not shown. */
  readonly unordered: Uint8Array;
  readonly nodes: Int32Array;
  /** As they are to be written. */
  readonly label: readonly string[];
  /** Identifies each box across views, so that earlier layouts can be reused. */
  readonly path: readonly string[];
  /** `Area` of each box. */
  readonly area: Uint8Array;
  /** Bundles that are drawn as routes, by their number in the view, with their ends. */
  readonly bundle: Int32Array;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** 1 where all edges of the bundle are control edges. */
  readonly control: Uint8Array;
  /** Elements of the tensors of each bundle together. */
  readonly size: Float64Array;
  readonly marks: Marks;
}

/**
 * Routes of bundles, in columns: polylines between boxes. Where several bundles run together, they share one route.
 *
 * Its segments are parallel to an axis around a column of a wrapped chain, and within a rank. Others may be drawn as
 * curves with vertical ends.
 */
export interface Routes {
  readonly count: number;
  /** Box (or opened box whose border it begins or ends at) at either end; of a stretch that several share, of one of them. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** Route i has the points `start[i]` to `start[i + 1]`: x at `points[2 k]`, y at `points[2 k + 1]`. */
  readonly start: Int32Array;
  readonly points: Float32Array;
  /** Bundles of the view that are drawn along it: `bundles[bundleStart[i]]` to `bundles[bundleStart[i + 1] - 1]`. */
  readonly bundleStart: Int32Array;
  readonly bundles: Int32Array;
  /** 1 where it ends at the edge's target itself, which gets the arrow head. */
  readonly arrow: Uint8Array;
  /** 1 where it begins at the target of edges that lead back, which gets an arrow head there too. */
  readonly back: Uint8Array;
  /** How thick it is, by the tensors that it stands for and the room that it has: the argument of `strokeWidth`. */
  readonly level: Uint8Array;
  /** Units from its ends to the next ones beside them; Infinity where there are none. */
  readonly room: Float32Array;
}

/** Places of everything, in units of pixels at zoom 1. y grows downwards; data flows upwards, as in TensorBoard. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Left, top, width and height of each box, without the icons at its sides. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly w: Float32Array;
  readonly h: Float32Array;
  /** Height of the title bar of opened boxes, else 0. */
  readonly title: Float32Array;
  /** Left, top, width and height of each box's auxiliary area, then of the whole drawing's; zeros for none. */
  readonly auxiliary: Float32Array;
  /** Left, top and width of each mark; all are MARK_HEIGHT high. */
  readonly markX: Float32Array;
  readonly markY: Float32Array;
  readonly markW: Float32Array;
  readonly routes: Routes;
}

/** In layout units. */
export const MARK_HEIGHT = 12;

// Unit of the layout algorithm.

/** Boxes that hang together, with the ports of their scope that they are connected to. */
export interface Component {
  /** Boxes and ports: first the ports at the bottom, from left to right, then those at the top, then boxes. */
  readonly count: number;
  readonly bottom: number;
  readonly top: number;
  /** Edges in the direction of the data, each pair of ends once, none from a box to itself. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** 1 for edges that carry no data. */
  readonly control: Uint8Array;
  /** 1 for boxes and ports whose long edges may leave as one route, because they carry one tensor. */
  readonly single: Uint8Array;
  /** Of each the width and the height, where they are known and count for which stand above each other; else empty. */
  readonly width: Float64Array;
  readonly height: Float64Array;
}

// How thick routes are: by the size of the tensors that they stand for.

/** Number of route widths; few widths let alike routes share one path. */
export const LEVELS = 16;
/** Least and greatest width of a route, in layout units. */
const [MIN_WIDTH, MAX_WIDTH] = [0.75, 7];
/** Elements of a tensor that is drawn thickest; widths grow with this power of the number of elements. */
const MAX_ELEMENTS = 5e6;
const WIDTH_POWER = 0.3;
/** Largest share of the distance to the next route that a route fills. */
const MAX_ROOM_SHARE = 0.6;

/** Width of a route, in units of the layout. */
export function strokeWidth(level: number): number {
  return MIN_WIDTH + ((MAX_WIDTH - MIN_WIDTH) * level) / (LEVELS - 1);
}

export function levelOf(elements: number): number {
  const share = (Math.max(1, elements) ** WIDTH_POWER - 1) / (MAX_ELEMENTS ** WIDTH_POWER - 1);
  return Math.round(Math.min(1, share || 0) * (LEVELS - 1));
}

/** For tensors with so many elements together, but none that could not be told from its neighbors so far away. */
export function levelIn(room: number, elements: number): number {
  const share = (room * MAX_ROOM_SHARE - MIN_WIDTH) / (MAX_WIDTH - MIN_WIDTH);
  return Math.min(levelOf(elements), Math.floor(Math.max(0, Math.min(1, share)) * (LEVELS - 1)));
}

/** Width of a route whose tensors have this number of elements in total. */
export function thicknessOf(elements: number): number {
  return strokeWidth(levelOf(elements));
}
