// All colors and sizes, by theme: of the interface, where they are properties of CSS, and of what is drawn on canvases. Where
// a host has a color or a font of its own, CSS uses that. The colors of runs are in a table, which Python reads, too.

import table from "../../../tbwidget/options/run_colors.json";

export type Theme = keyof typeof table;
type ByTheme<T> = Readonly<Record<Theme, T>>;

export const BLACK = "#000000";
export const WHITE = "#ffffff";

/** The media query of pages whose user has chosen all colors. */
export const FORCED_COLORS = "(forced-colors: active)";

/** Instead of what is no color. */
export const GRAY = [128, 128, 128] as const;

/** Lightness, chroma and hue in degrees (OKLCH). */
type Oklch = readonly [lightness: number, chroma: number, hue: number];

function oklch(color: Oklch): string {
  return `oklch(${color.join(" ")})`;
}

/** Edges of a graph that carry references, in the drawing and in its legend. */
const referenceColor: ByTheme<Oklch> = { light: [0.68, 0.17, 52], dark: [0.76, 0.17, 52] };

/** A custom property of CSS, `--tbwidget-` and its name. */
interface Token {
  /** Properties of hosts, the first of which that is set has precedence. */
  readonly hosts?: readonly string[];
  readonly light: string;
  /** The same as in the light theme, unless given. */
  readonly dark?: string;
  /** A color of the system, where the user has chosen all colors; of what is no color there is none. */
  readonly forced?: string;
  /** Percent of white that is mixed into it in the dark theme, also where it is a host's. */
  readonly whiteInDark?: number;
}

const TOKENS = {
  paper: {
    hosts: ["--jp-layout-color1", "--vscode-editor-background"],
    light: WHITE,
    dark: "#1e1e1e",
    forced: "Canvas",
  },
  shade: {
    hosts: ["--jp-layout-color2", "--vscode-editorWidget-background"],
    light: "#f5f5f5",
    dark: "#2b2b2b",
    forced: "Canvas",
  },
  rule: {
    hosts: ["--jp-border-color2", "--vscode-panel-border"],
    light: "#e0e0e0",
    dark: "#424242",
    forced: "ButtonBorder",
  },
  // Around controls: a contrast of 3:1 to paper and shade.
  "rule-control": { light: "#8a8a8a", dark: "#787878", forced: "ButtonBorder" },
  // Around what has no shadow.
  outline: { hosts: ["--jp-border-color1", "--vscode-panel-border"], light: "#bdbdbd", forced: "CanvasText" },
  ink: {
    hosts: ["--jp-ui-font-color1", "--vscode-editor-foreground"],
    light: "#212121",
    dark: "#e0e0e0",
    forced: "CanvasText",
  },
  quiet: {
    hosts: ["--jp-ui-font-color2", "--vscode-descriptionForeground"],
    light: "#616161",
    dark: "#b0b0b0",
    forced: "CanvasText",
  },
  accent: {
    hosts: ["--jp-brand-color1", "--vscode-textLink-foreground"],
    light: "#1976d2",
    dark: "#64b5f6",
    forced: "Highlight",
  },
  // Hosts' reds are for borders: as text they have a contrast of 3 to 4 to dark paper.
  wrong: {
    hosts: ["--jp-error-color1", "--vscode-errorForeground"],
    light: "#d32f2f",
    dark: "#e57373",
    forced: "CanvasText",
    whiteInDark: 28,
  },
  // The dot before the dashboard's state.
  idle: { light: "#9e9e9e", forced: "GrayText" },
  live: { light: "#2e9e4f", forced: "Highlight" },
  busy: { light: "#e6a100", forced: "CanvasText" },
  failed: { light: "#d32f2f", forced: "CanvasText" },
  // Comparisons and searches of texts.
  removed: { light: "#e53935", forced: "CanvasText" },
  added: { light: "#43a047", forced: "CanvasText" },
  found: { light: "#ffb300", forced: "Highlight" },
  "found-now": { light: "#ff9100", forced: "Highlight" },
  reference: { light: oklch(referenceColor.light), dark: oklch(referenceColor.dark) },
  // On pictures and spectrograms, whatever the theme.
  veil: { light: "#00000099", forced: "Canvas" },
  "on-veil": { light: WHITE, forced: "CanvasText" },
  checker: { light: "rgb(128 128 128 / 30%)" },
  shadow: { light: "#00000033" },
  "soft-shadow": { light: "#00000022" },
  // A host's font may be larger, but rows of lists have a height in pixels.
  "host-size": { hosts: ["--jp-ui-font-size1", "--vscode-font-size"], light: "13px" },
  "text-size": { light: "clamp(11px, var(--tbwidget-host-size), 16px)" },
  "small-size": { light: "calc(var(--tbwidget-text-size) - 1px)" },
  "tiny-size": { light: "calc(var(--tbwidget-text-size) - 2px)" },
  "font-family": {
    hosts: ["--jp-ui-font-family", "--vscode-font-family"],
    light: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  },
  "code-family": {
    hosts: ["--jp-code-font-family", "--vscode-editor-font-family"],
    light: "ui-monospace, monospace",
  },
} as const satisfies Readonly<Record<string, Token>>;

export type TokenName = keyof typeof TOKENS;

