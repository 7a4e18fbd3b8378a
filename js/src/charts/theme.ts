// The colors of the page as numbers.

import { BLACK, chartColors, FORCED_COLORS, GRAY, ownColor, type Theme, WHITE } from "../lib/tokens";

export type ChartTheme = Readonly<Record<keyof typeof chartColors.light, string>>;

/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [number, number, number];

type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** The colors of the page behind a chart, and of text on it. */
export interface PageColors {
  readonly background: Rgb;
  readonly foreground: Rgb;
}

/** Colors that are remembered. */
const MAX_COLORS = 1000;

const resolved = new Map<string, Rgba | null>();
let context: CanvasRenderingContext2D | null = null;

/** A color in any notation that the browser knows; null if it is none. */
function resolveColor(text: string): Rgba | null {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex !== null) {
    const [red, green, blue] = hex.slice(1).map((byte) => Number.parseInt(byte, 16));
    return [red as number, green as number, blue as number, 1];
  }
  let color = resolved.get(text);
  if (color === undefined) {
    if (resolved.size >= MAX_COLORS) {
      resolved.clear();
    }
    color = painted(text);
    resolved.set(text, color);
  }
  return color;
}

/** Paints a pixel in the color and reads it back. */
function painted(text: string): Rgba | null {
  if (context === null) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [1, 1];
    context = canvas.getContext("2d", { willReadFrequently: true });
  }
  if (context === null) {
    return null;
  }
  // An invalid color leaves the style unchanged, whatever it was.
  const accepted = [BLACK, WHITE].map((before) => {
    (context as CanvasRenderingContext2D).fillStyle = before;
    (context as CanvasRenderingContext2D).fillStyle = text;
    return (context as CanvasRenderingContext2D).fillStyle;
  });
  if (accepted[0] !== accepted[1]) {
    return null;
  }
  context.clearRect(0, 0, 1, 1);
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

/** The red, green and blue of a run's color. */
export function rgbOf(color: string): Rgb {
  const [red, green, blue] = resolveColor(color) ?? GRAY;
  return [red, green, blue];
}

/** Whether the user has chosen all colors. */
export function isForced(): boolean {
  return matchMedia(FORCED_COLORS).matches;
}

/**
 * The colors of the page at an element; where its background is transparent, those behind it shine through. Without an
 * element, our own.
 */
export function pageColors(element: Element | null, theme: Theme): PageColors {
  // Where the page has no color of its own.
  const [ownBackground, ownForeground] = [rgbOf(ownColor("paper", theme)), rgbOf(ownColor("ink", theme))];
  const layers: Rgba[] = [];
  for (let at = element; at !== null; at = parentOf(at)) {
    const layer = resolveColor(getComputedStyle(at).backgroundColor);
    if (layer !== null && layer[3] > 0) {
      layers.push(layer);
      if (layer[3] === 1) {
        break;
      }
    }
  }
  const background = layers.reduceRight<Rgb>((below, layer) => over(layer, below), ownBackground);
  // Text that is a little transparent is softer; on a chart, its color itself has the better contrast.
  const [red, green, blue, alpha] = (element && resolveColor(getComputedStyle(element).color)) ?? [0, 0, 0, 0];
  return { background, foreground: alpha > 0 ? [red, green, blue] : ownForeground };
}

/** Shares of ink in the lines of axes and grids where the user has chosen all colors. */
const FORCED_AXIS = 0.6;
const FORCED_GRID = 0.2;

/** Axes and labels in the user's own colors, if there are such: browsers do not force them on a canvas. */
export function forcedTheme(element: Element): ChartTheme | null {
  if (!isForced()) {
    return null;
  }
  const { background, foreground } = pageColors(element, "light");
  const inked = (share: number) => css(mixed(background, foreground, share));
  return { label: inked(1), axis: inked(FORCED_AXIS), grid: inked(FORCED_GRID), paper: inked(0) };
}

/** Axes and labels on a surface: pictures that are saved have the colors of their theme. */
export function chartTheme({ forced }: { readonly forced?: ChartTheme | null }, theme: Theme): ChartTheme {
  return forced ?? chartColors[theme];
}

function parentOf(element: Element): Element | null {
  const root = element.parentElement === null ? element.getRootNode() : null;
  return root instanceof ShadowRoot ? root.host : element.parentElement;
}

function over([red, green, blue, alpha]: Rgba, below: Rgb): Rgb {
  return mixed(below, [red, green, blue], alpha);
}

export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [at(0), at(1), at(2)];
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}
