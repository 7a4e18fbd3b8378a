import { describe, expect, test } from "vitest";
import { escaped, svgOf } from "../../src/charts/svg";
import { colorsOf, contrast, textOn } from "../../src/panels/graphs/draw/colors";
import { toSvg } from "../../src/panels/graphs/draw/export";
import { paint, paintConnected } from "../../src/panels/graphs/draw/painter";
import { RouteLabels } from "../../src/panels/graphs/draw/routelabels";
import { boundsOf } from "../../src/panels/graphs/draw/routes";
import { prepare, type Scene } from "../../src/panels/graphs/draw/scene";
import { graphDrawingTexts } from "../../src/panels/graphs/draw/texts";
import { CAPTION_WIDTH } from "../../src/panels/graphs/layout/sizes";
import { MarkKind } from "../../src/panels/graphs/layout/types";
import { BoxKind } from "../../src/panels/graphs/model/view";
import { sceneOf } from "./drawscene";

const LIGHT = { background: [255, 255, 255], foreground: [33, 33, 33] } as const;
const DARK = { background: [17, 17, 17], foreground: [224, 224, 224] } as const;
const COLORS = colorsOf(LIGHT, "#1976d2", "light");
const HOSTILE = `<img src="x" onerror=alert(1)>&amp;'\u0000\ud800`;

const SCENE = sceneOf(
  [
    { path: "in", at: [60, 300, 60, 22] },
    { path: "scope", at: [40, 40, 200, 200], kind: BoxKind.SCOPE, open: true, nodes: 40 },
    { path: `scope/${HOSTILE}`, at: [60, 150, 160, 22], parent: 1 },
    { path: "scope/stack", at: [60, 80, 120, 50], kind: BoxKind.STACK, copies: 24, nodes: 96, parent: 1 },
    { path: "layer", at: [300, 40, 90, 40], kind: BoxKind.LAYER, nodes: 4 },
    { path: "gone", at: [300, 150, 60, 22], kind: BoxKind.MISSING },
  ],
  [
    { from: 0, to: 2, shape: "32×10", size: 320 },
    { from: 2, to: 3, data: 12, size: 1e7 },
    { from: 5, to: 4, data: 0, control: 2 },
    { from: 0, to: 4, reference: 1 },
  ],
  [
    [2, MarkKind.CONSTANT, 0, 1],
    [4, MarkKind.SUMMARY, 1, 1],
    [4, MarkKind.PARAMETER, 0, 1],
    [4, MarkKind.PARTNER, 1, 5],
    [5, MarkKind.MORE, 1, 4],
    [5, MarkKind.PLUMBING, 0, 4],
  ],
);

/** The SVG of a scene at `k` pixels per unit; `dy`: the top of the layout, in pixels. */
function drawn(scene: Scene, k: number, auxiliary = "Auxiliary", dy = 0): string {
  const prepared = prepare(scene);
  const size = { width: 500 * k, height: 400 * k };
  const frame = { scene, prepared, places: scene.layout, colors: COLORS, k, dx: 0, dy, ratio: 1, ...size };
  const who = { selected: 0, focused: 1, isMap: false, auxiliary };
  return svgOf(size, null, ({ context: pen }) =>
    paint({ pen, ...frame, ...who }, boundsOf(scene.layout.routes), new RouteLabels(scene)),
  );
}

