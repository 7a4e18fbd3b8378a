import { describe, expect, test } from "vitest";
import { oklchToHex, runColor, scaleColor } from "../../src/lib/colors";
import { noColor, ownColor, type Theme, token } from "../../src/lib/tokens";

/** Linear sRGB seen without one type of cones: Machado, Oliveira and Fernandes (2009), table 1, severity 1. */
const DEFICIENCIES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Minimum distance ΔE (CIE 1976) between any two of the first eight colors; 2.3 is just noticeable. */
const FAR = 15;

function product(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * (vector[i] ?? 0), 0));
}

/** Converts linear sRGB to CIE L*a*b* (D65). */
function lab(linear: readonly number[]): number[] {
  const xyz = product(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    linear,
  );
  const [x = 0, y = 0, z = 0] = [0.95047, 1, 1.08883].map((white, i) => {
    const t = (xyz[i] ?? 0) / white;
    return t > 216 / 24389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function linearized(color: string): number[] {
  return channels(color).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = linearized(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function distance(a: string, b: string): number {
  const other = channels(b);
  return Math.hypot(...channels(a).map((channel, i) => channel - (other[i] ?? 0)));
}

/** Converts a color to OKLab, as Ottosson defines it. */
function oklab(color: string): number[] {
  const cones = product(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    linearized(color),
  ).map(Math.cbrt);
  return product(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

function difference(one: readonly number[], other: readonly number[]): number {
  return Math.hypot(...one.map((value, axis) => value - (other[axis] ?? 0)));
}

/** Backgrounds of JupyterLab's themes. */
const PAGE: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#212121" };

const themes: Theme[] = ["light", "dark"];

describe.each(themes)("runs on %s ground", (theme) => {
  const colors = Array.from({ length: 50 }, (_, i) => runColor(i, theme));

  test("fifty colors differ", () => {
    expect(new Set(colors).size).toBe(50);
  });

  test("the first ten are far apart", () => {
    const first = colors.slice(0, 10);
    for (const [i, a] of first.entries()) {
      for (const b of first.slice(i + 1)) {
        expect(distance(a, b)).toBeGreaterThan(0.2);
      }
    }
  });

  test.each(Object.entries(DEFICIENCIES))("the first eight differ with %s", (_name, matrix) => {
    const seen = colors.slice(0, 8).map((color) => {
      const simulated = product(matrix, linearized(color));
      return lab(simulated.map((channel) => Math.min(1, Math.max(0, channel))));
    });
    for (const [i, a] of seen.entries()) {
      for (const b of seen.slice(i + 1)) {
        expect(Math.hypot(...a.map((value, axis) => value - (b[axis] ?? 0)))).toBeGreaterThan(FAR);
      }
    }
  });

  test("a scale gets lighter all along, and stands out from the ground", () => {
    const scale = Array.from({ length: 21 }, (_, i) => luminance(scaleColor(i / 20, theme)));
    expect(scale.slice(1).every((light, i) => light > (scale[i] ?? 0))).toBe(true);
    const ground = theme === "light" ? 1 : luminance("#212121");
    const [low, high] = [
      theme === "light" ? (scale.at(-1) ?? 0) : ground,
      theme === "light" ? ground : (scale[0] ?? 0),
    ];
    expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(3);
  });

  test("the first twenty are far apart, the more so where they are neighbors", () => {
    const first = colors.slice(0, 20).map(oklab);
    const pairs = first.flatMap((one, i) => first.slice(i + 1).map((other) => difference(one, other)));
    const neighbors = first.map((one, i) => difference(one, first[(i + 1) % first.length] as number[]));
    expect(Math.min(...pairs)).toBeGreaterThanOrEqual(0.1);
    expect(Math.min(...neighbors)).toBeGreaterThanOrEqual(0.15);
  });

  test("all differ from each other and from the color of runs without one", () => {
    const all = [...colors, noColor[theme]].map(oklab);
    const pairs = all.flatMap((one, i) => all.slice(i + 1).map((other) => difference(one, other)));
    expect(Math.min(...pairs)).toBeGreaterThan(0.05);
  });

  test("all have a contrast of at least 3:1 to the page", () => {
    const ground = luminance(PAGE[theme]);
    for (const color of colors) {
      const [low = 0, high = 0] = [luminance(color), ground].sort((a, b) => a - b);
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(3);
    }
  });
});

test.each(["light", "dark"] as const)("borders of controls have a contrast of 3:1 to their grounds, %s", (theme) => {
  const ownShade = /#\w+/.exec(token("shade", theme))?.[0] ?? "";
  const border = luminance(token("rule-control", theme));
  for (const ground of [PAGE[theme], ownColor("paper", theme), ownShade]) {
    const [low = 0, high = 0] = [border, luminance(ground)].sort((a, b) => a - b);
    expect((high + 0.05) / (low + 0.05), ground).toBeGreaterThanOrEqual(3);
  }
});

/** The difference in hue between two colors in OKLab, in degrees. */
function turn(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map((color) => {
    const [, green = 0, blue = 0] = oklab(color);
    return (Math.atan2(blue, green) * 180) / Math.PI;
  });
  return Math.abs(((b - a + 540) % 360) - 180);
}

test("a run has one hue on light and dark ground", () => {
  const turns = Array.from({ length: 50 }, (_, i) => turn(runColor(i, "light"), runColor(i, "dark")));
  expect(Math.max(...turns)).toBeLessThanOrEqual(5);
});

test("gray and white are what they are in sRGB", () => {
  expect(oklchToHex(1, 0, 0)).toBe("#ffffff");
  expect(oklchToHex(0, 0, 0)).toBe("#000000");
  expect(oklchToHex(0.628, 0.2577, 29.23)).toMatch(/^#f[ef]0[0-9a-f]0[0-9a-f]$/);
});
