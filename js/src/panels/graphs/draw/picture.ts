// The canvases of a graph: a lower one with the graph, an upper one with what the pointer is connected with; the minimap's.

import type { Size } from "../../../charts/geometry";
import { pixelRatio } from "../../../charts/pixelratio";
import { isForced, pageColors } from "../../../charts/theme";
import { formatCount } from "../../../lib/format";
import type { Theme } from "../../../lib/tokens";
import { type Colors, colorsOf } from "./colors";
import type { Frame } from "./frame";
import type { Minimap } from "./minimap";
import { paint, paintConnected } from "./painter";
import { RouteLabels } from "./routelabels";
import type { Scene, Shown } from "./scene";
import { graphDrawingTexts } from "./texts";
import type { Sight } from "./transitions";

export class Picture {
  theme: Theme;
  readonly #host: HTMLElement;
  readonly #lower: HTMLCanvasElement;
  readonly #upper: HTMLCanvasElement;
  readonly #minimap: Minimap;
  readonly #label: string;
  #colors: Colors | null = null;
  #labels: RouteLabels | null = null;
  /** Subject of the labels and of the minimap. */
  #labeled: Scene["layout"] | null = null;
  #mapped: Scene | null = null;
  #isUpperEmpty = true;
  /** The last picture. */
  #frame: Omit<Frame, "pen"> | null = null;

  /** `label`: what the graph is called, for assistive technology. */
  constructor(host: HTMLElement, minimap: Minimap, theme: Theme, label: string) {
    [this.#host, this.#minimap, this.theme, this.#label] = [host, minimap, theme, label];
    const page = host.ownerDocument;
    [this.#lower, this.#upper] = [page.createElement("canvas"), page.createElement("canvas")];
    // A click on it brings the keyboard to the graph.
    this.#lower.tabIndex = -1;
    this.#lower.setAttribute("role", "img");
    this.#upper.setAttribute("aria-hidden", "true");
  }

  get elements(): readonly HTMLElement[] {
    return [this.#lower, this.#upper];
  }

  get colors(): Colors {
    if (this.#colors === null) {
      const style = getComputedStyle(this.#host);
      const accent = style.getPropertyValue("--tbwidget-accent").trim() || style.color;
      this.#colors = colorsOf(pageColors(this.#host, this.theme), accent, this.theme, isForced());
    }
    return this.#colors;
  }

  /** Colors of a saved picture, which shows no selection. */
  get savedColors(): Colors {
    return isForced() ? colorsOf(pageColors(null, this.theme), "", this.theme) : this.colors;
  }

  /** The last picture stays above the next one, paler and paler. */
  fade(milliseconds: number): void {
    const before = this.#lower.cloneNode() as HTMLCanvasElement;
    if (this.#frame !== null && this.#lower.width > 0) {
      before.getContext("2d")?.drawImage(this.#lower, 0, 0);
      this.#lower.after(before);
      before.animate([{ opacity: 1 }, { opacity: 0 }], milliseconds).onfinish = () => before.remove();
    }
  }

  /** The page's colors, or its pixels, are others. */
  forget(): void {
    [this.#colors, this.#mapped] = [null, null];
  }

  draw(
    { scene, prepared }: Shown,
    { camera, places, bounds }: Sight,
    size: Size,
    selected: number,
    focused: number,
  ): void {
    const ratio = pixelRatio();
    const { colors } = this;
    this.#frame = {
      scene,
      prepared,
      places,
      colors,
      k: camera.zoom * ratio,
      dx: camera.x * ratio,
      dy: camera.y * ratio,
      ratio,
      width: size.width * ratio,
      height: size.height * ratio,
      selected,
      focused,
      isMap: false,
      auxiliary: graphDrawingTexts().auxiliary,
    };
    const pen = this.#pen(this.#lower);
    if (pen === null) {
      return;
    }
    pen.fillStyle = colors.paper;
    pen.fillRect(0, 0, this.#lower.width, this.#lower.height);
    if (this.#labeled !== scene.layout) {
      [this.#labels, this.#labeled] = [new RouteLabels(scene), scene.layout];
      const { count } = scene.view;
      const boxes = graphDrawingTexts().boxes(count, formatCount(count));
      this.#lower.setAttribute("aria-label", graphDrawingTexts().picture(this.#label, boxes));
    }
    // On the way, boxes are where the labels would be.
    paint({ ...this.#frame, pen }, bounds, places === scene.layout ? this.#labels : null);
    if (this.#mapped !== scene && places === scene.layout) {
      this.#mapped = scene;
      const whole = { ...this.#frame, isMap: true };
      this.#minimap.draw(places, ratio, (small, k, { x, y }, { width, height }) =>
        paint({ ...whole, pen: small, k, dx: x, dy: y, width, height }, bounds, null),
      );
    }
  }

  /** Highlights the connections of a box above the last picture; nothing for -1. */
  drawConnected(box: number): void {
    if (this.#frame === null || (box < 0 && this.#isUpperEmpty)) {
      return;
    }
    const pen = this.#pen(this.#upper);
    pen?.clearRect(0, 0, this.#upper.width, this.#upper.height);
    this.#isUpperEmpty = box < 0;
    if (pen !== null && box >= 0) {
      paintConnected({ ...this.#frame, pen }, box);
    }
  }

  /** The context of a canvas that has the size of the picture. */
  #pen(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const [width, height] = [Math.round(this.#frame?.width ?? 0), Math.round(this.#frame?.height ?? 0)];
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
    }
    return canvas.getContext("2d");
  }
}
