// Paints a clip: its waveform, the part that has been played strong, and its spectrogram below.

import type { Rgb } from "../../charts/theme";
import { LOUDNESS_COLORS, WHITE } from "../../lib/tokens";
import type { Lane, Waveform } from "./peaks";
import type { Spectrogram } from "./spectrogram";

/** Opacity of what has not been played, while something has. */
const AHEAD_ALPHA = 0.4;

export interface Picture {
  readonly waveform: Waveform;
  readonly spectrogram: HTMLCanvasElement | null;
  readonly color: string;
  /** Color of the line at the position of playback. */
  readonly ink: string;
  /** Draw the loudest sample as high as there is room. */
  readonly fit: boolean;
  /** Share that has been played. */
  readonly played: number;
  /** Pixels of the waveform's height; the rest is the spectrogram's. */
  readonly waveHeight: number;
  /** Device pixels of a CSS pixel. */
  readonly ratio: number;
}

export function paintClip(canvas: HTMLCanvasElement, picture: Picture): void {
  const context = canvas.getContext("2d");
  if (context === null) {
    return;
  }
  const { waveform, spectrogram, color, ink, fit, played, waveHeight, ratio } = picture;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const laneHeight = waveHeight / waveform.lanes.length;
  const gain = fit && waveform.loudest > 0 ? 1 / waveform.loudest : 1;
  context.fillStyle = color;
  const reached = played > 0 ? Math.round(played * width) : width;
  for (const [i, lane] of waveform.lanes.entries()) {
    const middle = (i + 0.5) * laneHeight;
    const scale = (laneHeight / 2 - ratio) * gain;
    // Each column reaches the one before it, so that few samples are a line, not dots.
    let [low, high] = extremes(lane, 0, 1 / width);
    context.globalAlpha = 1;
    for (let x = 0; x < width; x += 1) {
      const [least, greatest] = extremes(lane, x / width, (x + 1) / width);
      const top = middle - Math.min(1 / gain, Math.max(greatest, low)) * scale;
      const bottom = middle - Math.max(-1 / gain, Math.min(least, high)) * scale;
      if (x === reached) {
        context.globalAlpha = AHEAD_ALPHA;
      }
      context.fillRect(x, top - ratio / 2, 1, bottom - top + ratio);
      [low, high] = [least, greatest];
    }
  }
  context.globalAlpha = 1;
  if (spectrogram !== null) {
    context.drawImage(spectrogram, 0, waveHeight, width, height - waveHeight);
  }
  if (played > 0) {
    const x = Math.min(width - 1, Math.round(played * width));
    context.fillStyle = ink;
    context.fillRect(x, 0, Math.max(1, Math.round(ratio)), waveHeight);
    if (spectrogram !== null) {
      // White shows on every color of the spectrogram but the loudest.
      context.fillStyle = WHITE;
      context.fillRect(x, waveHeight, Math.max(1, Math.round(ratio)), height - waveHeight);
    }
  }
}

/** The least and the greatest between two shares of a lane's length. */
export function extremes({ least, greatest }: Lane, from: number, to: number): [number, number] {
  const columns = least.length;
  const first = Math.min(columns - 1, Math.floor(from * columns));
  const last = Math.max(first, Math.ceil(to * columns) - 1);
  let [low, high] = [least[first] as number, greatest[first] as number];
  for (let i = first + 1; i <= last; i += 1) {
    low = Math.min(low, least[i] as number);
    high = Math.max(high, greatest[i] as number);
  }
  return [low, high];
}

/** The spectrogram in its own pixels. */
export function spectrogramImage({ columns, rows, levels }: Spectrogram): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns, rows];
  const image = new ImageData(columns, rows);
  for (let i = 0; i < levels.length; i += 1) {
    const color = 3 * (levels[i] as number);
    image.data[4 * i] = COLORS[color] as number;
    image.data[4 * i + 1] = COLORS[color + 1] as number;
    image.data[4 * i + 2] = COLORS[color + 2] as number;
    image.data[4 * i + 3] = 255;
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}

/** The color of a level from 0 to 255. */
export function colorOf(level: number): Rgb {
  const at = (level / 255) * (LOUDNESS_COLORS.length - 1);
  const below = LOUDNESS_COLORS[Math.floor(at)] as Rgb;
  const above = LOUDNESS_COLORS[Math.ceil(at)] as Rgb;
  const mix = (i: 0 | 1 | 2) => Math.round(below[i] + (above[i] - below[i]) * (at % 1));
  return [mix(0), mix(1), mix(2)];
}

/** Red, green and blue of all levels. */
const COLORS = Uint8Array.from(Array.from({ length: 256 }, (_, level) => colorOf(level)).flat());