/** CSS of a token in a theme: the host's value, or else ours. */
export function token(name: TokenName, theme: Theme): string {
  const { hosts = [], light, dark = light, whiteInDark = 0 }: Token = TOKENS[name];
  const value = hosts.reduceRight((other, host) => `var(${host},${other})`, theme === "dark" ? dark : light);
  return theme === "dark" && whiteInDark > 0 ? `color-mix(in srgb,${value} ${100 - whiteInDark}%,${WHITE})` : value;
}

/** The color of a token where the host has none. */
export function ownColor(name: "paper" | "ink", theme: Theme): string {
  return TOKENS[name][theme];
}

/** The style sheet that declares all tokens on elements of a class. */
export function tokenSheet(root: string): string {
  const names = Object.keys(TOKENS) as TokenName[];
  const declared = (textOf: (name: TokenName) => string | undefined) =>
    names.flatMap((name) => {
      const value = textOf(name);
      return value === undefined ? [] : `--tbwidget-${name}:${value};`;
    });
  const dark = (name: TokenName) => (token(name, "dark") === token(name, "light") ? undefined : token(name, "dark"));
  const forced = (name: TokenName) => (TOKENS[name] as Token).forced;
  return [
    `.${root}{${declared((name) => token(name, "light")).join("")}}`,
    `.${root}[data-theme="dark"]{${declared(dark).join("")}}`,
    `@media ${FORCED_COLORS}{.${root}[data-theme]{${declared(forced).join("")}}}`,
  ].join("\n");
}

/**
 * Colors of runs, in the order in which they are given. The first eight are told apart with any of the common color vision
 * deficiencies, too. Any two of the first twenty are at least 0.1 apart in OKLab, neighbors 0.15, and all have a contrast of
 * 3:1 to the page. A color has the same hue in both themes.
 */
export const runColors: ByTheme<readonly string[]> = table;

/** Runs that have no value or group that would give them a color. */
export const noColor: ByTheme<string> = { light: "#8c8c8c", dark: "#8f8f8f" };

/** A line of all runs together, which has no run's color. */
export const allRunsColor: ByTheme<string> = { light: "#3c3c3c", dark: "#dcdcdc" };

/** The average of the PR curves of a single run, whose tags take the other colors. */
export const onlyAverageColor: ByTheme<string> = { light: "#303030", dark: "#e6e6e6" };

/** Points of the projector that no column colors. */
export const plainPointColor: ByTheme<string> = { light: "#3a6fb0", dark: "#7fb0e6" };

/** Axes and labels of charts; `paper` is about text that stands on data. */
export const chartColors = {
  light: { label: "#616161", grid: "#00000014", axis: "#00000033", paper: "#ffffffcc" },
  dark: { label: "#b0b0b0", grid: "#ffffff14", axis: "#ffffff33", paper: "#111111cc" },
} as const satisfies ByTheme<unknown>;

/** Rings around a point, a dark line in a light one, seen on any color; with their widths in CSS pixels. */
export const RINGS = [
  [WHITE, 4],
  [BLACK, 1.5],
] as const;

/**
 * Lightness and hue (OKLCH) at both ends of a continuous scale: violet to green, ever lighter, and lines in it have a contrast
 * of 3:1 to the page.
 */
export const scaleEnds = {
  light: [
    [0.32, 300],
    [0.65, 115],
  ],
  dark: [
    [0.55, 300],
    [0.92, 110],
  ],
} as const satisfies ByTheme<unknown>;
export const SCALE_CHROMA = 0.15;

/** Of a spectrogram, from silence to the loudest: evenly lighter to the eye, and told apart by those who see few colors (“magma”). */
export const LOUDNESS_COLORS = [
  [0, 0, 4],
  [28, 16, 68],
  [79, 18, 123],
  [129, 37, 129],
  [181, 54, 122],
  [229, 80, 100],
  [251, 135, 97],
  [254, 194, 135],
  [252, 253, 191],
] as const;

type Shade = readonly [lightness: number, chroma: number];

interface GraphColors {
  readonly hues: readonly number[];
  readonly turn: number;
  readonly rounds: ByTheme<readonly [Shade, ...Shade[]]>;
  readonly ramp: ByTheme<readonly [from: Oklch, to: Oklch]>;
  readonly found: ByTheme<Oklch>;
  readonly reference: ByTheme<Oklch>;
}

/** A graph: what is filled in classes, in how much of something, and what a search has found. */
export const graphColors: GraphColors = {
  /** Hues of classes, neighbors in the list far apart; every other round is turned by some degrees. */
  hues: [255, 60, 150, 340, 100, 205, 25, 300, 175, 125],
  turn: 18,
  /** Lightness and chroma of each round through the hues: soft enough for text on them. */
  rounds: {
    light: [
      [0.86, 0.075],
      [0.78, 0.1],
      [0.92, 0.05],
      [0.72, 0.07],
    ],
    dark: [
      [0.46, 0.085],
      [0.56, 0.1],
      [0.38, 0.07],
      [0.62, 0.06],
    ],
  },
  /** From nearly nothing to a warm red. */
  ramp: {
    light: [
      [0.965, 0.02, 65],
      [0.7, 0.16, 30],
    ],
    dark: [
      [0.32, 0.02, 65],
      [0.6, 0.16, 30],
    ],
  },
  found: { light: [0.76, 0.17, 80], dark: [0.83, 0.17, 80] },
  reference: referenceColor,
};
