// Cards as one picture: their titles, the runs shown, and their charts, painted as on the screen.

import type { Camera } from "../../charts/camera";
import { CUT_HEIGHT, type CutMark } from "../../charts/cuts";
import { TITLE } from "../../charts/facets";
import type { PaintContext, Size, Surface } from "../../charts/geometry";
import type { ChartContent } from "../../charts/layout";
import type { StepLabel } from "../../charts/linkedstep";
import type { Plot } from "../../charts/plot";
import { fittedName, labelFont, measureLabel, titleFont } from "../../charts/text";
import { css, type PageColors } from "../../charts/theme";
import { formatCount } from "../../lib/format";
import { fittedNames } from "../../lib/names";
import { bisect } from "../../lib/search";
import { CARD_GAP } from "../arranging";
import type { LegendEntry } from "../mountchart";
import { cardTexts } from "../texts";

/** A card as it is drawn. */
export interface CardPicture {
  readonly title: string;
  readonly legend: readonly LegendEntry[];
  /** Size of its chart, in CSS pixels. */
  readonly size: Size;
  readonly content: ChartContent<unknown>;
  readonly camera: Camera;
}

/** A picture for a canvas or an SVG. */
export interface Picture extends Size {
  readonly title: string;
  paint(surface: Surface): void;
}

/** CSS pixels around the picture, and between cards. */
const MARGIN = 12;
const GAP = 18;

/** CSS pixels of the borders of a card on the screen. */
const BORDERS = 2;

/** CSS pixels of a title, of a line of the legend, from one entry to the next, and of the stroke before each. */
const TITLE_LINE = 22;
const LEGEND_LINE = 16;
const GAP_PX = 14;
const STROKE = 16;
const SWATCH_GAP_PX = 5;

/** Entries of a legend; more are counted. */
const MAX_ENTRIES = 60;

/** The share of a chart's height that the legend may add to it; it has at least one line. */
const MAX_LEGEND_SHARE = 0.2;

/** CSS pixels of the longest name in a legend. */
const MAX_ENTRY_WIDTH_PX = 280;

/** The linked step on an axis: CSS pixels of its height, and of its rounded corners' radius. */
const FLAG = 16;

/** CSS pixels of the dot before the name of a plot's run. */
const DOT = 7;

interface Placed extends LegendEntry {
  readonly left: number;
  readonly line: number;
}

interface PlacedCard {
  readonly card: CardPicture;
  readonly legend: readonly Placed[];
  readonly left: number;
  readonly top: number;
}

/** One card, or several in rows of at most `room` pixels, below the entries that their legends share. */
export function pictureOf(cards: readonly CardPicture[], title: string, room: number, page: PageColors): Picture {
  const several = cards.length > 1;
  const common = several ? shared(cards) : [];
  const width = widthOf(cards, room) + 2 * MARGIN;
  const above = placed(common, width - 2 * MARGIN, inRows(cards, common, width, 0).bottom);
  const begin = MARGIN + (several ? TITLE_LINE + heightOf(above) + GAP / 2 : 0);
  const { found, bottom } = inRows(cards, common, width, begin);
  return {
    title,
    width,
    height: bottom + MARGIN,
    paint: (surface) => {
      const { context, ratio } = surface;
      context.fillStyle = css(page.background);
      context.fillRect(0, 0, width * ratio, (bottom + MARGIN) * ratio);
      if (several) {
        paintTitle(surface, title, MARGIN, MARGIN, width - 2 * MARGIN, page);
        paintLegend(surface, above, MARGIN, MARGIN + TITLE_LINE, page);
      }
      for (const one of found) {
        paintCard(surface, one, page);
      }
    },
  };
}

/** Width for the screen's number of columns; frames and gaps of cards take less room here. */
function widthOf(cards: readonly CardPicture[], room: number): number {
  const widths = cards.map(({ size }) => size.width);
  const narrowest = Math.min(...widths);
  const columns = Math.min(cards.length, Math.max(1, Math.floor((room + CARD_GAP) / (narrowest + BORDERS + CARD_GAP))));
  return Math.max(columns * narrowest + (columns - 1) * GAP, ...widths);
}

function keyOf({ text, color, dash = [] }: LegendEntry): string {
  return JSON.stringify([text, color, dash]);
}

/** Entries that stand in the legends of at least two cards, and once above all. */
function shared(cards: readonly CardPicture[]): LegendEntry[] {
  const counts = new Map<string, number>();
  for (const key of cards.flatMap(({ legend }) => [...new Set(legend.map(keyOf))])) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const entries = new Map(cards.flatMap(({ legend }) => legend.map((entry) => [keyOf(entry), entry])));
  return [...entries].filter(([key]) => (counts.get(key) ?? 0) > 1).map(([, entry]) => entry);
}

function inRows(cards: readonly CardPicture[], common: readonly LegendEntry[], width: number, begin: number) {
  const known = new Set(common.map(keyOf));
  const found: PlacedCard[] = [];
  let [left, top, bottom] = [MARGIN, begin, begin];
  for (const card of cards) {
    if (left > MARGIN && left + card.size.width > width - MARGIN + 1) {
      [left, top] = [MARGIN, bottom + GAP];
    }
    const legend = placed(
      card.legend.filter((entry) => !known.has(keyOf(entry))),
      card.size.width,
      card.size.height,
    );
    found.push({ card, legend, left, top });
    bottom = Math.max(bottom, top + TITLE_LINE + heightOf(legend) + card.size.height);
    left += card.size.width + GAP;
  }
  return { found, bottom };
}

