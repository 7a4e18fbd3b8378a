// Draws what is in sight of a scene: opened scopes, lines, then closed boxes, their labels and marks above them.

import { drawAuxiliaryArea, drawClosed, drawOpened, drawRing } from "./boxes";
import { type Frame, inSight } from "./frame";
import { drawCaptions, drawLabels, drawTitles } from "./labels";
import type { LineLabels } from "./linelabels";
import { drawLines, linesInSight } from "./lines";
import { drawMarks, drawPartners } from "./marks";
import { drawTiny } from "./tiny";

/** CSS pixels: the widths of the outlines of what is selected, of what a search has found, of what the keyboard is on. */
const SELECTED = 2.5;
const MARKED = 2;
const FOCUSED = 1.25;

/** `bounds` are those of the lines at their places; without `lineLabels` lines bear none. */
export function paint(frame: Frame, bounds: Float32Array, lineLabels: LineLabels | null): void {
  const { scene, colors, selected, focused } = frame;
  const [opened, closed] = boxesInSight(frame);
  drawAuxiliaryArea(frame, frame.scene.view.count);
  for (const box of opened) {
    drawOpened(frame, box);
  }
  const lines = linesInSight(frame, bounds);
  drawLines(frame, lines);
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
  lineLabels?.draw(frame, lines);
  for (const boxes of [opened, closed]) {
    for (const box of boxes) {
      if (scene.marked[box] === 1) {
        drawRing(frame, box, colors.mark, MARKED);
      }
    }
  }
  drawTitles(frame, opened);
  if (selected >= 0) {
    drawRing(frame, selected, colors.accent, SELECTED);
  }
  if (focused >= 0) {
    // Around the ring of what is selected.
    drawRing(frame, focused, colors.ink, FOCUSED, focused === selected ? SELECTED : 0);
  }
}

/** Draws what a box is connected with: its lines, the boxes at their other ends, the icons of edges that are not lines. */
export function paintConnected(frame: Frame, box: number): void {
  const { prepared, scene, colors } = frame;
  const { source, target } = scene.view.edges;
  const { inside, groups } = prepared.crossingOf(box);
  const lines = new Set<number>();
  for (const group of groups) {
    for (const line of prepared.linesOf(group)) {
      lines.add(line);
    }
  }
  if (lines.size > 0) {
    drawLines(
      frame,
      prepared.lineOrder.filter((line) => lines.has(line)),
      colors.accent,
    );
    for (const group of groups) {
      if (prepared.linesOf(group).length > 0) {
        const from = source[group] as number;
        drawRing(frame, inside[from] === 1 ? (target[group] as number) : from, colors.accent, 1.25);
      }
    }
  }
  drawPartners(frame, inside);
  drawRing(frame, box, colors.accent, 1.75);
}

/** Opened and closed boxes in sight, each in the order of their numbers: what is inside of another comes behind it. */
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
