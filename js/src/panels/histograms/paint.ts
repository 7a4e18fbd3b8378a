// Paints ridges onto a canvas.

import { footOf, type Ridge, type Ridges } from "./ridges";
import { css, mixed, type Rgb, shade } from "./shades";

/** In pixels of the canvas. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Ground {
  readonly paper: Rgb;
  readonly ink: Rgb;
}

const FILL = 0.86;
const FADED = 0.12;
/** Of the line that a ridge stands on. */
const BASE = 0.22;
/** Of ridges beside the linked one. */
const BESIDE = 0.35;

/** Paints all ridges into `box`, the one under the pointer boldly; `ratio` is that of canvas pixels to the page's. */
export function paintRidges(
  context: CanvasRenderingContext2D,
  box: Box,
  scene: Ridges,
  { paper, ink }: Ground,
  hovered: Ridge | null,
  ratio: number,
): void {
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height + ratio);
  context.clip();
  context.lineJoin = "round";
  const ordered = [...scene.ridges].sort((a, b) => Number(b.run.faded) - Number(a.run.faded));
  const several = new Set(scene.ridges.map(({ run }) => run)).size > 1;
  const pointing = scene.ridges.some(({ linked }) => linked);
  for (const ridge of ordered) {
    const run = scene.colours.get(ridge.run.run) ?? ink;
    const tone =
      several && scene.mode === "offset"
        ? mixed(paper, run, 0.45 + 0.55 * ridge.age)
        : shade(run, paper, ink, ridge.age);
    const aside = ridge.run.faded ? FADED : pointing && !ridge.linked ? BESIDE : 1;
    const bold = ridge === hovered || ridge.linked;
    const foot = box.top + Math.round(footOf(scene, ridge.at) * box.height);
    const path = outline(ridge.profile, box, foot, scene, ratio);
    if (scene.mode === "offset") {
      context.globalAlpha = aside * (several ? 0.6 : FILL);
      context.fillStyle = css(tone);
      context.fill(path.line);
      context.globalAlpha = aside * BASE;
      context.fillStyle = css(run);
      context.fillRect(box.left, foot, box.width, Math.max(1, ratio / 2));
      context.globalAlpha = aside;
      context.strokeStyle = css(bold ? ink : mixed(tone, paper, several ? 0.25 : 0.55));
      context.lineWidth = (bold ? 1.5 : 0.75) * ratio;
      context.stroke(path.line);
    } else {
      context.globalAlpha = aside * (bold ? 1 : several ? 0.1 + 0.9 * ridge.age ** 3 : 0.35 + 0.5 * ridge.age);
      context.strokeStyle = css(bold ? ink : tone);
      context.lineWidth = (bold ? 2 : 1) * ratio;
      context.stroke(path.line);
    }
    if (path.cut !== null) {
      context.globalAlpha = aside;
      context.fillStyle = css(mixed(tone, ink, 0.3));
      context.fill(path.cut);
    }
  }
  context.restore();
}

interface Outline {
  /** Open at the foot: filled, it is what was counted. */
  readonly line: Path2D;
  /** Marks where the ridge goes on beyond what is drawn; null if it does nowhere. */
  readonly cut: Path2D | null;
}

/** The stairs of a profile above its foot, where there are any. */
function outline(profile: Float64Array, box: Box, foot: number, { heights, tallest }: Ridges, ratio: number): Outline {
  const line = new Path2D();
  let cut: Path2D | null = null;
  const width = box.width / profile.length;
  const tall = tallest * box.height;
  let before = 0;
  for (let i = 0; i < profile.length; i += 1) {
    const counts = profile[i] as number;
    const height = counts > 0 ? Math.max(0.5 * ratio, heights(counts) * tall) : 0;
    // Steps of one height are one line.
    if (Math.abs(height - before) > 0.05) {
      const x = box.left + i * width;
      if (before === 0) {
        line.moveTo(x, foot);
      } else {
        line.lineTo(x, foot - before);
      }
      line.lineTo(x, foot - height);
      before = height;
    }
    if (counts > heights.top * (1 + 1e-9)) {
      cut ??= new Path2D();
      cut.rect(box.left + i * width, foot - height - 1.5 * ratio, Math.max(width, ratio), 1.5 * ratio);
    }
  }
  if (before > 0) {
    line.lineTo(box.left + box.width, foot - before);
    line.lineTo(box.left + box.width, foot);
  }
  return { line, cut };
}
