import { expect, test } from "vitest";
import { type PlacedRange, paintRangeMarks, paintRanges, rangeMarks } from "../../src/charts/namedranges";
import { svgOf } from "../../src/charts/svg";
import { chartColors } from "../../src/lib/tokens";

const AREA = { left: 10, top: 5, width: 600, height: 100 };

function placed(...ranges: readonly [name: string, first: number, last: number][]): PlacedRange[] {
  return ranges.map(([name, first, last]) => ({ name, steps: [first, last], spans: [[first, last]] }));
}

/** Marks in a plot of the steps 0 to 600, a step a pixel; 6 pixels a character. */
function marks(ranges: readonly PlacedRange[], taken: Parameters<typeof rangeMarks>[3] = [], area = AREA) {
  const found = rangeMarks(
    ranges,
    area,
    (x) => x / 600,
    taken,
    (text) => 6 * text.length,
  );
  return { strips: found.filter(({ text }) => text === null), names: found.filter(({ text }) => text !== null) };
}

test("a name stands at the beginning of its band, with its whole text and its steps in the hint", () => {
  const { strips, names } = marks(placed(["lr drop", 100, 200]));
  expect(names).toMatchObject([{ text: "lr drop", left: 114, width: 42, top: 9 }]);
  expect(strips).toMatchObject([{ left: 110, width: 100, top: 5, span: [100, 200] }]);
  expect(names[0]?.label).toBe("lr drop: steps 100 – 200");
  expect(marks(placed(["a", 7, 7])).names[0]?.label).toBe("a: step 7");
});

test("a name that turns the direction of text turns nothing around it", () => {
  const [mark] = marks(placed(["\u2069\u202edrop", 100, 200])).names;
  expect(mark?.hint).toMatch(/^\u2068\u202edrop\u2069: steps 100 – 200\. /);
});

test("names that would cover each other stand in up to three lines; further ones only have their strip", () => {
  const crowd = Array.from({ length: 100 }, (_, i): [string, number, number] => [`range ${i}`, i, i + 1]);
  const { strips, names } = marks(placed(...crowd), [], { ...AREA, height: 120 });
  expect(strips).toHaveLength(100);
  expect(names.slice(0, 3).map(({ top }) => top)).toEqual([9, 24, 39]);
  expect(names.length).toBeLessThan(10);
  for (const [i, one] of names.entries()) {
    for (const other of names.slice(i + 1)) {
      const isApart = one.top !== other.top || other.left >= one.left + one.width;
      expect(isApart, `${one.text}, ${other.text}`).toBe(true);
    }
  }
});

test("names do not cover existing labels, stay in the plot, and are cut where it is narrow", () => {
  const label = { left: 100, top: 7, width: 50 };
  expect(marks(placed(["lr drop", 100, 200]), [label]).names[0]?.top).toBe(24);
  const { names } = marks(placed(["the end of the training", 580, 600]));
  expect(names[0]?.text).toContain("…");
  expect((names[0]?.left ?? 0) + (names[0]?.width ?? 0)).toBeLessThanOrEqual(610);
  expect(names[0]?.width).toBeLessThanOrEqual(56);
  expect(marks(placed(["lr drop", 100, 200]), [], { ...AREA, width: 40 }).names).toEqual([]);
  expect(marks(placed(["lr drop", 100, 200]), [], { ...AREA, height: 30 }).names).toEqual([]);
});

test("invisible ranges have no marks, and partly visible ones begin at the edge", () => {
  expect(marks(placed(["left", -200, -100], ["right", 700, 800]))).toEqual({ strips: [], names: [] });
  const { strips, names } = marks(placed(["over", -100, 50]));
  expect(strips).toMatchObject([{ left: 10, width: 50 }]);
  expect(names).toMatchObject([{ left: 14 }]);
});

test("an SVG has the bands, and the names as text that is no markup", () => {
  const ranges = placed(["<b>bold</b>", 100, 200], ["one", 300, 300]);
  const theme = chartColors.light;
  const text = svgOf(
    { width: 620, height: 110 },
    "t",
    (surface) => {
      paintRanges(surface, AREA, ranges, (x) => x / 600, theme);
      paintRangeMarks(
        surface,
        rangeMarks(ranges, AREA, (x) => x / 600),
        theme,
      );
    },
    (label) => ({ width: 6 * label.length }) as TextMetrics,
  );
  expect(text).toMatch(/<rect x="110" y="5" width="100" height="100"[^>]*fill="#616161"/);
  expect(text).toMatch(/<path d="M310 5L310 105"[^>]*stroke-dasharray="2 3"/);
  expect(text).toContain("&lt;b&gt;bold&lt;/b&gt;");
  expect(text).not.toContain("<b>");
});

test("where steps go down, bands lie across the plot, as far as the steps go, and strips stand upright", () => {
  const theme = chartColors.light;
  const text = svgOf(
    { width: 620, height: 110 },
    "t",
    (surface) => {
      // The step 0 is 40 pixels below the upper edge, and the step 100 at the lower one.
      paintRanges(surface, AREA, placed(["band", 50, 900], ["one", 0, 0]), (at) => 0.4 + at * 0.006, theme, 0.4);
      const mark = { left: 610, top: 75, width: 4, height: 30, text: null, label: "", hint: "" };
      paintRangeMarks(surface, [{ ...mark, span: [50, 900], isUpright: true }], theme);
    },
    () => ({ width: 6 }) as TextMetrics,
  );
  expect(text).toMatch(/<rect x="10" y="75" width="600" height="30"/);
  expect(text).toMatch(/<path d="M10 45L610 45"[^>]*stroke-dasharray="2 3"/);
  expect(text).toMatch(/<rect x="610" y="75" width="2" height="30"/);
});
