// How the tags of one chart are told apart, where colours are those of runs: by dashes, and then by lightness.

import type { Theme } from "../lib/colours";

/** CSS pixels that are drawn and left out in turn. */
const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [14, 4]];

/** By how much each round through the dashes is nearer to the ink than the one before. */
const SHADE = 0.4;

export interface TagStyle {
  readonly dash: readonly number[];
  /** The colour of a run, as #rrggbb, for this tag. */
  colourOf(colour: string): string;
}

export function tagStyle(index: number, theme: Theme): TagStyle {
  const round = Math.floor(index / DASHES.length);
  const share = 1 - (1 - SHADE) ** round;
  return {
    dash: DASHES[index % DASHES.length] ?? [],
    colourOf: (colour) => (round === 0 ? colour : mixed(colour, theme === "light" ? 0 : 255, share)),
  };
}

function mixed(colour: string, towards: number, share: number): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const hex = channels.map((channel) =>
    Math.round(channel + (towards - channel) * share)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}
