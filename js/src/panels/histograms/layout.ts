// What is where on a card: its plots, their axes, and what is drawn of each run.

import { KINDS, positionsOf } from "../../charts/along";
import { type Facet, facetsOf, type Margins } from "../../charts/facets";
import type { Theme } from "../../lib/colours";
import { widthBeside } from "./axes";
import { placesSpanned, valueRange } from "./choose";
import { type Heatmap, heatHeights, heatmapOf } from "./heatmap";
import type { Heights } from "./heights";
import type { Range } from "./profile";
import { type Look, type Mode, type Ridges, type RunSeries, ridgesOf } from "./ridges";

/** All that a drawing depends on. Zoomed parts of the plane are the chart's own. */
export interface Scene {
  readonly runs: readonly RunSeries[];
  readonly look: Omit<Look, "steps" | "values">;
  readonly mode: Mode | "heatmap";
  /** All runs in one plot, where the mode allows that. */
  readonly together: boolean;
  /** Characters that the names of all runs begin with alike. */
  readonly shared: number;
  readonly theme: Theme;
}

/** The part of the plane that is in sight; null for all. */
export interface Zoom {
  readonly steps: Range | null;
  readonly values: Range | null;
}

/** One plot: its place, its runs, and what is drawn of them. */
export interface Plot {
  readonly facet: Facet;
  readonly runs: readonly RunSeries[];
  readonly ridges: Ridges | null;
  readonly map: Heatmap | null;
}

export interface Layout {
  readonly plots: readonly Plot[];
  /** What is in sight. */
  readonly steps: Range;
  readonly values: Range;
  readonly heights: Heights;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** CSS pixels: of a plot's name, and of the colour scale above all plots. */
const TITLE = 18;
const LEGEND = 18;
const MARGINS: Record<Mode | "heatmap", Margins> = {
  offset: { left: 12, right: 40, top: 4, bottom: 24 },
  overlay: { left: 12, right: 14, top: 4, bottom: 24 },
  heatmap: { left: 40, right: 14, top: 4, bottom: 24 },
};

/** Works out what is where in so many CSS pixels; `ratio` are canvas pixels to one of them. */
export function layOut(scene: Scene, zoom: Zoom, size: Size, ratio: number): Layout {
  const { runs, mode } = scene;
  const look: Look = { ...scene.look, ...zoom };
  const together = scene.together && mode !== "heatmap";
  const above = mode === "heatmap" ? LEGEND : 0;
  const rows = runs.flatMap(({ series }) => series.rows);
  const values = mode === "heatmap" ? (look.values ?? valueRange(rows, look.ignoreOutliers)) : null;
  const spanned = look.steps ?? placesSpanned(runs, look.along);
  const room = { ...size, height: Math.max(1, size.height - above) };
  const facets = facetsOf(
    runs.length,
    together,
    room.width,
    room.height,
    marginsFor(scene, values ?? spanned, room.height),
  ).map((facet) => ({ ...facet, top: facet.top + above }));
  const shown = runs.slice(0, together ? runs.length : facets.length);
  const of = (facet: Facet) => facet.runs.flatMap((i) => shown[i] ?? []);
  const columns = Math.max(1, Math.round((facets[0]?.width ?? 1) * ratio));
  if (values !== null) {
    const map = (run: RunSeries, { height }: Facet) =>
      heatmapOf(run, positionsOf(run.series, look.along), spanned, values, columns, Math.round(height * ratio));
    const plots = facets.map((facet) => {
      const [held] = of(facet);
      return { facet, runs: of(facet), ridges: null, map: held === undefined ? null : map(held, facet) };
    });
    const heights = heatHeights(
      plots.flatMap((plot) => plot.map ?? []),
      look,
    );
    return { plots, steps: spanned, values, heights };
  }
  const sharing = together ? shown.length : 1;
  const all = ridgesOf(shown, look, mode === "overlay" ? "overlay" : "offset", columns, sharing, facets[0]?.height);
  const plots = facets.map((facet) => {
    const held = of(facet);
    const ridges = facets.length === 1 ? all.ridges : all.ridges.filter(({ run }) => held.includes(run));
    return { facet, runs: held, ridges: { ...all, ridges }, map: null };
  });
  return { plots, steps: look.steps ?? all.steps, values: all.values, heights: all.heights };
}

/** Beside the upright axis there is room for its labels. */
function marginsFor({ runs, mode, together, look }: Scene, along: Range, height: number): Margins {
  const usual = MARGINS[mode];
  const top = runs.length > 1 && (!together || mode === "heatmap") ? usual.top + TITLE : usual.top;
  if (mode === "overlay") {
    return { ...usual, top };
  }
  const kind = mode === "heatmap" ? "number" : KINDS[look.along];
  const side = widthBeside(kind, along, height);
  return mode === "heatmap"
    ? { ...usual, top, left: Math.max(usual.left, side) }
    : { ...usual, top, right: Math.max(usual.right, side) };
}
