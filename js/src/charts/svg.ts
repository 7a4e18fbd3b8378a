// Writes drawings on a canvas context as SVG: lines stay lines, texts stay texts. Every text from logs is escaped. It is
// the only writer of SVG: charts and graphs are saved through it.

import { BLACK } from "../lib/tokens";
import type { PaintContext, PaintPath, Size, Surface } from "./geometry";

type CornerRadii = number | DOMPointInit | Iterable<number | DOMPointInit>;

/** A shape as the data of a path. */
class SvgPath implements PaintPath {
  data = "";

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
    this.data += "Z";
  }

  /** Takes one radius, or one for each corner, clockwise from the upper left. */
  roundRect(x: number, y: number, width: number, height: number, radii: CornerRadii = 0): void {
    const given = typeof radii === "number" ? [radii, radii, radii, radii] : (radii as number[]);
    const largest = Math.max(0, Math.min(width, height) / 2);
    const [a, b, c, d] = given.map((radius) => Math.min(largest, radius)) as [number, number, number, number];
    this.#add("M", x + a, y);
    this.#add("H", x + width - b);
    this.#corner(b, x + width, y + b);
    this.#add("V", y + height - c);
    this.#corner(c, x + width - c, y + height);
    this.#add("H", x + d);
    this.#corner(d, x, y + height - d);
    this.#add("V", y + a);
    this.#corner(a, x + a, y);
    this.closePath();
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.data += `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}Z`;
  }

  /** Writes whole circles; charts paint no other arcs. */
  arc(x: number, y: number, radius: number): void {
    const half = (to: number) => `A${number(radius)} ${number(radius)} 0 0 1 ${number(to)} ${number(y)}`;
    this.data += `M${number(x + radius)} ${number(y)}${half(x - radius)}${half(x + radius)}`;
  }

  #add(command: string, ...numbers: number[]): void {
    this.data += command + numbers.map(number).join(" ");
  }

  #corner(radius: number, x: number, y: number): void {
    if (radius > 0) {
      this.#add("A", radius, radius, 0, 0, 1, x, y);
    }
  }
}

type Style = string | CanvasGradient | CanvasPattern;

interface State {
  fillStyle: Style;
  strokeStyle: Style;
  globalAlpha: number;
  lineWidth: number;
  lineJoin: CanvasLineJoin;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  imageSmoothingEnabled: boolean;
  dash: readonly number[];
  /** Groups that end with it. */
  groups: number;
}

const INITIAL: State = {
  fillStyle: BLACK,
  strokeStyle: BLACK,
  globalAlpha: 1,
  lineWidth: 1,
  lineJoin: "miter",
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
  imageSmoothingEnabled: true,
  dash: [],
  groups: 0,
};

/** Shares of the size of a font from where a text is placed down to its base line; programs differ in the SVG's own ones. */
const BASELINES: Readonly<Record<CanvasTextBaseline, number>> = {
  top: 0.82,
  hanging: 0.75,
  middle: 0.34,
  alphabetic: 0,
  ideographic: -0.2,
  bottom: -0.22,
};

const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" } as const;

class SvgContext implements PaintContext {
  readonly #parts: string[] = [];
  readonly #saved: State[] = [];
  readonly #measure: (text: string, font: string) => TextMetrics;
  readonly #prefix: string;
  #state: State = { ...INITIAL };
  #path = new SvgPath();
  #clips = 0;

  /** `prefix` begins all ids, which must be unique among the drawings of a page. */
  constructor(prefix: string, measure: (text: string, font: string) => TextMetrics) {
    this.#prefix = prefix;
    this.#measure = measure;
  }

  /** The elements of everything painted so far. */
  elements(): string {
    return this.#parts.join("");
  }

