import { beforeEach, expect, test, vi } from "vitest";
import { type Gap, GapRasters, type Layer, type Layers, rowNear } from "../../../src/panels/hparams/parallel/gaps";

beforeEach(() => {
  vi.stubGlobal(
    "ImageData",
    class {
      readonly data: Uint8ClampedArray;
      constructor(data: Uint8ClampedArray) {
        this.data = data;
      }
    },
  );
});

const HEIGHTS = { a: Float64Array.of(5, 30), b: Float64Array.of(30, 5), c: Float64Array.of(10, 12) };

function gap(from: keyof typeof HEIGHTS, to: keyof typeof HEIGHTS, left = 0, width = 40): Gap {
  return { key: from + to, left, width, height: 40, from: HEIGHTS[from], to: HEIGHTS[to] };
}

function layer(...rows: number[]): Layer {
  return { rows, colors: 0xff0000ff | 0, alpha: 1 };
}

/** Bytes of each gap, by its index. */
function canvas() {
  const put = new Map<number, number[]>();
  const context = { putImageData: (image: ImageData, left: number) => void put.set(left, [...image.data]) };
  return { put, context: context as unknown as CanvasRenderingContext2D };
}

const WHITE = { background: [255, 255, 255] as const };

test("unchanged gaps are not drawn again", () => {
  const rasters = new GapRasters();
  const { context, put } = canvas();
  const layers: Layers = { ...WHITE, faint: null, lit: layer(0, 1) };
  const gaps = [gap("a", "b"), gap("b", "c", 40)];
  rasters.paint(context, gaps, layers, 1);
  expect(rasters.drawn).toBe(2);
  const first = put.get(40);
  rasters.paint(context, gaps, layers, 1);
  expect(rasters.drawn).toBe(0);
  expect(put.get(40)).toEqual(first);
  // An axis is dragged: the gaps beside it change their widths.
  rasters.paint(context, [gap("a", "b", 0, 44), gap("b", "c", 44, 36), gap("c", "a", 80)], layers, 1);
  expect(rasters.drawn).toBe(3);
  rasters.paint(context, [gap("a", "b", 0, 48), gap("b", "c", 48, 32), gap("c", "a", 80)], layers, 1);
  expect(rasters.drawn).toBe(2);
});

test("gaps that a frame has no time for keep their lines, and are drawn first in the next frame", () => {
  const rasters = new GapRasters();
  const { context, put } = canvas();
  const gaps = [gap("a", "b"), gap("b", "c", 40), gap("c", "a", 80)];
  const paint = (lit: Layer, budget?: number) =>
    rasters.paint(context, gaps, { ...WHITE, faint: null, lit }, 1, 1, budget);
  const [both, one] = [layer(0, 1), layer(1)];
  // A gap without lines yet is drawn at once.
  expect([paint(both, 0), rasters.drawn]).toEqual([true, 3]);
  const before = new Map(put);
  const changed = () => [0, 40, 80].filter((left) => put.get(left)?.join() !== before.get(left)?.join());
  expect([paint(one, 0), changed()]).toEqual([false, [0]]);
  const other = layer(0);
  expect([paint(other, 0), changed()]).toEqual([false, [0, 40]]);
  expect([paint(other, 0), changed()]).toEqual([false, [0, 40, 80]]);
  expect([paint(other, 0), paint(other, 0), rasters.drawn]).toEqual([false, true, 0]);
  const after = new Map(put);
  paint(other);
  expect(put).toEqual(after);
});

test("a brush draws its lines above the faint ones, and without it they are gone", () => {
  const rasters = new GapRasters();
  const { context, put } = canvas();
  const whole = layer(0, 1);
  rasters.paint(context, [gap("a", "b")], { ...WHITE, faint: null, lit: whole }, 1);
  const before = put.get(0);
  const faint = { ...layer(0, 1), colors: 0xff888888 | 0, alpha: 0.2 };
  rasters.paint(context, [gap("a", "b")], { ...WHITE, faint, lit: layer(0) }, 1);
  const colors = new Set<string>();
  const bytes = put.get(0) ?? [];
  for (let i = 0; i < bytes.length; i += 4) {
    colors.add(bytes.slice(i, i + 3).join());
  }
  expect(colors).toContain("255,255,255");
  expect([...colors].some((color) => color.startsWith("255,") && color !== "255,255,255")).toBe(true);
  expect([...colors].some((color) => /^(2\d\d),\1,\1$/.test(color) && color !== "255,255,255")).toBe(true);
  rasters.paint(context, [gap("a", "b")], { ...WHITE, faint: null, lit: whole }, 1);
  expect(put.get(0)).toEqual(before);
});

test("the nearest line is found, within reach, the topmost of equal ones", () => {
  const one = gap("a", "b", 100);
  expect(rowNear(one, [0, 1], 104, 7, 6)).toBe(0);
  expect(rowNear(one, [0, 1], 104, 28, 6)).toBe(1);
  expect(rowNear(one, [1], 104, 7, 6)).toBeNull();
  expect(rowNear(one, [0, 1], 120, 17.5, 6)).toBe(1);
  expect(rowNear(one, [1, 0], 120, 17.5, 6)).toBe(0);
});

test("coarse rasters are enlarged to the pixels of the canvas", () => {
  const drawn: unknown[][] = [];
  const { put, context } = canvas();
  const own = { width: 0, height: 0, getContext: () => context };
  vi.stubGlobal("document", { createElement: () => own });
  const fine = {
    ...context,
    drawImage: (...all: unknown[]) => void drawn.push(all),
  } as unknown as CanvasRenderingContext2D;
  const rasters = new GapRasters();
  rasters.clear();
  rasters.paint(fine, [gap("a", "b"), gap("b", "c", 41)], { ...WHITE, faint: null, lit: layer(0, 1) }, 1, 2);
  expect(drawn).toEqual([
    [own, 0, 0, 80, 80],
    [own, 82, 0, 80, 80],
  ]);
  expect([own.width, own.height, put.get(0)?.length]).toEqual([40, 40, 4 * 40 * 40]);
  rasters.clear();
  expect([own.width, own.height]).toEqual([0, 0]);
});