/** Entries side by side, in few lines of a picture so high; the rest are counted. */
function placed(entries: readonly LegendEntry[], width: number, height: number): Placed[] {
  const lines = Math.max(1, Math.floor((MAX_LEGEND_SHARE * height) / LEGEND_LINE));
  const texts = fittedNames(
    entries.slice(0, MAX_ENTRIES).map(({ text }) => text),
    Math.min(MAX_ENTRY_WIDTH_PX, width - STROKE - SWATCH_GAP_PX),
    measureLabel,
  );
  const first = (count: number) => {
    const more = entries.length - count;
    const rest = more > 0 ? [{ text: cardTexts().moreRuns(more, formatCount(more)), color: null }] : [];
    let [left, line] = [0, 0];
    return [...entries.slice(0, count), ...rest].map((entry) => {
      const text = texts.get(entry.text)?.text ?? entry.text;
      const own = STROKE + SWATCH_GAP_PX + measureLabel(text);
      if (left > 0 && left + own > width) {
        [left, line] = [0, line + 1];
      }
      const place = { ...entry, text, left, line };
      left += own + GAP_PX;
      return place;
    });
  };
  const fits = (count: number) => (first(count).at(-1)?.line ?? 0) < lines;
  const most = Math.min(entries.length, MAX_ENTRIES);
  return first(fits(most) ? most : bisect(1, most, fits) - 1);
}

function heightOf(legend: readonly Placed[]): number {
  return legend.length === 0 ? 0 : LEGEND_LINE * ((legend.at(-1)?.line ?? 0) + 1) + 4;
}

function paintTitle(
  { context, ratio }: Surface,
  title: string,
  left: number,
  top: number,
  width: number,
  page: PageColors,
) {
  context.font = titleFont(ratio);
  context.fillStyle = css(page.foreground);
  context.textAlign = "left";
  context.textBaseline = "middle";
  // No line breaks: a title has one line.
  const name = title.replace(/\s+/g, " ");
  const text = fittedName(name, width * ratio, (one) => context.measureText(one).width);
  context.fillText(text, left * ratio, (top + TITLE_LINE / 2 - 2) * ratio);
}

function paintLegend(
  { context, ratio }: Surface,
  legend: readonly Placed[],
  left: number,
  top: number,
  page: PageColors,
) {
  context.save();
  context.font = labelFont(ratio);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineWidth = 2 * ratio;
  for (const { text, color, dash = [], left: along, line } of legend) {
    const [x, y] = [(left + along) * ratio, (top + (line + 0.5) * LEGEND_LINE) * ratio];
    if (color !== null) {
      context.strokeStyle = color;
      context.setLineDash(dash.map((length) => length * ratio));
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + STROKE * ratio, y);
      context.stroke();
    }
    context.fillStyle = css(page.foreground);
    context.fillText(text, color === null ? x : x + (STROKE + SWATCH_GAP_PX) * ratio, y);
  }
  context.restore();
}

function paintCard(surface: Surface, { card, legend, left, top }: PlacedCard, page: PageColors): void {
  const { context, ratio } = surface;
  const { size, content, camera, title } = card;
  paintTitle(surface, title, left, top, size.width, page);
  paintLegend(surface, legend, left, top + TITLE_LINE, page);
  const layout = content.layOut(size, camera, ratio);
  context.save();
  context.translate(Math.round(left * ratio), Math.round((top + TITLE_LINE + heightOf(legend)) * ratio));
  context.save();
  layout.paint(surface, null);
  context.restore();
  for (const plot of layout.plots) {
    paintPlotTitle(surface, plot, page);
  }
  for (const mark of layout.cuts ?? []) {
    paintCut(surface, mark, page);
  }
  for (const label of layout.stepLabels) {
    paintStepLabel(surface, label, page);
  }
  context.restore();
}

/** The name of a plot's run, above it: on the screen, an element. */
function paintPlotTitle({ context, ratio }: Surface, { area, title }: Plot, page: PageColors): void {
  if (title !== null) {
    const [x, y] = [area.left * ratio, (area.top - TITLE / 2 - 2) * ratio];
    context.fillStyle = title.color;
    context.beginPath();
    context.arc(x + (DOT / 2) * ratio, y, (DOT / 2) * ratio, 0, 2 * Math.PI);
    context.fill();
    paintText(context, ratio, title.text, x + (DOT + SWATCH_GAP_PX) * ratio, y, css(page.foreground), "left");
  }
}

/** The linked step on an axis: on the screen, an element. */
function paintStepLabel({ context, ratio }: Surface, { text, left, top, width }: StepLabel, page: PageColors): void {
  context.fillStyle = css(page.foreground);
  context.fillRect(left * ratio, top * ratio, width * ratio, FLAG * ratio);
  const [x, y] = [(left + width / 2) * ratio, (top + FLAG / 2) * ratio];
  paintText(context, ratio, text, x, y, css(page.background), "center");
}

/** A mark of values beyond the axis; on the screen it is a button. */
function paintCut({ context, ratio }: Surface, { text, left, top, width }: CutMark, page: PageColors): void {
  const line = Math.max(1, Math.round(ratio));
  context.fillStyle = css(page.foreground);
  context.fillRect(left * ratio, top * ratio, width * ratio, CUT_HEIGHT * ratio);
  context.fillStyle = css(page.background);
  context.fillRect(left * ratio + line, top * ratio + line, width * ratio - 2 * line, CUT_HEIGHT * ratio - 2 * line);
  const [x, y] = [(left + width / 2) * ratio, (top + CUT_HEIGHT / 2) * ratio];
  paintText(context, ratio, text, x, y, css(page.foreground), "center");
}

function paintText(
  context: PaintContext,
  ratio: number,
  text: string,
  x: number,
  y: number,
  color: string,
  align: CanvasTextAlign,
): void {
  context.font = labelFont(ratio);
  context.textAlign = align;
  context.textBaseline = "middle";
  context.fillStyle = color;
  context.fillText(text, x, y);
}
