// Draws all plots of a card onto its canvas.

import { KINDS, positionsOf } from "../../charts/along";
import type { Box } from "../../charts/chart";
import { furniture } from "../../lib/colours";
import { formatCount } from "../../lib/format";
import { lastUpTo } from "../../lib/search";
import { strings } from "../../lib/strings";
import { type AxisColours, drawBottom, drawTitle, drawUpright } from "./axes";
import { pixelsOf } from "./heatmap";
import type { Layout, Plot, Scene } from "./layout";
import { drawLegend, legendOf } from "./legend";
import { type Ground, paintRidges } from "./paint";
import { nameSteps } from "./pointed";
import { share } from "./profile";
import { footOf, type Ridge } from "./ridges";
import { css, parseColour } from "./shades";

interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly scene: Scene;
  readonly layout: Layout;
  readonly ground: Ground;
  readonly colours: AxisColours;
  /** Canvas pixels to one of the page. */
  readonly ratio: number;
}

export function drawPlots(
  context: CanvasRenderingContext2D,
  scene: Scene,
  layout: Layout,
  ground: Ground,
  hovered: Ridge | null,
  ratio: number,
): void {
  const drawing: Drawing = { context, scene, layout, ground, colours: furniture[scene.theme], ratio };
  const { plots } = layout;
  for (const plot of plots) {
    const { left, top, width, height } = plot.facet;
    const [x, y] = [Math.round(left * ratio), Math.round(top * ratio)];
    const box = { left: x, top: y, width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (plot.map === null) {
      drawRidges(drawing, plot, box, hovered);
    } else {
      drawMap(drawing, plot, box);
    }
    const [only] = plot.runs;
    if (plots.length > 1 && only !== undefined) {
      drawTitle(context, box, only, scene.shared, drawing.colours, ratio);
    }
  }
  const map = plots[0]?.map;
  if (map && layout.heights.top > 0) {
    const [first, ...others] = plots.flatMap(({ runs }) => runs);
    // Of several runs each has its own colours: what they share is how strong these are.
    const colour = first === undefined || others.length > 0 ? drawing.colours.label : first.colour;
    const right = Math.max(...plots.map(({ facet }) => facet.left + facet.width)) * ratio;
    const legend = legendOf(layout.heights, layout.values, map.cells);
    drawLegend(context, legend, parseColour(colour), ground, drawing.colours, right, ratio);
  }
}

function drawRidges(drawing: Drawing, { ridges }: Plot, box: Box, hovered: Ridge | null): void {
  const { context, scene, ground, colours, ratio } = drawing;
  if (ridges === null) {
    return;
  }
  const kind = KINDS[scene.look.along];
  const offset = scene.mode === "offset";
  drawBottom(context, box, ridges.values, "number", colours, ratio);
  const linked = ridges.ridges.filter((ridge) => ridge.linked);
  if (offset && ridges.ridges.length > 0) {
    const plain = { ...colours, grid: "transparent" };
    const named = scene.look.along === "step" ? linked.map(({ at }) => at) : [];
    drawUpright(context, box, ridges.steps, kind, (at) => footOf(ridges, at), true, plain, ratio, named);
  }
  paintRidges(context, box, ridges, ground, hovered, ratio);
  const right = box.left + box.width;
  if (offset && scene.look.along === "step") {
    const places = linked.map(({ row, at }) => {
      return { name: formatCount(row.step), x: right + 3 * ratio, y: box.top + footOf(ridges, at) * box.height };
    });
    nameSteps(context, places, "right", ground, box, ratio);
    return;
  }
  const first = linked[0];
  const steps = linked.map(({ row }) => row.step).sort((a, b) => (a < b ? -1 : 1));
  if (first !== undefined) {
    const foot = box.top + footOf(ridges, first.at) * box.height;
    // Where the ridge itself is not.
    const side = emptier(first.profile);
    const name = strings.stepName([...new Set([steps[0], steps.at(-1)])].map((step) => formatCount(step ?? 0)));
    const y = offset ? foot - 9 * ratio : box.top + 9 * ratio;
    nameSteps(context, [{ name, x: side === "left" ? right : box.left, y }], side, ground, box, ratio);
  }
}

/** Of which end of the plot a name is on the left, or the right, so that it covers less. */
function emptier(profile: Float64Array): "left" | "right" {
  const end = Math.ceil(profile.length / 4);
  const most = (part: Float64Array) => part.reduce((a, b) => Math.max(a, b), 0);
  return most(profile.subarray(0, end)) < most(profile.subarray(profile.length - end)) ? "right" : "left";
}

function drawMap(drawing: Drawing, { map }: Plot, box: Box): void {
  const { context, scene, layout, ground, colours, ratio } = drawing;
  const { steps, values, heights } = layout;
  if (map === null) {
    return;
  }
  drawBottom(context, box, steps, KINDS[scene.look.along], colours, ratio);
  drawUpright(context, box, values, "number", (v) => 1 - share(v, values), false, colours, ratio);
  const picture = context.canvas.ownerDocument.createElement("canvas");
  [picture.width, picture.height] = [map.columns.length, map.cells];
  picture.getContext("2d")?.putImageData(pixelsOf(map, heights, ground.paper, ground.ink), 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, box.left, box.top, box.width, box.height);
  // The column of the linked step.
  const { series } = map.run;
  const { linked, along } = scene.look;
  const row = linked === null ? -1 : lastUpTo(positionsOf(series, "step"), linked);
  const [at, held] = [positionsOf(series, along)[row], series.rows[row]];
  const x = at === undefined ? -1 : share(at, steps);
  if (x >= 0 && x <= 1 && held !== undefined) {
    // Between two lines: it is to be seen itself.
    const middle = Math.floor(box.left + x * box.width);
    context.fillStyle = css(ground.ink);
    context.fillRect(middle - 3 * ratio, box.top, ratio, box.height);
    context.fillRect(middle + 3 * ratio, box.top, ratio, box.height);
    const name = along === "step" ? formatCount(held.step) : strings.stepName([formatCount(held.step)]);
    nameSteps(context, [{ name, x: middle, y: box.top + 8 * ratio }], "middle", ground, box, ratio);
  }
}