  get fillStyle(): Style {
    return this.#state.fillStyle;
  }
  set fillStyle(style: Style) {
    this.#state.fillStyle = style;
  }
  get strokeStyle(): Style {
    return this.#state.strokeStyle;
  }
  set strokeStyle(style: Style) {
    this.#state.strokeStyle = style;
  }
  get globalAlpha(): number {
    return this.#state.globalAlpha;
  }
  set globalAlpha(alpha: number) {
    this.#state.globalAlpha = alpha;
  }
  get lineWidth(): number {
    return this.#state.lineWidth;
  }
  set lineWidth(width: number) {
    this.#state.lineWidth = width;
  }
  get lineJoin(): CanvasLineJoin {
    return this.#state.lineJoin;
  }
  set lineJoin(join: CanvasLineJoin) {
    this.#state.lineJoin = join;
  }
  get font(): string {
    return this.#state.font;
  }
  set font(font: string) {
    this.#state.font = font;
  }
  get textAlign(): CanvasTextAlign {
    return this.#state.textAlign;
  }
  set textAlign(align: CanvasTextAlign) {
    this.#state.textAlign = align;
  }
  get textBaseline(): CanvasTextBaseline {
    return this.#state.textBaseline;
  }
  set textBaseline(baseline: CanvasTextBaseline) {
    this.#state.textBaseline = baseline;
  }
  get imageSmoothingEnabled(): boolean {
    return this.#state.imageSmoothingEnabled;
  }
  set imageSmoothingEnabled(enabled: boolean) {
    this.#state.imageSmoothingEnabled = enabled;
  }

  setLineDash(lengths: Iterable<number>): void {
    this.#state.dash = [...lengths];
  }

  save(): void {
    this.#saved.push(this.#state);
    this.#state = { ...this.#state, groups: 0 };
  }

  restore(): void {
    const before = this.#saved.pop();
    if (before !== undefined) {
      this.#parts.push("</g>".repeat(this.#state.groups));
      this.#state = before;
    }
  }

  clip(): void {
    this.#clips += 1;
    const id = escaped(`${this.#prefix}-${this.#clips}`);
    this.#group(`<clipPath id="${id}"><path d="${this.#path.data}"/></clipPath>`, `clip-path="url(#${id})"`);
  }

  translate(x: number, y: number): void {
    this.#group("", `transform="translate(${number(x)} ${number(y)})"`);
  }

