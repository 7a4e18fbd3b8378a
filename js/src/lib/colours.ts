// Colours of runs. The first ten are as far apart as ten can be; further rounds change lightness, and the eye's help is
// the list of runs, where pointing at one brings its line forward.

/** Hues in degrees (OKLCH), neighbours in the list far apart; each with the lightness by which it leaves its round's. */
const HUES = [
  [258, -0.03],
  [50, 0.04],
  [148, 0],
  [335, 0],
  [92, 0.07],
  [215, 0.08],
  [22, -0.06],
  [298, -0.02],
  [182, -0.08],
  [118, -0.02],
] as const;

/** Lightness and chroma of each round through the hues, on light and on dark ground. */
const ROUNDS = {
  light: [
    [0.6, 0.18],
    [0.69, 0.15],
    [0.5, 0.16],
    [0.66, 0.11],
    [0.44, 0.12],
  ],
  dark: [
    [0.72, 0.16],
    [0.84, 0.11],
    [0.62, 0.17],
    [0.78, 0.08],
    [0.68, 0.12],
  ],
} as const;

/** Degrees by which each round is turned, so that its hues fall between those of the others. */
const TURNS = [0, 18, 9, 27, 4];

export type Theme = keyof typeof ROUNDS;

/** Colour of the n-th run, as #rrggbb. */
export function runColour(index: number, theme: Theme): string {
  const [hue, lighter] = HUES[index % HUES.length] ?? HUES[0];
  const rounds = ROUNDS[theme];
  const round = Math.floor(index / HUES.length);
  const [lightness, chroma] = rounds[round % rounds.length] ?? rounds[0];
  return oklchToHex(lightness + lighter, chroma, hue + (TURNS[round % TURNS.length] ?? 0));
}

/** Canvas colours of a chart's furniture. */
export const furniture = {
  light: { label: "#616161", grid: "#00000014", axis: "#00000033" },
  dark: { label: "#b0b0b0", grid: "#ffffff14", axis: "#ffffff33" },
} as const;

/** OKLCH to sRGB; colours outside lose chroma until they fit. */
export function oklchToHex(lightness: number, chroma: number, hue: number): string {
  for (let c = chroma; ; c -= 0.005) {
    const channels = oklchToSrgb(lightness, Math.max(0, c), hue);
    if (c <= 0 || channels.every((channel) => channel >= -0.001 && channel <= 1.001)) {
      return `#${channels.map(toHexByte).join("")}`;
    }
  }
}

function oklchToSrgb(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(gamma);
}

function gamma(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function toHexByte(channel: number): string {
  const byte = Math.round(Math.min(1, Math.max(0, channel)) * 255);
  return byte.toString(16).padStart(2, "0");
}
