import { describe, expect, test, vi } from "vitest";
import type { Column, Value } from "../../../src/panels/hparams/columns";
import { ParallelAxis } from "../../../src/panels/hparams/parallel/axes";
import { ScatterAxis } from "../../../src/panels/hparams/scatter/axis";
import {
  cellOf,
  columnsIn,
  firstColumns,
  matrixHeight,
  relationOf,
  varyingColumns,
} from "../../../src/panels/hparams/scatter/matrix";
import { labelsAcross, PointPainter, trendOf } from "../../../src/panels/hparams/scatter/paint";
import { isInside } from "../../../src/panels/hparams/sessions";

function column(name: string, values: readonly (Value | undefined)[], kind: Column["kind"] = "hparam"): Column {
  const types = new Set(values.filter((value) => value !== undefined).map((value) => typeof value));
  const type = types.size > 1 ? "mixed" : types.has("number") ? "number" : types.has("boolean") ? "boolean" : "text";
  return { ...{ key: `${kind}:${name}`, kind, title: name, hint: name }, type, values };
}

const rowsOf = ({ values }: Column) => values.map((_, row) => row);

function axisOf(of: Column, direction: "across" | "up" = "across", length = 200): ScatterAxis {
  return new ScatterAxis(new ParallelAxis(of, rowsOf(of), "linear", false), direction, length);
}

describe("an axis", () => {
  const numbers = column(
    "lr",
    Array.from({ length: 101 }, (_, i) => i / 100),
  );

  test("small numbers are at the left, and at the foot", () => {
    const [across, up] = [axisOf(numbers), axisOf(numbers, "up")];
    expect(across.exactAt(0)).toBeLessThan(across.exactAt(100));
    expect(up.exactAt(0)).toBeGreaterThan(up.exactAt(100));
    expect([...across.positions()]).toEqual(rowsOf(numbers).map((row) => across.exactAt(row)));
  });

  test.each(["across", "up"] as const)("a brush %s selects the points between two positions", (direction) => {
    const axis = axisOf(numbers, direction);
    const ends: [number, number] = [axis.exactAt(20) + 1e-6, axis.exactAt(40) - 1e-6];
    const [from, to] = direction === "across" ? ends : [ends[1], ends[0]];
    for (const brushes of [axis.brushesBetween(from, to), axis.brushesBetween(to, from)]) {
      const inside = rowsOf(numbers).filter((row) => brushes.some((brush) => isInside(numbers.values[row], brush)));
      expect(inside.at(0)).toBeGreaterThanOrEqual(20);
      expect(inside.length).toBeGreaterThanOrEqual(19);
      expect(inside.at(-1)).toBeLessThanOrEqual(40);
    }
    const [part] = axis.brushesBetween(from, to).flatMap((brush) => axis.partsOf(brush));
    expect(part?.from).toBeCloseTo(Math.min(from, to), 3);
    expect(part?.to).toBeCloseTo(Math.max(from, to), 3);
  });

  test("values that are no numbers have their own strip, also in a small cell", () => {
    const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined];
    const of = column("acc", [0, 1, ...Array.from({ length: 40 }, (_, i) => special[i % 4])], "metric");
    const axis = axisOf(of, "up", 62);
    const positions = axis.positions();
    expect(Math.min(...positions)).toBeGreaterThan(0);
    expect(Math.max(...positions)).toBeLessThan(62);
    const strips = [2, 3, 4, 5].map((first) => positions.filter((_, row) => row >= 2 && (row - first) % 4 === 0));
    const spans = strips.map((strip) => [Math.min(...strip), Math.max(...strip)] as const).sort(([a], [b]) => a - b);
    expect(spans.every(([from], i) => i === 0 || from > (spans[i - 1]?.[1] ?? 0))).toBe(true);
  });

  test("points of a category stay in its strip, in the same places each time", () => {
    const names = column(
      "act",
      Array.from({ length: 300 }, (_, i) => ["gelu", "relu", "tanh"][i % 3] as string),
    );
    const axis = axisOf(names);
    const positions = axis.positions();
    const strips = [0, 1, 2].map((first) =>
      rowsOf(names)
        .filter((row) => row % 3 === first)
        .map((row) => positions[row] as number),
    );
    for (const [i, strip] of strips.entries()) {
      expect(new Set(strip).size).toBe(100);
      expect(Math.max(...strip) - Math.min(...strip)).toBeLessThan(200 / 3);
      const exact = axis.exactAt(i);
      expect(strip.every((at) => Math.abs(at - exact) <= axis.spread)).toBe(true);
    }
    expect([...axisOf(names).positions()]).toEqual([...positions]);
  });

  test("missing values and NaN have strips of their own", () => {
    const values = [0, 1, 2, undefined, Number.NaN];
    const axis = axisOf(column("loss", values));
    expect(axis.exactAt(3)).toBeLessThan(axis.exactAt(4));
    expect(axis.exactAt(4)).toBeLessThan(axis.exactAt(0));
    expect([0, 3, 4].map((row) => axis.has(row))).toEqual([true, false, false]);
    const counts = axis.bars(values.map((_, row) => row)).map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(counts).toHaveLength(5);
  });
});

