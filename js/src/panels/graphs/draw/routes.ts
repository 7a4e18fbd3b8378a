// Routes between boxes: curves along their points, with an arrow head where the data arrive.

import { LEVELS, type Routes, strokeWidth } from "../layout/types";
import { edgeStyle } from "./edgestyles";
import { CANVAS_MARGIN_PX, type Frame, type Pen } from "./frame";
import { type Prepared, Tone } from "./scene";

/** Most routes that are stroked as one path: a path is sorted as a whole, so that longer ones cost more. */
const MAX_PATH_ROUTES = 60;
/** Least zoom, in CSS pixels per layout unit, at which routes are curves and have heads. */
const MIN_CURVED_ZOOM = 0.3;
/** A shorter route connects boxes that are smaller than pixels, in canvas pixels. */
const MIN_ROUTE_PX = 1.5;
/** Widths of routes in CSS pixels: thinner ones would be pale. */
const MIN_WIDTH_PX = 0.75;
const MAX_WIDTH_PX = 5;
/** Length of an arrow head in layout units, and the share of the route's width added to it. */
const HEAD_LENGTH = 5;
const HEAD_LENGTH_PER_WIDTH = 1.5;
/** Their width, as a share of their length, and at most this share of the distance to the next route. */
const HEAD_WIDTH = 0.9;
const MAX_ROOM_SHARE = 0.95;
/** How far a curve goes straight out of a box, as a share of the distance to its next point. */
const UPRIGHT_SHARE = 0.45;
/** Largest radius of a bend, in layout units. */
const MAX_BEND_RADIUS = 30;

/** The least and greatest x and y of the points of each route: left, top, right, bottom. */
export function boundsOf({ count, start, points }: Routes): Float32Array {
  const bounds = new Float32Array(4 * count);
  for (let route = 0; route < count; route++) {
    // Plain variables: this runs over all routes before it was compiled well.
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    for (let i = start[route] as number; i < (start[route + 1] as number); i++) {
      const x = points[2 * i] as number;
      const y = points[2 * i + 1] as number;
      left = x < left ? x : left;
      right = x > right ? x : right;
      top = y < top ? y : top;
      bottom = y > bottom ? y : bottom;
    }
    bounds[4 * route] = left;
    bounds[4 * route + 1] = top;
    bounds[4 * route + 2] = right;
    bounds[4 * route + 3] = bottom;
  }
  return bounds;
}

/** Routes that may be seen, in the order in which they are drawn. */
export function visibleRoutes(frame: Frame, bounds: Float32Array): Int32Array {
  const { k, dx, dy, width, height, prepared } = frame;
  const [left, top] = [(-CANVAS_MARGIN_PX - dx) / k, (-CANVAS_MARGIN_PX - dy) / k];
  const [right, bottom] = [(width + CANVAS_MARGIN_PX - dx) / k, (height + CANVAS_MARGIN_PX - dy) / k];
  const shortest = MIN_ROUTE_PX / k;
  const found = new Int32Array(prepared.routeOrder.length);
  let count = 0;
  for (const route of prepared.routeOrder) {
    const at = 4 * route;
    const [x, y] = [bounds[at] as number, bounds[at + 1] as number];
    const [endX, endY] = [bounds[at + 2] as number, bounds[at + 3] as number];
    const isSeen = endX - x >= shortest || endY - y >= shortest;
    if (isSeen && x <= right && y <= bottom && endX >= left && endY >= top) {
      found[count++] = route;
    }
  }
  return found.subarray(0, count);
}

/** Draws routes that stand in the order of drawing; all in one color, if one is given. */
export function drawRoutes(frame: Frame, routes: Int32Array, color?: string): void {
  const { pen, prepared, k, ratio } = frame;
  const { arrow, back } = frame.places.routes;
  const curved = k >= MIN_CURVED_ZOOM * ratio;
  let from = 0;
  while (from < routes.length) {
    const first = routes[from] as number;
    let to = from + 1;
    while (to < routes.length && to - from < MAX_PATH_ROUTES && isAlike(prepared, first, routes[to] as number)) {
      to += 1;
    }
    const batch = routes.subarray(from, to);
    const width = widthOnCanvas(frame, first, color !== undefined);
    pen.strokeStyle = color ?? colorOf(frame, first);
    pen.lineWidth = width;
    const style = edgeStyle(prepared.routeKind, first);
    const isDashed = curved && style.dash.length > 0;
    if (isDashed) {
      pen.setLineDash(style.dash.map((length) => length * ratio));
    }
    const hasHead = curved && style.hasHead;
    const tail = curved ? style.tail : null;
    pen.beginPath();
    for (const route of batch) {
      const within = 0.8 * headLength(frame, route, width);
      trace(frame, route, curved, hasHead && arrow[route] === 1 ? within : 0, tail ? within : 0);
    }
    pen.stroke();
    if (isDashed) {
      pen.setLineDash([]);
    }
    if (hasHead) {
      drawHeads(frame, batch, pen.strokeStyle, width, false);
      // Edges that lead back have a head where the route begins.
      drawHeads(
        frame,
        batch.filter((route) => back[route] === 1),
        pen.strokeStyle,
        width,
        true,
      );
    }
    if (tail) {
      drawHeads(frame, batch, color ?? frame.colors[tail], width, true);
    }
    from = to;
  }
}

function isAlike({ routeKind, routeTone, routeLevel }: Prepared, a: number, b: number): boolean {
  return routeKind[a] === routeKind[b] && routeTone[a] === routeTone[b] && routeLevel[a] === routeLevel[b];
}

