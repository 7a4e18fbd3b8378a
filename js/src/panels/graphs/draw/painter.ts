// Draws the visible part of a scene: opened scopes, routes, then closed boxes, their labels and marks above them.

import { MARK_HEIGHT, MarkKind } from "../layout/types";
import { drawAuxiliaryArea, drawClosed, drawOpened, drawRing, drawTiny } from "./boxes";
import { type Frame, fitted, fontOf, inSight, type Pen } from "./frame";
import { drawCaptions, drawLabels, drawTitles, MIN_FONT_PX } from "./labels";
import type { RouteLabels } from "./routelabels";
import { drawRoutes, visibleRoutes } from "./routes";

/** Widths of the outlines of selected, found and focused boxes. */
const SELECTED_OUTLINE_PX = 2.5;
const FOUND_OUTLINE_PX = 2;
const FOCUS_OUTLINE_PX = 1.25;

/** Draw everything. `bounds`: of the routes at their places; null for `routeLabels`: routes have no labels. */
export function paint(frame: Frame, bounds: Float32Array, routeLabels: RouteLabels | null): void {
  const { scene, colors, selected, focused } = frame;
  const [opened, closed] = boxesInSight(frame);
  drawAuxiliaryArea(frame, frame.scene.view.count);
  for (const box of opened) {
    drawOpened(frame, box);
  }
  const routes = visibleRoutes(frame, bounds);
  drawRoutes(frame, routes);
  const legible = drawTiny(frame, closed);
  for (const box of legible) {
    drawClosed(frame, box);
  }
  if (frame.isMap) {
    return;
  }
  drawCaptions(frame, opened);
  drawMarks(frame);
  drawLabels(frame, legible);
  routeLabels?.draw(frame, routes);
  for (const boxes of [opened, closed]) {
    for (const box of boxes) {
      if (scene.marked[box] === 1) {
        drawRing(frame, box, colors.mark, FOUND_OUTLINE_PX);
      }
    }
  }
  drawTitles(frame, opened);
  if (selected >= 0) {
    drawRing(frame, selected, colors.accent, SELECTED_OUTLINE_PX);
  }
  if (focused >= 0) {
    // The focus ring lies around the ring of the selected box.
    drawRing(frame, focused, colors.ink, FOCUS_OUTLINE_PX, focused === selected ? SELECTED_OUTLINE_PX : 0);
  }
}

/** Draws what a box is connected with: its routes, the boxes at their other ends, the icons of edges that are not routes. */
export function paintConnected(frame: Frame, box: number): void {
  const { prepared, scene, colors } = frame;
  const { source, target } = scene.view.edges;
  const { inside, bundles } = prepared.boundaryOf(box);
  const routes = new Set<number>();
  for (const bundle of bundles) {
    for (const route of prepared.routesOf(bundle)) {
      routes.add(route);
    }
  }
  if (routes.size > 0) {
    drawRoutes(
      frame,
      prepared.routeOrder.filter((route) => routes.has(route)),
      colors.accent,
    );
    for (const bundle of bundles) {
      if (prepared.routesOf(bundle).length > 0) {
        const from = source[bundle] as number;
        drawRing(frame, inside[from] === 1 ? (target[bundle] as number) : from, colors.accent, 1.25);
      }
    }
    // The routes cross titles here, too.
    drawTitles(frame, boxesInSight(frame)[0]);
  }
  drawPartners(frame, inside);
  drawRing(frame, box, colors.accent, 1.75);
}

/** Visible opened and closed boxes, each in the order of their numbers: inner ones follow outer ones. */
function boxesInSight(frame: Frame): readonly [opened: Int32Array, closed: Int32Array] {
  const { view } = frame.scene;
  const { x, y, w, h } = frame.places;
  const [opened, closed] = [new Int32Array(view.count), new Int32Array(view.count)];
  let [openedCount, closedCount] = [0, 0];
  for (let box = 0; box < view.count; box++) {
    if (inSight(frame, x[box] as number, y[box] as number, w[box] as number, h[box] as number)) {
      if (view.open[box] === 1) {
        opened[openedCount++] = box;
      } else {
        closed[closedCount++] = box;
      }
    }
  }
  return [opened.subarray(0, openedCount), closed.subarray(0, closedCount)];
}

// Icons beside boxes: constants, summaries and parameters that are not boxes, and the other ends of edges that are not routes.

/** Size of the font, and side of an icon, in layout units. */
const FONT_SIZE = 8.5;
const ICON_SIZE = 9;
/** Least zoom, in CSS pixels per layout unit, at which icons and their texts are drawn. */
const MIN_ICON_ZOOM = 0.35;
const MIN_TEXT_ZOOM = 0.55;

/** Pixels of the font. */
function sizeOf({ k, ratio }: Frame): number {
  return Math.max(FONT_SIZE * k, MIN_FONT_PX * ratio);
}

/** Draws the visible marks. */
export function drawMarks(frame: Frame): void {
  const { scene, places, pen, colors, k, ratio, selected } = frame;
  const { count, about, box, kind } = scene.input.marks;
  if (k < MIN_ICON_ZOOM * ratio) {
    return;
  }
  pen.font = fontOf(sizeOf(frame));
  for (let mark = 0; mark < count; mark++) {
    const [x, y, w] = [places.markX[mark] as number, places.markY[mark] as number, places.markW[mark] as number];
    if (inSight(frame, x, y, w, MARK_HEIGHT)) {
      const isPartner = kind[mark] === MarkKind.PARTNER && selected >= 0;
      const concerned = isPartner && (about[mark] === selected || box[mark] === selected);
      drawMark(frame, mark, concerned ? colors.accent : colors.quiet);
    }
  }
}

