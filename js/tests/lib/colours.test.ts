import { describe, expect, test } from "vitest";
import { oklchToHex, runColour, type Theme } from "../../src/lib/colours";

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function distance(a: string, b: string): number {
  const other = channels(b);
  return Math.hypot(...channels(a).map((channel, i) => channel - (other[i] ?? 0)));
}

const themes: Theme[] = ["light", "dark"];

describe.each(themes)("runs on %s ground", (theme) => {
  const colours = Array.from({ length: 50 }, (_, i) => runColour(i, theme));

  test("fifty colours differ", () => {
    expect(new Set(colours).size).toBe(50);
  });

  test("the first ten are far apart", () => {
    const first = colours.slice(0, 10);
    for (const [i, a] of first.entries()) {
      for (const b of first.slice(i + 1)) {
        expect(distance(a, b)).toBeGreaterThan(0.2);
      }
    }
  });

  test("all stand out from the ground", () => {
    const ground = theme === "light" ? 1 : luminance("#212121");
    for (const colour of colours) {
      const [low, high] = [luminance(colour), ground].sort((a, b) => a - b);
      expect(((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)).toBeGreaterThan(2);
    }
  });
});

test("grey and white are what they are in sRGB", () => {
  expect(oklchToHex(1, 0, 0)).toBe("#ffffff");
  expect(oklchToHex(0, 0, 0)).toBe("#000000");
  expect(oklchToHex(0.628, 0.2577, 29.23)).toMatch(/^#f[ef]0[0-9a-f]0[0-9a-f]$/);
});