describe("the labels below a cell", () => {
  const measure = (text: string) => 6 * text.length;
  const labels = (values: readonly (Value | undefined)[], length: number) =>
    labelsAcross(axisOf(column("x", values), "across", length), measure);
  const models = ["resnet", "vit_base_patch16", "convnext_tiny", "efficientnet_b0", "mobilenet_v3_large"];
  const many = Array.from({ length: 3000 }, (_, i) => `category number ${i}`);
  const scores = Array.from({ length: 40 }, (_, i) => 0.62718 + i * 0.00597);

  test.each([
    ["short categories", ["a", "b", "c"]],
    ["long categories", models],
    ["long categories and none", [...models, undefined]],
    ["very many categories", many],
    ["numbers", scores],
    ["large numbers", scores.map((score) => score * 1e7)],
    ["logarithms and none", [1e-5, 3e-4, 0.0123, undefined]],
  ])("%s: none runs into another or leaves the cell", (_, values) => {
    for (const length of [62, 80, 120, 300, 900]) {
      const found = labels(values, length);
      expect(found.length).toBeGreaterThan(0);
      for (const [i, { from, to, text }] of found.entries()) {
        expect(to - from).toBeCloseTo(measure(text));
        expect(from).toBeGreaterThanOrEqual(i === 0 ? 0 : (found[i - 1]?.to ?? 0) + 4);
        expect(to).toBeLessThanOrEqual(length + 1e-9);
      }
    }
  });

  test("categories are whole where there is room, and as many are left out as have none", () => {
    expect(labels(models, 900).map(({ text }) => text)).toEqual([...models].sort().reverse());
    expect(labels(models, 450)).toHaveLength(5);
    const few = labels(models, 140).map(({ text }) => text);
    expect(few.map((text) => text[0])).toEqual(["v", "m", "c"]);
    expect(few.every((text) => text.includes("…"))).toBe(true);
    expect(labels(models, 90).map(({ text }) => text[0])).toEqual(["v", "e"]);
  });

  test.each([16, 17, 18, 19, 20])("as many of %i categories as fit have a label", (count) => {
    const names = Array.from({ length: count }, (_, i) => `category ${String.fromCharCode(97 + i)}`);
    expect(labels(names, 300).length).toBeGreaterThanOrEqual(5);
  });

  test("categories that are cut stay apart", () => {
    const models = ["vit_base_patch16_224", "vit_base_patch32_224", "vit_large_patch16_224"];
    const texts = labels(models, 240).map(({ text }) => text);
    expect(texts.every((text) => text.includes("…"))).toBe(true);
    expect(new Set(texts).size).toBe(3);
  });

  test("numbers are round and never cut", () => {
    expect(labels(scores, 120).map(({ text }) => text)).toEqual(["0.7", "0.8"]);
  });
});

describe("columns of a matrix", () => {
  const hparams = Array.from({ length: 8 }, (_, i) => column(`h${i}`, [i, i + 1]));
  const metrics = ["acc", "loss", "time"].map((name, i) => column(name, [i, 2 * i + 1], "metric"));

  test("those that vary among the rows that are shown, the goal in any case", () => {
    const [constant, varying] = [column("constant", [1, 1, 2]), column("varying", [1, 2, 2])];
    const goal = column("acc", [0, 1, 1], "metric");
    expect(varyingColumns([constant, varying], goal, [0, 1]).map(({ title }) => title)).toEqual(["varying", "acc"]);
    expect(varyingColumns([constant, varying], null, [1]).map(({ title }) => title)).toEqual([]);
    const zeros = column("zeros", [0, -0, 0]);
    expect(varyingColumns([zeros], null, [0, 1, 2])).toEqual([]);
  });

  test("the first ones have the goal and the most important columns, in the order of the table", () => {
    const first = firstColumns([...hparams, ...metrics], metrics[1] as Column, ["hparam:h7", "hparam:h3"], 5);
    expect(first.map(({ title }) => title)).toEqual(["h0", "h3", "h7", "acc", "loss"]);
    const few = firstColumns([...hparams, ...metrics], metrics[2] as Column, ["hparam:h7"], 2);
    expect(few.map(({ title }) => title)).toEqual(["h7", "time"]);
    expect(firstColumns(metrics, null, [], 6)).toBe(metrics);
    const chosen = firstColumns([...hparams, ...metrics], metrics[0] as Column, ["metric:time", "hparam:h6"], 4);
    expect(chosen.map(({ title }) => title)).toEqual(["h0", "h6", "acc", "time"]);
  });

  test("narrow dashboards have fewer, and cells never have a negative size", () => {
    expect([100, 300, 1400].map(columnsIn)).toEqual([2, 3, 6]);
    for (const width of [1, 300, 1400]) {
      const size = { width, height: matrixHeight(6) };
      const { left, top, width: across, height } = cellOf(size, 6, 5, 5);
      expect(across).toBeGreaterThan(0);
      expect(height).toBeGreaterThan(30);
      expect(top + height).toBeLessThan(size.height);
      expect(left + across).toBeLessThanOrEqual(Math.max(width, 80));
    }
  });
});

