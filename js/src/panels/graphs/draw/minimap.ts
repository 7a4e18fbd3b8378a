// The whole graph, small, with a frame around the visible part; a drag moves that.

import type { Point, Size } from "../../../charts/geometry";
import { type PlaneCamera, toContent } from "../../../charts/planecamera";
import { graphDrawingTexts } from "./texts";

/** Length of its longer side, and the least share of it that the shorter side has. */
const LONGER_SIDE_PX = 150;
const MIN_SIDE_SHARE = 0.3;
/** Width of the frame's border; opacity inside. */
const BORDER_PX = 1.5;
const INSIDE_ALPHA = 0.12;

/** Draws the whole graph at this scale, origin and canvas size. */
export type DrawWhole = (pen: CanvasRenderingContext2D, k: number, origin: Point, canvas: Size) => void;

export class Minimap {
  readonly element: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  /** A canvas, too: if an element moved over others, the browser would rebuild their layers. */
  readonly #frame: HTMLCanvasElement;
  #scale = 1;
  /** Pixels of the canvases per CSS pixel. */
  #ratio = 1;
  #offset: Point = { x: 0, y: 0 };
  /** How often it was drawn. */
  #drawn = 0;

  /** `moveTo` is called with the place of the layout that is to be in the middle. */
  constructor(page: Document, moveTo: (at: Point) => void) {
    this.element = page.createElement("div");
    this.element.className = "tbwidget-graph-minimap";
    this.element.title = graphDrawingTexts().minimap;
    this.element.setAttribute("aria-hidden", "true");
    this.#canvas = page.createElement("canvas");
    this.#frame = page.createElement("canvas");
    this.element.append(this.#canvas, this.#frame);
    const go = (event: PointerEvent) => {
      const { left, top } = this.element.getBoundingClientRect();
      const { clientLeft, clientTop } = this.element;
      moveTo({
        x: (event.clientX - left - clientLeft - this.#offset.x) / this.#scale,
        y: (event.clientY - top - clientTop - this.#offset.y) / this.#scale,
      });
    };
    this.element.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      this.element.setPointerCapture(event.pointerId);
      go(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      event.stopPropagation();
      if (this.element.hasPointerCapture(event.pointerId)) {
        go(event);
      }
    });
    for (const type of ["click", "dblclick", "contextmenu"] as const) {
      this.element.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  draw(content: Size, ratio: number, draw: DrawWhole): void {
    this.#ratio = ratio;
    this.#scale = LONGER_SIDE_PX / Math.max(1, content.width, content.height);
    const width = Math.max(LONGER_SIDE_PX * MIN_SIDE_SHARE, content.width * this.#scale);
    const height = Math.max(LONGER_SIDE_PX * MIN_SIDE_SHARE, content.height * this.#scale);
    this.#offset = { x: (width - content.width * this.#scale) / 2, y: (height - content.height * this.#scale) / 2 };
    for (const canvas of [this.#canvas, this.#frame]) {
      [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const context = this.#canvas.getContext("2d");
    if (context !== null) {
      const origin = { x: this.#offset.x * ratio, y: this.#offset.y * ratio };
      const scale = this.#scale * ratio;
      this.#drawn += 1;
      const turn = this.#drawn;
      // Not within the frame that shows the graph itself, which takes long enough where that is large.
      setTimeout(() => turn === this.#drawn && draw(context, scale, origin, this.#canvas));
    }
  }

  /** Frames the visible part in this color; hidden where all is. */
  move(camera: PlaneCamera, content: Size, stage: Size, accent: string): void {
    const { x: left, y: top } = toContent(camera, { x: 0, y: 0 });
    const [width, height] = [stage.width / camera.zoom, stage.height / camera.zoom];
    const slack = 2 / camera.zoom;
    const isAll =
      left <= slack && top <= slack && left + width >= content.width - slack && top + height >= content.height - slack;
    this.element.hidden = isAll;
    const pen = this.#frame.getContext("2d");
    if (pen === null || isAll) {
      return;
    }
    const k = this.#scale * this.#ratio;
    const [x, y] = [left * k + this.#offset.x * this.#ratio, top * k + this.#offset.y * this.#ratio];
    pen.clearRect(0, 0, this.#frame.width, this.#frame.height);
    [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [accent, accent, BORDER_PX * this.#ratio];
    pen.globalAlpha = INSIDE_ALPHA;
    pen.fillRect(x, y, width * k, height * k);
    pen.globalAlpha = 1;
    pen.strokeRect(x, y, width * k, height * k);
  }
}
