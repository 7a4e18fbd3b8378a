import { expect, test } from "vitest";
import { type Picture, paintClip } from "../../../src/panels/audio/paint";

interface Filled {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  readonly alpha: number;
}

/** The rectangles that a picture of these samples fills on a canvas of this size. */
function filled(width: number, height: number, samples: readonly number[], more: Partial<Picture> = {}): Filled[] {
  const found: Filled[] = [];
  const context = {
    ...{ globalAlpha: 1, fillStyle: "" },
    clearRect: () => undefined,
    fillRect(x: number, y: number, _width: number, tall: number) {
      found.push({ x, top: y, bottom: y + tall, alpha: this.globalAlpha });
    },
  };
  const lane = { least: Float32Array.from(samples), greatest: Float32Array.from(samples) };
  const loudest = Math.max(...samples.map(Math.abs));
  const usual = {
    spectrogram: null,
    color: "#123456",
    ink: "#000",
    fit: false,
    played: 0,
    waveHeight: height,
    ratio: 1,
  };
  const canvas = { width, height, getContext: () => context } as unknown as HTMLCanvasElement;
  paintClip(canvas, { waveform: { lanes: [lane], loudest, duration: 1 }, ...usual, ...more });
  return found;
}

test("few samples are a line without gaps, from one to the next", () => {
  const columns = filled(8, 40, [0.5, -0.5, 0.5, -0.5]);
  expect(columns.length).toBe(8);
  for (const [i, { top, bottom }] of columns.slice(1).entries()) {
    const before = columns[i] as Filled;
    expect(Math.max(top, before.top)).toBeLessThan(Math.min(bottom, before.bottom));
  }
  expect(Math.min(...columns.map(({ top }) => top))).toBeCloseTo(20 - 9.5 - 0.5);
  expect(Math.max(...columns.map(({ bottom }) => bottom))).toBeCloseTo(20 + 9.5 + 0.5);
});

test("silence is a line in the middle, and samples beyond full scale stay within", () => {
  expect(filled(1, 40, [0])).toEqual([{ x: 0, top: 19.5, bottom: 20.5, alpha: 1 }]);
  const [loud] = filled(1, 40, [7]);
  expect(loud?.top).toBeGreaterThanOrEqual(0);
});

test("a quiet clip is as high as there is room where it is to fit", () => {
  const [quiet] = filled(1, 40, [0.01], { fit: true });
  expect(quiet?.top).toBeCloseTo(0.5);
  expect(filled(1, 40, [0], { fit: true })[0]?.top).toBe(19.5);
});

test("the part that has not been played is faint, and a line separates it", () => {
  const columns = filled(4, 40, [0, 0, 0, 0], { played: 0.5 });
  expect(columns.map(({ alpha }) => alpha < 1)).toEqual([false, false, true, true, false]);
  expect(columns.at(-1)).toMatchObject({ x: 2, top: 0, bottom: 40 });
});