/** Draws one, in a color. */
function drawMark(frame: Frame, mark: number, color: string): void {
  const { scene, places, pen, colors, k, dx, dy, ratio } = frame;
  const { box, kind, side, label, control } = scene.input.marks;
  const own = box[mark] as number;
  const left = (places.markX[mark] as number) * k + dx;
  const middle = ((places.markY[mark] as number) + MARK_HEIGHT / 2) * k + dy;
  const width = (places.markW[mark] as number) * k;
  const isOutput = side[mark] === 1;
  const isFaint = scene.faint[own] === 1;
  if (isFaint) {
    pen.globalAlpha = 0.3;
  }
  pen.strokeStyle = color;
  pen.fillStyle = color;
  pen.lineWidth = Math.max(0.75 * ratio, Math.min(k * 0.9, 1.5 * ratio));
  const icon = isOutput ? left + (ICON_SIZE / 2) * k : left + width - (ICON_SIZE / 2) * k;
  const edge = ((places.x[own] as number) + (isOutput ? (places.w[own] as number) : 0)) * k + dx;
  const reach = Math.min(middle, ((places.y[own] as number) + (places.h[own] as number)) * k + dy);
  const touch = Math.max(reach, (places.y[own] as number) * k + dy);
  if (kind[mark] !== MarkKind.MORE) {
    const dashed = kind[mark] === MarkKind.PARTNER && control[mark] === 1;
    if (dashed) {
      pen.setLineDash([2 * ratio, 2 * ratio]);
    }
    pen.beginPath();
    pen.moveTo(icon, middle);
    pen.lineTo(edge, touch);
    pen.stroke();
    if (dashed) {
      pen.setLineDash([]);
    }
    drawIcon(pen, kind[mark] as number, icon, middle, k, colors.paper);
  }
  if (k >= MIN_TEXT_ZOOM * ratio && width > 2 * ICON_SIZE * k) {
    const size = sizeOf(frame);
    const text = fitted(label[mark] as string, (width - (ICON_SIZE + 2) * k) / size);
    pen.textAlign = isOutput ? "left" : "right";
    pen.fillText(
      text,
      isOutput ? left + (ICON_SIZE + 2) * k : left + width - (ICON_SIZE + 2) * k,
      middle + 0.35 * size,
    );
  }
  if (isFaint) {
    pen.globalAlpha = 1;
  }
}

function drawIcon(pen: Pen, kind: number, x: number, y: number, k: number, paper: string): void {
  const color = pen.fillStyle;
  pen.beginPath();
  switch (kind) {
    case MarkKind.SUMMARY:
      // Three bars of a chart.
      for (const [at, height] of [
        [-3, 3],
        [-0.75, 7],
        [1.5, 5],
      ] as const) {
        pen.roundRect(x + at * k, y + (3.5 - height) * k, 1.6 * k, height * k, 0);
      }
      pen.fill();
      break;
    case MarkKind.PARAMETER:
      diamond(pen, x, y, 3.6 * k);
      pen.fill();
      break;
    case MarkKind.PARTNER: {
      // An arrow along the data: into the box on the side of its inputs, out of it on the other.
      pen.roundRect(x - 4.5 * k, y - 4 * k, 9 * k, 8 * k, 4 * k);
      pen.fillStyle = paper;
      pen.fill();
      pen.stroke();
      pen.fillStyle = color;
      pen.beginPath();
      const tip = x + 2.6 * k;
      pen.moveTo(tip, y);
      pen.lineTo(tip - 4 * k, y - 2.4 * k);
      pen.lineTo(tip - 4 * k, y + 2.4 * k);
      pen.closePath();
      pen.fill();
      break;
    }
    default:
      pen.roundRect(x - 2.6 * k, y - 2.6 * k, 5.2 * k, 5.2 * k, 2.6 * k);
      pen.fillStyle = kind === MarkKind.PLUMBING ? color : paper;
      pen.fill();
      pen.stroke();
      pen.fillStyle = color;
  }
}

function diamond(pen: Pen, x: number, y: number, r: number): void {
  pen.moveTo(x, y - r);
  pen.lineTo(x + r, y);
  pen.lineTo(x, y + r);
  pen.lineTo(x - r, y);
  pen.closePath();
}

/** Mark the other ends of boundary edges without a route: the icons at both ends, and the boxes. */
export function drawPartners(frame: Frame, inside: Uint8Array): void {
  const { scene, colors } = frame;
  const { count, about, box: beside, kind } = scene.input.marks;
  frame.pen.font = fontOf(sizeOf(frame));
  for (let mark = 0; mark < count; mark++) {
    const [other, own] = [about[mark] as number, beside[mark] as number];
    if (kind[mark] === MarkKind.PARTNER && inside[other] !== inside[own]) {
      drawMark(frame, mark, colors.accent);
      drawRing(frame, inside[other] === 1 ? own : other, colors.accent, 1.25);
    }
  }
}
