// Input and output of the layout: plain data that can be sent to a worker.

/** Where a box of an opened scope is drawn. As `Area` in tbwidget/graph/auxiliary.py. */
export const Area = { MAIN: 0, IN: 1, OUT: 2 } as const;

/** Meanings of the icons at a box's sides. */
export const MarkKind = { CONSTANT: 1, SUMMARY: 2, PARAMETER: 3, PLUMBING: 4, PARTNER: 5, MORE: 6 } as const;

/** Icons at boxes' sides, in columns: embedded nodes, and ends of edges that are not drawn as lines. */
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
  /** Groups of edges that are drawn as lines, by their number in the view, with their ends. */
  readonly group: Int32Array;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** 1 where all edges of the group are control edges. */
  readonly control: Uint8Array;
  /** Elements of the tensors of each group together. */
  readonly size: Float64Array;
  readonly marks: Marks;
}

/**
 * Lines between boxes, in columns. Several groups of edges may share a line on a part of their way.
 *
 * A line is straight along an axis where it turns around a column of a wrapped chain, and where it passes a rank;
 * between two points that differ in both, it may be drawn as a curve that is vertical at either end.
 */
export interface Lines {
  readonly count: number;
  /** Box (or opened box whose border it begins or ends at) at either end; of a stretch that several share, of one of them. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** Line i has the points `start[i]` to `start[i + 1]`: x at `points[2 k]`, y at `points[2 k + 1]`. */
  readonly start: Int32Array;
  readonly points: Float32Array;
  /** Groups of edges of the view that it is a part of the way of: `groups[groupStart[i]]` to `groups[groupStart[i + 1] - 1]`. */
  readonly groupStart: Int32Array;
  readonly groups: Int32Array;
  /** 1 where it ends at the edge's target itself, which gets the arrow head. */
  readonly arrow: Uint8Array;
  /** 1 where it begins at the target of edges that lead back, which gets an arrow head there too. */
  readonly back: Uint8Array;
  /** How thick it is, by the tensors that it stands for and the room that it has: the argument of `lineWidth`. */
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
  readonly lines: Lines;
}

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
  /** 1 for boxes and ports whose long edges may leave as one line, because they carry one tensor. */
  readonly single: Uint8Array;
  /** Of each the width and the height, where they are known and count for which stand above each other; else empty. */
  readonly width: Float64Array;
  readonly height: Float64Array;
}

// How thick lines are: by the size of the tensors that they stand for.

/** Number of line widths; few widths let alike lines share one path. */
export const LEVELS = 16;
const [THINNEST, THICKEST] = [0.75, 7];
/** Elements of a tensor that is drawn thickest; widths grow with this power of the number of elements. */
const MAX_ELEMENTS = 5e6;
const POWER = 0.3;
/** Largest share of the distance to the next line that a line fills. */
const SHARE_OF_ROOM = 0.6;

/** Width of a line, in units of the layout. */
export function lineWidth(level: number): number {
  return THINNEST + ((THICKEST - THINNEST) * level) / (LEVELS - 1);
}

export function levelOf(elements: number): number {
  const share = (Math.max(1, elements) ** POWER - 1) / (MAX_ELEMENTS ** POWER - 1);
  return Math.round(Math.min(1, share || 0) * (LEVELS - 1));
}

/** For tensors with so many elements together, but none that could not be told from its neighbors so far away. */
export function levelIn(room: number, elements: number): number {
  const share = (room * SHARE_OF_ROOM - THINNEST) / (THICKEST - THINNEST);
  return Math.min(levelOf(elements), Math.floor(Math.max(0, Math.min(1, share)) * (LEVELS - 1)));
}

/** Width of a line whose tensors have this number of elements in total. */
export function thicknessOf(elements: number): number {
  return lineWidth(levelOf(elements));
}