describe("SVG", () => {
  const svg = toSvg(SCENE, COLORS, "Auxiliary");

  test("names are texts, whatever is in them", () => {
    expect(svg).not.toContain("<img");
    expect(svg).toContain("&amp;amp;");
    expect(escaped(HOSTILE)).toBe("&lt;img src=&quot;x&quot; onerror=alert(1)&gt;&amp;amp;'\ufffd\ufffd");
    expect(escaped("a\tb😀")).toBe("a\tb😀");
  });

  test("all elements are closed, and are such that are drawn with", () => {
    const names = [...svg.matchAll(/<\/?([a-z]+)/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(["svg", "rect", "path", "text"]));
    expect(svg.match(/<text/g)?.length).toBe(svg.match(/<\/text>/g)?.length);
    expect(svg.match(/<(?:rect|path)[^>]*[^/]>/g)).toBeNull();
  });

  test("bears labels, copies, shapes and how many tensors", () => {
    for (const text of ["in", "scope", "stack ×24", "32×10", "12 tensors", "layer", "gone"]) {
      expect(svg).toContain(`>${text}</text>`);
    }
  });

  test("says of a stack that it does not show the order, closed and open", () => {
    const stack = { path: "conv#", at: [0, 0, 200, 50], kind: BoxKind.STACK, copies: 9 } as const;
    for (const open of [false, true]) {
      const scene = sceneOf([{ ...stack, open }]);
      expect(toSvg(scene, COLORS, "Auxiliary")).not.toContain("order not shown");
      scene.view.unordered[0] = 1;
      expect(toSvg(scene, COLORS, "Auxiliary")).toContain("order not shown</text>");
      expect(toSvg(scene, COLORS, "Auxiliary")).toContain("conv# ×9");
    }
  });

  test("has a place for everything, also where nothing is", () => {
    const faint = { ...SCENE, faint: new Uint8Array(6).fill(1), marked: new Uint8Array(6).fill(1) };
    const filled = {
      ...SCENE,
      fills: SCENE.fills.map(() => [
        { color: "#336699", share: 0.4 },
        { color: "#cc3322", share: 0.3 },
      ]),
    };
    for (const scene of [SCENE, faint, filled, sceneOf([]), sceneOf([{ path: "a", at: [0, 0, 0, 0] }])]) {
      expect(toSvg(scene, COLORS, "Auxiliary")).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});

describe("levels of detail", () => {
  test("the caption of a small auxiliary area is a short one, not a cut one", () => {
    const { auxiliary: caption, auxiliaryShort: short } = graphDrawingTexts();
    const scene = sceneOf([{ path: "a", at: [200, 0, 60, 22] }]);
    scene.layout.auxiliary.set([0, 0, CAPTION_WIDTH, 60], 4);
    const captions = [1, 0.5, 0.4].map((k) => />((?:Set|Book)[^<]*)</.exec(drawn(scene, k, caption))?.[1]);
    expect(captions).toEqual([caption, short, short]);
  });

  const texts = (k: number) => [...drawn(SCENE, k).matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);

  test("texts that cannot be read are not drawn", () => {
    expect(texts(1)).toEqual(expect.arrayContaining(["in", "layer", "32×10", "stack ×24"]));
    expect(texts(0.5)).toContain("in");
    expect(texts(0.2)).not.toContain("32×10");
    expect(texts(0.15)).toEqual([]);
  });

  test("the title of a scope is, if the scope is large enough", () => {
    expect(texts(0.4)).toContain("scope");
    expect(texts(0.25)).not.toContain("scope");
  });

  test("small routes are straight, tiny boxes of one color one path", () => {
    expect(drawn(SCENE, 1)).toMatch(/[CQ]/);
    expect(drawn(SCENE, 0.1)).not.toMatch(/d="[^"]*[CQ]/);
    const many = sceneOf(Array.from({ length: 90 }, (_, i) => ({ path: `n${i}`, at: [i * 5, 10, 4, 22] as const })));
    // The outlines of two boxes, too.
    expect(drawn(many, 0.1).match(/<path/g)?.length).toBe(3);
  });

  test("one of several boxes on one pixel is drawn, without routes between them", () => {
    const crowd = sceneOf(
      Array.from({ length: 90 }, (_, i) => ({ path: `n${i}`, at: [i * 5, 10 + 60 * (i % 2), 4, 22] as const })),
      Array.from({ length: 89 }, (_, i) => ({ from: i, to: i + 1 })),
    );
    const rectangles = (text: string) => text.match(/M/g)?.length;
    expect(rectangles(drawn(crowd, 0.1))).toBeGreaterThanOrEqual(90 + 89);
    expect(rectangles(drawn(crowd, 0.005))).toBeLessThan(10);
  });

  test("invisible parts are not drawn", () => {
    const away = sceneOf([
      { path: "here", at: [0, 0, 60, 22] },
      { path: "there", at: [9000, 0, 60, 22] },
    ]);
    expect(drawn(away, 1)).toContain("here");
    expect(drawn(away, 1)).not.toContain("there");
  });
});

test("the tensors of a route are written beside it, away from boxes and other routes", () => {
  const boxes = [
    { path: "a", at: [0, 300, 40, 22] as const },
    { path: "b", at: [0, 0, 40, 22] as const },
    { path: "c", at: [25, 300, 40, 22] as const },
    { path: "d", at: [25, 0, 40, 22] as const },
  ];
  const places = (more: number) => {
    const edges = [
      { from: 0, to: 1, shape: "32×10" },
      { from: 2, to: 3 },
    ].slice(0, 1 + more);
    return /x="([\d.-]+)"[^>]*>32×10</.exec(drawn(sceneOf(boxes, edges), 1))?.[1];
  };
  // One route is at 20, the other at 45: the text is at the right or at the left of the first.
  expect(Number(places(0))).toBeGreaterThan(20);
  expect(Number(places(1))).toBeLessThan(0);
});

describe("letters beside routes", () => {
  const edges = [{ from: 0, to: 1, shape: "32×10" }];
  const sizes = (gap: number, k: number) => {
    const boxes = [
      { path: "a", at: [0, 22 + gap, 40, 22] as const },
      { path: "b", at: [0, 0, 40, 22] as const },
    ];
    return [...drawn(sceneOf(boxes, edges), k).matchAll(/font-size="([\d.]+)"[^>]*>32×10/g)].map(([, size]) =>
      Number(size),
    );
  };

  test("grow with the zoom, and are no smaller than can be read where there is room for that", () => {
    expect(sizes(300, 1)).toEqual([9]);
    expect(sizes(300, 0.5)).toEqual([6.5]);
    expect(sizes(12, 1)).toEqual([9]);
    expect(sizes(12, 0.5)).toEqual([]);
  });
});

describe("colors", () => {
  test("texts can be read on any fill, in both themes", () => {
    for (const page of [LIGHT, DARK]) {
      for (let hue = 0; hue < 512; hue++) {
        const fill = [(hue & 7) * 36, ((hue >> 3) & 7) * 36, (hue >> 6) * 36] as const;
        expect(contrast(textOn(fill, page.background, page.foreground), fill)).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test("invalid colors are gray", () => {
    expect(colorsOf(DARK, "#64b5f6", "dark").op.fill).toMatch(/^rgb/);
    expect(COLORS.filled("#336699").fill).toBe("rgb(51 102 153)");
  });
});

test("labels of boxes have one size, whatever their lengths, and titles of scopes another", () => {
  const { width, height } = SCENE.layout;
  const names = [
    "a",
    "NumToTensor",
    "softmax_linear",
    "conv2d_3_1 → activation_3_1",
    "a_very_long_name_of_an_operation",
  ];
  const scene = sceneOf([
    { path: "scope", at: [0, 0, width, height], kind: BoxKind.SCOPE, open: true, nodes: 40 },
    { path: "scope/inner", at: [10, 30, 200, 60], kind: BoxKind.SCOPE, open: true, nodes: 40, parent: 0 },
    ...names.flatMap((path, i) => [
      // As wide as the layout makes them.
      { path, at: [20, 100 + 30 * i, Math.min(180, 18 + 6.3 * path.length), 22] as const, parent: 0 },
      {
        ...{ path: `${path}1`, at: [210, 100 + 50 * i, Math.min(220, 26 + 6.3 * path.length), 42] as const, parent: 0 },
        ...{ kind: BoxKind.SCOPE, nodes: 9 },
      },
    ]),
  ]);
  for (const k of [1.5, 1, 0.8, 0.7, 0.6, 0.5, 0.4]) {
    const texts = [...drawn(scene, k).matchAll(/font-size="([\d.]+)"([^>]*)>([^<]+)</g)];
    const sizesOf = (isBold: boolean) =>
      texts.filter(([, , style]) => style?.includes("600") === isBold).map(([, size]) => size);
    expect(sizesOf(false).length).toBeGreaterThanOrEqual(2 * names.length - 1);
    expect(new Set(sizesOf(false)).size).toBe(1);
    expect(new Set(sizesOf(true)).size).toBe(1);
  }
});

test("titles of scopes that begin above the stage stand in one row at its upper edge", () => {
  const open = { kind: BoxKind.SCOPE, open: true, nodes: 40 };
  const scene = sceneOf([
    { path: "clone", at: [10, 10, 480, 380], ...open },
    { path: "clone/InceptionV3", at: [20, 40, 460, 340], ...open, parent: 0 },
    { path: "clone/InceptionV3/left", at: [30, 70, 200, 300], ...open, parent: 1 },
    { path: "clone/InceptionV3/right", at: [260, 70, 200, 300], ...open, parent: 1 },
  ]);
  const rows = (svg: string) =>
    [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</g)].map(([, x, y, text]) => ({
      x: Number(x),
      y: Number(y),
      text,
    }));
  const above = rows(drawn(scene, 1, "", -100));
  expect(above.map(({ text }) => text)).toEqual(["clone", "› InceptionV3", "› left", "› right"]);
  expect(new Set(above.map(({ y }) => y)).size).toBe(1);
  const ends = above.map(({ x }) => x);
  expect(ends).toEqual([...ends].sort((a, b) => a - b));
  // In their bars, they are on different heights.
  expect(new Set(rows(drawn(scene, 1)).map(({ y }) => y)).size).toBe(3);
});

describe("edges that cross the title of an opened scope", () => {
  const scene = sceneOf(
    [
      { path: "in", at: [60, 300, 60, 22] },
      { path: "scope", at: [40, 100, 200, 150], kind: BoxKind.SCOPE, open: true, nodes: 40 },
      { path: "out", at: [30, 20, 60, 22] },
    ],
    [{ from: 0, to: 2 }],
  );
  const frame = {
    scene,
    prepared: prepare(scene),
    places: scene.layout,
    colors: COLORS,
    ...{ dx: 0, dy: 0, ratio: 1, width: 500, height: 400, selected: -1, focused: -1, isMap: false, auxiliary: "" },
  };
  const bounds = boundsOf(scene.layout.routes);
  const svg = (k: number, isConnected: boolean) =>
    svgOf({ width: 500, height: 400 }, null, ({ context: pen }) =>
      isConnected ? paintConnected({ ...frame, k, pen }, 0) : paint({ ...frame, k, pen }, bounds, null),
    );
  /** Left, top, right and lower ends of the rectangles that are drawn after the edges, directly before the title. */
  const covers = (text: string) => {
    const rects = /((?:<rect[^>]*>\s*)+)<text[^>]*>scope</.exec(text)?.[1] ?? "";
    return [...rects.matchAll(/x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map((found) => {
      const [x, y, w, h] = found.slice(1).map(Number) as [number, number, number, number];
      return [x, y, x + w, y + h] as const;
    });
  };

  test.each([1, 0.6, 0.4])("are hidden behind it, in the whole height of the bar, at zoom %d", (k) => {
    for (const isConnected of [false, true]) {
      const found = covers(svg(k, isConnected));
      // Behind the title and behind the minus.
      expect(found.map(([left, , right]) => [50, 230].map((x) => left < x * k && x * k < right))).toEqual([
        [true, false],
        [false, true],
      ]);
      for (const [, top, , bottom] of found) {
        expect(top).toBeLessThanOrEqual(100 * k + 1);
        expect(bottom).toBeCloseTo(122 * k, 1);
      }
    }
  });
});
