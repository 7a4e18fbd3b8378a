// The colors of a drawn graph, mixed from the page's colors.

import { css, mixed, type PageColors, type Rgb, rgbOf } from "../../../charts/theme";
import { oklchToHex } from "../../../lib/colors";
import { BLACK, graphColors, type Theme, WHITE } from "../../../lib/tokens";

/** Colors of a box: fill, border, text, and one color for a box of a few pixels. */
export interface BoxColors {
  readonly fill: string;
  readonly border: string;
  readonly text: string;
  readonly tiny: string;
}

export interface Colors {
  readonly paper: string;
  readonly ink: string;
  readonly quiet: string;
  readonly rule: string;
  readonly accent: string;
  /** Hits of a search. */
  readonly mark: string;
  /** Edges that carry data: thicker ones are paler. From 0 to 1. */
  data(thickness: number): string;
  readonly control: string;
  readonly reference: string;
  /** Edges that are drawn faintly. */
  readonly faint: string;
  readonly auxiliary: string;
  readonly op: BoxColors;
  readonly scope: BoxColors;
  /** Background of a scope's contents, by its depth and its CSS color; its border. */
  opened(depth: number, color: string | undefined): string;
  readonly openedBorder: string;
  /** Colors of a box filled in a CSS color. */
  filled(color: string): BoxColors;
  /** Title bar of an opened scope that is filled in a CSS color. */
  title(color: string): string;
}

/** Shares of ink in the paper. */
const SHARES = {
  light: { op: 0, scope: 0.1, edge: 0.55, control: 0.5, faint: 0.16, depth: 0.03 },
  dark: { op: 0.15, scope: 0.24, edge: 0.6, control: 0.55, faint: 0.2, depth: 0.035 },
} as const;
const MAX_SHADED_DEPTH = 5;

const blackAndWhite = [rgbOf(BLACK), rgbOf(WHITE)] as const;

/** `isForced`: the user has chosen all colors, so that texts and borders have the page's ink. */
export function colorsOf(
  { background, foreground }: PageColors,
  accent: string,
  theme: Theme,
  isForced = false,
): Colors {
  const share = SHARES[theme];
  const inked = (part: number) => mixed(background, foreground, part);
  const dark = theme === "dark";
  const known = new Map<string, BoxColors>();
  const boxColors = (fill: Rgb): BoxColors => ({
    fill: css(fill),
    border: css(mixed(fill, foreground, isForced ? 1 : dark ? 0.35 : 0.4)),
    text: css(textOn(fill, background, foreground)),
    tiny: css(mixed(fill, foreground, 0.15)),
  });
  const bodies = new Map<string, string>();
  const body = (depth: number, color: string | undefined): Rgb => {
    const plain = inked(0.015 + share.depth * Math.min(MAX_SHADED_DEPTH, depth));
    return color === undefined ? plain : mixed(plain, rgbOf(color), 0.1);
  };
  return {
    paper: css(background),
    ink: css(foreground),
    quiet: css(inked(isForced ? 1 : 0.66)),
    rule: css(inked(0.25)),
    accent,
    mark: oklchToHex(...graphColors.found[theme]),
    data: (thickness) => css(inked(share.edge * (1 - 0.4 * thickness))),
    control: css(inked(share.control)),
    reference: oklchToHex(...graphColors.reference[theme]),
    faint: css(inked(share.faint)),
    auxiliary: css(inked(dark ? 0.1 : 0.06)),
    op: { ...boxColors(inked(share.op)), tiny: css(inked(0.32)) },
    scope: { ...boxColors(inked(share.scope)), tiny: css(inked(0.4)) },
    opened: (depth, color) => {
      const key = `${depth} ${color}`;
      const found = bodies.get(key) ?? css(body(depth, color));
      bodies.set(key, found);
      return found;
    },
    openedBorder: css(inked(isForced ? 1 : 0.32)),
    filled: (color) => {
      let found = known.get(color);
      if (found === undefined) {
        found = boxColors(rgbOf(color));
        known.set(color, found);
      }
      return found;
    },
    title: (color) => css(mixed(background, rgbOf(color), 0.5)),
  };
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((byte) => (byte <= 10 ? byte / 3294 : ((byte / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (r as number) + 0.7152 * (g as number) + 0.0722 * (b as number);
}

/** How well one color can be told from another, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** The page's ink or paper, whichever can be read on a color; if neither can, black or white. */
export function textOn(fill: Rgb, background: Rgb, foreground: Rgb): Rgb {
  const candidates: readonly Rgb[] = [foreground, background, ...blackAndWhite];
  const good = candidates.find((each) => contrast(each, fill) >= 4.5);
  const [black, white] = blackAndWhite;
  return good ?? (contrast(black, fill) > contrast(white, fill) ? black : white);
}