describe("the relation of two columns", () => {
  const x = column(
    "x",
    Array.from({ length: 101 }, (_, i) => i - 50),
  );

  test("an arch is strong although its correlation is 0", () => {
    const y = column(
      "y",
      x.values.map((value) => -((value as number) ** 2)),
    );
    for (const [a, b] of [
      [x, y],
      [y, x],
    ] as const) {
      const relation = relationOf(a, b, rowsOf(x), false);
      expect(relation?.lines[0]).toMatch(/^ρ [−]?\.00$/);
      expect(relation?.lines[1]).toMatch(/^η² \.9\d$/);
      expect(relation?.strength).toBeGreaterThan(0.9);
      expect(relation?.hint).toMatch(/η² \.9\d of y by x \(101 sessions\)$/);
    }
  });

  test("a monotonic relation has both numbers, a category only η², and few sessions none", () => {
    const line = column(
      "line",
      x.values.map((value) => 2 ** (value as number)),
    );
    const kind = column(
      "kind",
      x.values.map((value) => ((value as number) < 0 ? "a" : "b")),
    );
    expect(relationOf(x, line, rowsOf(x), false)).toMatchObject({
      strength: 1,
      lines: [expect.any(String), expect.any(String)],
    });
    expect(relationOf(kind, x, rowsOf(x), false)?.lines).toEqual([expect.stringMatching(/^η² \.7/)]);
    expect(relationOf(kind, kind, rowsOf(x), false)).toBeNull();
    expect(relationOf(x, line, rowsOf(x).slice(0, 19), false)).toBeNull();
  });
});

describe("the trend", () => {
  test("joins medians of groups, without rows that have no place", () => {
    const n = 100;
    const x = column(
      "x",
      Array.from({ length: n }, (_, i) => i),
    );
    const y = column(
      "y",
      Array.from({ length: n }, (_, i) => (i % 7 === 0 ? undefined : i % 10 === 9 ? 1000 : i)),
    );
    const [across, up] = [axisOf(x), axisOf(y, "up")];
    const trend = trendOf(across, up, rowsOf(x));
    expect(trend.reduce((sum, { count }) => sum + count, 0)).toBe(n - Math.ceil(n / 7));
    expect(trend.map((point) => point.x)).toEqual([...trend.map((point) => point.x)].sort((a, b) => a - b));
    // An outlier in ten moves no median.
    expect(trend.every((point) => point.y > up.exactAt(9))).toBe(true);
  });

  test("is missing over categories, and for groups of two", () => {
    const [x, y] = [column("x", [1, 2, 3, 4]), column("y", ["a", "b", "a", "b"])];
    expect(trendOf(axisOf(x), axisOf(y, "up"), [0, 1, 2, 3])).toEqual([]);
    expect(trendOf(axisOf(y), axisOf(x, "up"), [0, 1, 2, 3])).toEqual([]);
  });
});

test("a painter of points frees the pixels of its canvas, and draws again after that", () => {
  vi.stubGlobal("ImageData", class {});
  const own = { width: 0, height: 0, getContext: () => ({ putImageData: () => {} }) };
  vi.stubGlobal("document", { createElement: () => own });
  const painter = new PointPainter();
  const context = { drawImage: vi.fn(), stroke: () => {} };
  const of = column("lr", [1, 2, 3]);
  const cell = { rect: { left: 0, top: 0, width: 200, height: 100 }, x: axisOf(of), y: axisOf(of, "up", 100) };
  const page = { background: [255, 255, 255], foreground: [0, 0, 0] };
  const drawing = { rows: [0, 1, 2], colors: new Int32Array(3), brushed: null, brushes: new Map(), theme: {}, page };
  const surface = { context, ratio: 1, path: () => ({ rect: () => {} }) };
  type Args = Parameters<PointPainter["paint"]>;
  const paint = () => painter.paint(surface as unknown as Args[0], cell, drawing as unknown as Args[2]);
  paint();
  expect([own.width, own.height]).toEqual([200, 100]);
  painter.clear();
  expect([own.width, own.height]).toEqual([0, 0]);
  paint();
  expect([own.width, own.height, context.drawImage.mock.calls.length]).toEqual([200, 100, 2]);
});