function colorOf({ prepared, colors }: Frame, route: number): string {
  const tone = prepared.routeTone[route];
  if (tone !== Tone.PLAIN) {
    return tone === Tone.FAINT ? colors.faint : colors.accent;
  }
  const color = colors[edgeStyle(prepared.routeKind, route).color];
  return typeof color === "string" ? color : color((prepared.routeLevel[route] as number) / (LEVELS - 1));
}

function widthOnCanvas({ prepared, k, ratio }: Frame, route: number, highlighted: boolean): number {
  const width = Math.min(
    edgeStyle(prepared.routeKind, route).maxWidth,
    strokeWidth(prepared.routeLevel[route] as number),
  );
  const least = highlighted || prepared.routeTone[route] === Tone.EMPHASIZED ? 1.75 : MIN_WIDTH_PX;
  return Math.max(least * ratio, Math.min(MAX_WIDTH_PX * ratio, width * k));
}

/** Adds a route to the path: straight from point to point, or curved, leaving and reaching boxes upright. */
function trace(frame: Frame, route: number, curved: boolean, headed: number, tailed: number): void {
  const { pen, k, dx, dy } = frame;
  const { start, points } = frame.places.routes;
  const [from, to] = [start[route] as number, start[route + 1] as number];
  const last = to - 1;
  if (last <= from) {
    return;
  }
  const startX = (points[2 * from] as number) * k + dx;
  const endX = (points[2 * last] as number) * k + dx;
  const [nextY, previousY] = [points[2 * from + 3] as number, points[2 * last - 1] as number];
  const [firstY, finalY] = [points[2 * from + 1] as number, points[2 * last + 1] as number];
  // Where there is a head, the route ends within it: its own end would be broader than the tip.
  const startY = firstY * k + dy + shortened((nextY - firstY) * k, tailed);
  const endY = finalY * k + dy + shortened((previousY - finalY) * k, headed);
  pen.moveTo(startX, startY);
  if (!curved || (to - from === 2 && Math.abs(endX - startX) < 0.5)) {
    for (let i = from + 1; i < last; i++) {
      pen.lineTo((points[2 * i] as number) * k + dx, (points[2 * i + 1] as number) * k + dy);
    }
    pen.lineTo(endX, endY);
    return;
  }
  if (to - from === 2) {
    pen.bezierCurveTo(startX, (startY + endY) / 2, endX, (startY + endY) / 2, endX, endY);
    return;
  }
  // Round at its points, and at two more that hold its ends upright.
  let [beforeX, beforeY] = [startX, startY];
  let [x, y] = [startX, startY + (nextY * k + dy - startY) * UPRIGHT_SHARE];
  const turn = (toX: number, toY: number) => {
    const [back, on] = [Math.hypot(x - beforeX, y - beforeY), Math.hypot(toX - x, toY - y)];
    const [a, b] = [
      Math.min(0.5, (MAX_BEND_RADIUS * k) / (back || 1)),
      Math.min(0.5, (MAX_BEND_RADIUS * k) / (on || 1)),
    ];
    pen.lineTo(x + (beforeX - x) * a, y + (beforeY - y) * a);
    pen.quadraticCurveTo(x, y, x + (toX - x) * b, y + (toY - y) * b);
    [beforeX, beforeY, x, y] = [x, y, toX, toY];
  };
  for (let i = from + 1; i < last; i++) {
    turn((points[2 * i] as number) * k + dx, (points[2 * i + 1] as number) * k + dy);
  }
  turn(endX, endY + (y - endY) * UPRIGHT_SHARE);
  turn(endX, endY);
  pen.lineTo(endX, endY);
}

/** How far an upright end is moved back, towards what comes before it. */
function shortened(away: number, length: number): number {
  return Math.sign(away) * Math.min(Math.abs(away) / 2, length);
}

/** Keeps a head from covering its neighbor. */
function headLength({ k, places }: Frame, route: number, width: number): number {
  const room = (places.routes.room[route] as number) * k * MAX_ROOM_SHARE;
  return Math.min(
    HEAD_LENGTH * k + HEAD_LENGTH_PER_WIDTH * width,
    Math.max(room / HEAD_WIDTH, HEAD_LENGTH_PER_WIDTH * width),
  );
}

/** Adds triangles at the ends that routes point to; with `back`, at the ends where they begin. */
function drawHeads(frame: Frame, routes: Int32Array, color: Pen["fillStyle"], width: number, back: boolean): void {
  const { pen, k, dx, dy } = frame;
  const { start, points, arrow } = frame.places.routes;
  pen.fillStyle = color;
  pen.beginPath();
  for (const route of routes) {
    const [from, to] = [start[route] as number, start[route + 1] as number];
    if (to - from < 2 || (!back && arrow[route] !== 1)) {
      continue;
    }
    const [tip, other] = back ? [from, from + 1] : [to - 1, to - 2];
    const [x, y] = [(points[2 * tip] as number) * k + dx, (points[2 * tip + 1] as number) * k + dy];
    const awayX = (points[2 * other] as number) * k + dx - x;
    const awayY = (points[2 * other + 1] as number) * k + dy - y;
    const length = headLength(frame, route, width);
    const half = (length * HEAD_WIDTH) / 2;
    // Curves end upright.
    const isUpright = Math.abs(awayY) >= 2;
    const [ux, uy] = isUpright ? [0, Math.sign(awayY)] : [Math.sign(awayX), 0];
    pen.moveTo(x, y);
    pen.lineTo(x + ux * length - uy * half, y + uy * length + ux * half);
    pen.lineTo(x + ux * length + uy * half, y + uy * length - ux * half);
    pen.closePath();
  }
  pen.fill();
}
