// All of a scene as an image: SVG, whose texts stay texts, or PNG.

import type { Size } from "../../../charts/geometry";
import { BLACK } from "../../../lib/tokens";
import { escaped } from "../../../lib/xml";
import { pngOf, pngScale } from "../../../ui/save/picturefile";
import { saveTexts } from "../../../ui/save/texts";
import { graphTexts } from "../texts";
import type { Colors } from "./colors";
import type { Frame, Pen } from "./frame";
import { LineLabels } from "./linelabels";
import { boundsOf } from "./lines";
import { paint } from "./painter";
import { prepare, type Scene } from "./scene";

/** Units of the layout around the graph. */
const MARGIN = 16;

function draw(pen: Pen, scene: Scene, colors: Colors, auxiliary: string, k: number): void {
  const { layout } = scene;
  const { width, height } = sizeOf(scene);
  const frame: Frame = {
    pen,
    scene,
    prepared: prepare(scene),
    places: layout,
    colors,
    k,
    dx: MARGIN * k,
    dy: MARGIN * k,
    ratio: k,
    width: width * k,
    height: height * k,
    selected: -1,
    focused: -1,
    isMap: false,
    auxiliary,
  };
  paint(frame, boundsOf(layout.lines), new LineLabels(scene));
}

/** One unit of the layout is a CSS pixel. */
function sizeOf({ layout }: Scene): Size {
  return { width: layout.width + 2 * MARGIN, height: layout.height + 2 * MARGIN };
}

export function toSvg(scene: Scene, colors: Colors, auxiliary: string): string {
  const pen = new SvgPen();
  draw(pen, scene, colors, auxiliary, 1);
  const { width, height } = sizeOf(scene);
  return pen.document(width, height, colors.paper);
}

export interface Picture {
  /** Null where the browser has no room for it. */
  readonly blob: Blob | null;
  /** Pixels per unit of the layout, where there might be too few. */
  readonly scale?: number;
}

/** The message about a picture that is smaller than the drawing, or could not be made. */
export function messageOf({ blob, scale = 1 }: Picture): string | null {
  if (blob === null) {
    return saveTexts().pngTooLarge;
  }
  return scale < 1 ? graphTexts().pngScaled(Math.max(1, Math.round(100 * scale))) : null;
}

export async function toPng(scene: Scene, colors: Colors, auxiliary: string, page: Document): Promise<Picture> {
  const size = sizeOf(scene);
  const paintAll = (context: CanvasRenderingContext2D, k: number) => {
    context.fillStyle = colors.paper;
    context.fillRect(0, 0, k * size.width, k * size.height);
    draw(context, scene, colors, auxiliary, k);
  };
  return { blob: await pngOf(size, paintAll, page), scale: pngScale(size) };
}

// A pen that writes SVG. Each stroke, fill and text becomes an element; texts are escaped, and nothing else comes from the graph.

type Style = string | CanvasGradient | CanvasPattern;

export class SvgPen implements Pen {
  fillStyle: Style = BLACK;
  strokeStyle: Style = BLACK;
  lineWidth = 1;
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign: CanvasTextAlign = "left";
  readonly #parts: string[] = [];
  #dash = "";
  #path = "";

  /** The drawing as an SVG document of a size, on a background color. */
  document(width: number, height: number, paper: string): string {
    const size = `width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}"`;
    const ground = `<rect width="100%" height="100%" fill="${escaped(paper)}"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${ground}${this.#parts.join("")}</svg>`;
  }

  setLineDash(lengths: number[]): void {
    this.#dash = lengths.length > 0 ? ` stroke-dasharray="${lengths.map(number).join(" ")}"` : "";
  }

  beginPath(): void {
    this.#path = "";
  }

  moveTo(x: number, y: number): void {
    this.#add("M", x, y);
  }

  lineTo(x: number, y: number): void {
    this.#add("L", x, y);
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.#add("Q", cx, cy, x, y);
  }

  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.#add("C", ax, ay, bx, by, x, y);
  }

  closePath(): void {
    this.#path += "Z";
  }

  rect(x: number, y: number, w: number, h: number): void {
    this.roundRect(x, y, w, h);
  }

  roundRect(
    x: number,
    y: number,
    w: number,
    h: number,
    radii: number | DOMPointInit | Iterable<number | DOMPointInit> = 0,
  ) {
    const given = typeof radii === "number" ? [radii, radii, radii, radii] : (radii as number[]);
    const most = Math.max(0, Math.min(w, h) / 2);
    const [a, b, c, d] = given.map((radius) => Math.min(most, radius)) as [number, number, number, number];
    this.#add("M", x + a, y);
    this.#add("H", x + w - b);
    this.#corner(b, x + w, y + b);
    this.#add("V", y + h - c);
    this.#corner(c, x + w - c, y + h);
    this.#add("H", x + d);
    this.#corner(d, x, y + h - d);
    this.#add("V", y + a);
    this.#corner(a, x + a, y);
    this.#path += "Z";
  }

  fill(): void {
    this.#element(`fill="${escaped(String(this.fillStyle))}"`);
  }

  stroke(): void {
    this.#element(`fill="none" ${this.#stroke()}${this.#dash}`);
  }

  fillRect(x: number, y: number, w: number, h: number): void {
    const place = `x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}"`;
    this.#parts.push(`<rect ${place} fill="${escaped(String(this.fillStyle))}"${this.#opacity()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    this.#text(text, x, y, `fill="${escaped(String(this.fillStyle))}"`);
  }

  strokeText(text: string, x: number, y: number): void {
    this.#text(text, x, y, `fill="none" ${this.#stroke()} stroke-linejoin="round"`);
  }

  #add(command: string, ...numbers: number[]): void {
    this.#path += command + numbers.map(number).join(" ");
  }

  #corner(radius: number, x: number, y: number): void {
    if (radius > 0) {
      this.#path += `A${number(radius)} ${number(radius)} 0 0 1 ${number(x)} ${number(y)}`;
    }
  }

  #stroke(): string {
    return `stroke="${escaped(String(this.strokeStyle))}" stroke-width="${number(this.lineWidth)}"`;
  }

  #opacity(): string {
    return this.globalAlpha < 1 ? ` opacity="${number(this.globalAlpha)}"` : "";
  }

  #element(style: string): void {
    if (this.#path !== "") {
      this.#parts.push(`<path d="${this.#path}" ${style}${this.#opacity()}/>`);
    }
  }

  #text(text: string, x: number, y: number, style: string): void {
    const [, weight = "400", size = "10", family = "sans-serif"] = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(this.font) ?? [];
    const font = `font-size="${size}" font-weight="${weight}" font-family="${escaped(family)}"`;
    const anchor = { left: "start", right: "end", center: "middle", start: "start", end: "end" }[this.textAlign];
    const place = `x="${number(x)}" y="${number(y)}" text-anchor="${anchor}"`;
    this.#parts.push(`<text ${place} ${font} ${style}${this.#opacity()}>${escaped(text)}</text>`);
  }
}

/** Rounded: more would only make the file larger. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
