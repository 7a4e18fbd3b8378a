// Layers that are repainted when another line is highlighted. Canvases only count calls; browser tests check pixels.

import { afterEach, expect, test, vi } from "vitest";
import type { Surface } from "../../src/charts/geometry";
import { curveOf } from "../../src/lines/curve";
import { paintLines } from "../../src/lines/paint";
import { points } from "../wire/made";
import { PLAIN } from "./options";

class Counting {
  width = 0;
  height = 0;
  strokes = 0;
  images = 0;

  get surface(): Surface {
    const count = (name: unknown) => {
      this.strokes += Number(name === "stroke");
      this.images += Number(name === "drawImage");
    };
    const context = new Proxy({}, { get: (_, name) => () => count(name), set: () => true });
    // One context a canvas, as in browsers.
    const surface = { context, ratio: 1, path: () => new Proxy({}, { get: () => () => {} }) } as unknown as Surface;
    Object.defineProperty(this, "surface", { value: surface });
    return surface;
  }

  getContext() {
    return this.surface.context;
  }
}

afterEach(() => vi.unstubAllGlobals());

test("while the pointer moves over many lines, only the highlighted one is repainted", () => {
  const made: Counting[] = [];
  const createElement = () => {
    made.push(new Counting());
    return made.at(-1);
  };
  vi.stubGlobal("document", { createElement });
  vi.stubGlobal(
    "Path2D",
    class {
      moveTo() {}
      lineTo() {}
    },
  );
  const curves = Array.from({ length: 50 }, (_, i) => curveOf(points([0, 1, 2], [i, i + 1, i]), PLAIN));
  const lines = curves.map((curve, i) => ({ run: `${i}`, color: "#123456", curve, faded: false }));
  const canvas = new Counting();
  const older: never[] = [];
  const paint = (highlight: object | null, top = 60) => {
    const [before, inside] = [canvas.strokes, made[0]?.strokes ?? 0];
    const area = { left: 10, top: 5, width: 200, height: 100 };
    paintLines(canvas.surface, area, lines, [0, 2], [0, top], { zoomed: false, behind: "line", older, highlight });
    return [canvas.strokes - before, (made[0]?.strokes ?? 0) - inside];
  };
  expect(paint(null)).toEqual([50, 0]);
  expect(paint(curves[3] as object)).toEqual([1, 50]);
  expect(paint(curves[4] as object)).toEqual([1, 0]);
  expect([made.length, canvas.images]).toEqual([1, 2]);
  // New axes move everything.
  expect(paint(curves[4] as object, 70)).toEqual([1, 50]);
  expect(paint(null, 70)).toEqual([50, 0]);
  expect(made[0]?.width).toBe(0);
});
