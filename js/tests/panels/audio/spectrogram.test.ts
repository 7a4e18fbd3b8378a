import { expect, test } from "vitest";
import { colorOf } from "../../../src/panels/audio/paint";
import { Fft, RANGE, spectrogramOf } from "../../../src/panels/audio/spectrogram";
import { atOnce } from "./atonce";
import { samplesFrom, tone } from "./sounds";

/** A spectrum by definition. */
function naive(real: Float64Array, imaginary: Float64Array): [number, number][] {
  const size = real.length;
  return Array.from({ length: size }, (_, k) => {
    let [re, im] = [0, 0];
    for (let n = 0; n < size; n += 1) {
      const angle = (-2 * Math.PI * k * n) / size;
      const [a, b] = [real[n] as number, imaginary[n] as number];
      re += a * Math.cos(angle) - b * Math.sin(angle);
      im += a * Math.sin(angle) + b * Math.cos(angle);
    }
    return [re, im];
  });
}

test.each([2, 4, 8, 64, 256])("the fast transform of %i numbers is the slow one", (size) => {
  const real = Float64Array.from({ length: size }, (_, i) => Math.sin(i * i) + (i % 3));
  const imaginary = Float64Array.from({ length: size }, (_, i) => Math.cos(7 * i));
  const expected = naive(real, imaginary);
  new Fft(size).transform(real, imaginary);
  for (const [k, [re, im]] of expected.entries()) {
    expect(real[k]).toBeCloseTo(re, 8);
    expect(imaginary[k]).toBeCloseTo(im, 8);
  }
});

test("a tone is a line at its frequency, all else at least as silent as the window lets it be", () => {
  const { columns, rows, levels, highest } = atOnce(spectrogramOf(samplesFrom([tone(8000, 1000)])));
  expect([rows, highest]).toEqual([128, 4000]);
  for (let column = 2; column < columns - 2; column += 1) {
    const loud = Array.from({ length: rows }, (_, row) => levels[row * columns + column] as number);
    const row = loud.indexOf(Math.max(...loud));
    expect(((rows - 0.5 - row) / rows) * highest).toBeCloseTo(1000, -2);
    expect(loud[row]).toBeGreaterThan(250);
    expect(loud[10]).toBeLessThan(40);
  }
});

test("a lower level in decibels is darker by its share of the range", () => {
  const quiet = tone(16_000, 1000).map((sample, i) => sample * (i < 8000 ? 1 : 0.01));
  const { columns, rows, levels } = atOnce(spectrogramOf(samplesFrom([quiet])));
  const loudest = (column: number) =>
    Math.max(...Array.from({ length: rows }, (_, row) => levels[row * columns + column] as number));
  const [before, after] = [loudest(Math.round(columns / 4)), loudest(Math.round((3 * columns) / 4))];
  expect(before - after).toBeCloseTo((255 * 40) / RANGE, -0.5);
});

test("silence, a single sample and several channels have a spectrogram, too", () => {
  expect(atOnce(spectrogramOf(samplesFrom([new Float32Array(4000)]))).levels.every((level) => level === 0)).toBe(true);
  const single = atOnce(spectrogramOf(samplesFrom([[0.5]])));
  expect(single.columns).toBe(1);
  const [loud, opposite] = [tone(4000, 500), tone(4000, 500).map((sample) => -sample)];
  const together = atOnce(spectrogramOf(samplesFrom([loud, opposite])));
  expect(Math.max(...together.levels)).toBe(0);
});

test("the louder, the lighter", () => {
  const lightness = Array.from({ length: 256 }, (_, level) => {
    const [red, green, blue] = colorOf(level);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  expect(lightness.every((light, i) => i === 0 || light >= (lightness[i - 1] as number))).toBe(true);
});