  #group(before: string, attribute: string): void {
    this.#parts.push(`${before}<g ${attribute}>`);
    this.#state.groups += 1;
  }

  beginPath(): void {
    this.#path = new SvgPath();
  }
  moveTo(x: number, y: number): void {
    this.#path.moveTo(x, y);
  }
  lineTo(x: number, y: number): void {
    this.#path.lineTo(x, y);
  }
  closePath(): void {
    this.#path.closePath();
  }
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.#path.quadraticCurveTo(cx, cy, x, y);
  }
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.#path.bezierCurveTo(ax, ay, bx, by, x, y);
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.#path.rect(x, y, width, height);
  }
  roundRect(x: number, y: number, width: number, height: number, radii: CornerRadii = 0): void {
    this.#path.roundRect(x, y, width, height, radii);
  }
  arc(x: number, y: number, radius: number): void {
    this.#path.arc(x, y, radius);
  }

  fill(path: PaintPath = this.#path): void {
    this.#shape(path, this.#filled());
  }

  stroke(path: PaintPath = this.#path): void {
    const { dash } = this.#state;
    const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.map(number).join(" ")}"` : "";
    this.#shape(path, `${this.#stroked()}${dashes}`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (width !== 0 && height !== 0) {
      // A canvas takes sizes below zero, too.
      const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)];
      const size = `width="${number(Math.abs(width))}" height="${number(Math.abs(height))}"`;
      this.#parts.push(`<rect x="${number(left)}" y="${number(top)}" ${size} ${this.#filled()}/>`);
    }
  }

  fillText(text: string, x: number, y: number): void {
    this.#text(text, x, y, this.#filled());
  }

  strokeText(text: string, x: number, y: number): void {
    // The halo of a text: its many sharp corners would each have a spike.
    this.#text(text, x, y, this.#stroked("round"));
  }

  measureText(text: string): TextMetrics {
    return this.#measure(text, this.font);
  }

  drawImage(image: HTMLCanvasElement, x: number, y: number, width: number, height: number): void {
    const place = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
    const smooth = this.imageSmoothingEnabled ? "" : ' style="image-rendering:pixelated"';
    const address = image.toDataURL("image/png");
    this.#parts.push(`<image ${place} preserveAspectRatio="none"${smooth} href="${address}"/>`);
  }

  #shape(path: PaintPath, style: string): void {
    if (path instanceof SvgPath && path.data !== "") {
      this.#parts.push(`<path d="${path.data}" ${style}/>`);
    }
  }

  #filled(): string {
    return painted("fill", this.fillStyle, this.globalAlpha);
  }

  #stroked(lineJoin = this.lineJoin): string {
    const join = lineJoin === "miter" ? "" : ` stroke-linejoin="${lineJoin}"`;
    const color = painted("stroke", this.strokeStyle, this.globalAlpha);
    return `fill="none" ${color} stroke-width="${number(this.lineWidth)}"${join}`;
  }

  #text(text: string, x: number, y: number, style: string): void {
    const [, weight, size = "10", family = "sans-serif"] = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(this.font) ?? [];
    const bold = weight === undefined ? "" : ` font-weight="${weight}"`;
    const font = `font-size="${size}"${bold} font-family="${escaped(family)}"`;
    const down = y + BASELINES[this.textBaseline] * Number(size);
    const place = `x="${number(x)}" y="${number(down)}" text-anchor="${ANCHORS[this.textAlign]}"`;
    this.#parts.push(`<text ${place} ${font} ${style} style="white-space:pre">${escaped(text)}</text>`);
  }
}

/** A color and its opacity apart, as programs other than browsers want it. */
function painted(what: "fill" | "stroke", style: Style, alpha: number): string {
  const { color, opacity } = parsedColor(String(style));
  const whole = opacity * alpha;
  return `${what}="${escaped(color)}"${whole < 1 ? ` ${what}-opacity="${number(whole)}"` : ""}`;
}

function parsedColor(text: string): { color: string; opacity: number } {
  const hex = /^(#[0-9a-f]{6})([0-9a-f]{2})$/i.exec(text);
  if (hex !== null) {
    return { color: hex[1] as string, opacity: Number.parseInt(hex[2] as string, 16) / 255 };
  }
  const rgb = /^rgb\((\d+) (\d+) (\d+)\)$/.exec(text);
  return { color: rgb === null ? text : `rgb(${rgb.slice(1).join(",")})`, opacity: 1 };
}

/** Rounded: more would only make the file larger. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

let drawings = 0;

/** The text of an SVG that `paint` draws, of a size in CSS pixels. Without a title it has no name of its own. */
export function svgOf(
  { width, height }: Size,
  title: string | null,
  paint: (surface: Surface & { readonly context: SvgContext }) => void,
  measure: (text: string, font: string) => TextMetrics = measuredOnCanvas,
): string {
  drawings += 1;
  const context = new SvgContext(`tbwidget-${Date.now().toString(36)}-${drawings}`, measure);
  paint({ context, ratio: 1, path: () => new SvgPath() });
  const size = `width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}"`;
  const name = title === null ? "" : `<title>${escaped(title)}</title>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${name}${context.elements()}</svg>\n`;
}

function measuredOnCanvas(text: string, font: string): TextMetrics {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) {
    throw new Error("this page has no canvas to measure texts on");
  }
  context.font = font;
  return context.measureText(text);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML forbids: controls, single surrogates and noncharacters. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text for XML: characters that must not be in it at all are replaced. */
export function escaped(text: string): string {
  return text.replace(NOT_IN_XML, "\ufffd").replace(/[&<>"]/g, (one) => ENTITIES[one] as string);
}
