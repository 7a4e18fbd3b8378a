import { describe, expect, test } from "vitest";
import { colorsOf } from "../../src/panels/graphs/draw/colors";
import { EdgeKind } from "../../src/panels/graphs/draw/edgestyles";
import { toSvg } from "../../src/panels/graphs/draw/export";
import { fitted, widthOf } from "../../src/panels/graphs/draw/frame";
import { hitAt } from "../../src/panels/graphs/draw/hit";
import { nearestAround, pick, spokenName } from "../../src/panels/graphs/draw/overlay";
import { Grid } from "../../src/panels/graphs/draw/routelabels";
import { boundsOf } from "../../src/panels/graphs/draw/routes";
import { prepare, Tone } from "../../src/panels/graphs/draw/scene";
import { actionOf } from "../../src/panels/graphs/draw/stage";
import { type Direction, firstBox, mainComponent, stepFrom } from "../../src/panels/graphs/draw/steps";
import { motion } from "../../src/panels/graphs/draw/transitions";
import { Area, levelOf, MarkKind, strokeWidth } from "../../src/panels/graphs/layout/types";
import { BoxKind } from "../../src/panels/graphs/model/view";
import { sceneOf } from "./drawscene";

// x and y are read by a scope with a and b in it, one above the other; z is at the right of the scope.
const SCENE = sceneOf(
  [
    { path: "x", at: [100, 400, 60, 22] },
    { path: "scope", at: [50, 100, 200, 200], kind: BoxKind.SCOPE, open: true, nodes: 2 },
    { path: "scope/a", at: [100, 220, 60, 22], parent: 1 },
    { path: "scope/b", at: [100, 140, 60, 22], parent: 1 },
    { path: "y", at: [200, 400, 60, 22] },
    { path: "z", at: [300, 190, 60, 22] },
  ],
  [
    { from: 0, to: 2, shape: "32×10", size: 320 },
    { from: 2, to: 3, data: 0, control: 1 },
    { from: 4, to: 2, data: 3 },
    { from: 4, to: 5, data: 9, hidden: true },
  ],
  [
    [2, MarkKind.CONSTANT, 0, 77],
    [5, MarkKind.PARTNER, 0, 4],
  ],
);
const PAGE = { background: [255, 255, 255], foreground: [33, 33, 33] } as const;
const COLORS = colorsOf(PAGE, "#1976d2", "light");

test("where the user has chosen all colors, small texts and borders have the ink of the page", () => {
  const forced = colorsOf(PAGE, "#1976d2", "light", true);
  const drawn = ({ quiet, openedBorder, op, scope }: typeof COLORS) => [quiet, openedBorder, op.border, scope.border];
  expect(new Set(drawn(forced))).toEqual(new Set([COLORS.ink]));
  expect(drawn(COLORS)).not.toContain(COLORS.ink);
});
const PREPARED = prepare(SCENE);
const hit = (x: number, y: number) => hitAt(SCENE, boundsOf(SCENE.layout.routes), x, y, 4);

describe("the box or route below the pointer", () => {
  test("the innermost box", () => {
    expect(hit(110, 230)).toMatchObject({ box: 2, mark: -1, route: -1, isBody: false });
    expect(hit(60, 110)).toMatchObject({ box: 1, isBody: false });
    expect(hit(60, 290)).toMatchObject({ box: 1, isBody: true });
    expect(hit(0, 0)).toMatchObject({ box: -1, isBody: false });
  });

  test("a mark, and a route, also within a scope", () => {
    expect(hit(60, 225)).toMatchObject({ box: 2, mark: 0 });
    expect(hit(132, 180)).toMatchObject({ box: 1, route: 1, isBody: false });
    expect(hit(131, 320)).toMatchObject({ box: -1, route: 0 });
    expect(hit(150, 180).route).toBe(-1);
  });
});

describe("the largest component", () => {
  const at = [0, 0, 60, 22] as const;

  test("are connected boxes, also through open boxes", () => {
    expect(mainComponent(SCENE)).toEqual([0, 1, 4]);
    const scene = sceneOf(
      [...["a", "b", "c", "d"].map((path) => ({ path, at })), { path: "e", at: [0, 300, 60, 22], nodes: 5 }],
      [
        { from: 0, to: 1 },
        { from: 2, to: 3 },
        { from: 1, to: 2, hidden: true },
      ],
    );
    expect(mainComponent(scene)).toEqual([4]);
    expect(firstBox(scene)).toBe(4);
    scene.input.area[4] = Area.OUT;
    expect(mainComponent(scene)).toEqual([0, 1]);
  });

  test("are all if everything is auxiliary, and none in an empty graph", () => {
    const scene = sceneOf([{ path: "a", at }]);
    scene.input.area[0] = Area.OUT;
    expect(mainComponent(scene)).toEqual([0]);
    expect(firstBox(sceneOf([]))).toBe(-1);
  });
});

describe("facts about routes", () => {
  test("kinds and widths", () => {
    expect([...PREPARED.routeKind]).toEqual([EdgeKind.DATA, EdgeKind.CONTROL, EdgeKind.DATA]);
    expect(levelOf(1)).toBe(0);
    expect(levelOf(1e12)).toBe(15);
    expect(levelOf(Number.NaN)).toBe(0);
    expect(levelOf(1e4)).toBeLessThan(levelOf(1e5));
  });

  test("references: some of a route's, or all", () => {
    const boxes = SCENE.view.path.slice(0, 2).map((path) => ({ path, at: [0, 0, 9, 9] as const }));
    const { routeKind } = prepare(
      sceneOf(boxes, [
        { from: 0, to: 1, data: 2, reference: 1 },
        { from: 0, to: 1, data: 2, reference: 2 },
      ]),
    );
    expect([...routeKind]).toEqual([EdgeKind.MIXED, EdgeKind.REFERENCE]);
  });

  test("routes that stand out come last, faint ones first; the rest stays as it is known", () => {
    const emphasized = Uint8Array.of(1, 0, 0, 0);
    const faint = Uint8Array.of(0, 0, 0, 0, 1, 0);
    const scene = { ...SCENE, emphasized, faint };
    const next = prepare(scene, { scene: SCENE, prepared: PREPARED });
    expect([...next.routeTone]).toEqual([Tone.EMPHASIZED, Tone.PLAIN, Tone.FAINT]);
    expect([...next.routeOrder]).toEqual([2, 1, 0]);
    expect(next.boxOf).toBe(PREPARED.boxOf);
  });

  test("connections of boxes", () => {
    expect([...PREPARED.bundlesOf(2)].sort()).toEqual([0, 1, 2]);
    expect([...PREPARED.bundlesOf(1)]).toEqual([]);
    expect([...PREPARED.routesOf(2)]).toEqual([2]);
    expect([...PREPARED.routesOf(3)]).toEqual([]);
  });

  test("in a list each box is followed by its contents", () => {
    const at = [0, 0, 9, 9] as const;
    const parents = [-1, -1, 0, 1, 0, 2, 4];
    const { place } = prepare(sceneOf(parents.map((parent, i) => ({ path: `${i}`, at, parent }))));
    expect([0, 1, 2, 3, 4, 5, 6].sort((a, b) => (place[a] as number) - (place[b] as number))).toEqual([
      0, 2, 5, 4, 6, 1, 3,
    ]);
  });

  test("routes into an opened scope count, too, if they end inside", () => {
    const { inside, bundles } = PREPARED.boundaryOf(1);
    expect([...inside].flatMap((one, box) => (one === 1 ? [SCENE.view.path[box]] : []))).toContain("scope/a");
    const { source, target } = SCENE.view.edges;
    expect(bundles.length).toBeGreaterThan(0);
    expect([...bundles].every((bundle) => inside[source[bundle] ?? 0] !== inside[target[bundle] ?? 0])).toBe(true);
  });

  test("a stack whose things are connected", () => {
    const stack = (from: number, to: number) =>
      prepare(
        sceneOf(
          [
            { path: "s", at: [0, 0, 9, 9], kind: BoxKind.STACK },
            { path: "t", at: [20, 0, 9, 9] },
          ],
          [{ from, to, hidden: true }],
        ),
      ).connected[0];
    expect(stack(0, 0)).toBe(1);
    expect(stack(0, 1)).toBe(0);
  });
});

describe("keys", () => {
  const step = (box: number, to: Direction) => SCENE.view.path[stepFrom(SCENE, PREPARED, box, to)];

  test("lead along the edges", () => {
    expect(step(0, "up")).toBe("scope/a");
    expect(step(2, "up")).toBe("scope/b");
    // Three tensors come from y, one from x.
    expect(step(2, "down")).toBe("y");
    // An edge with a route comes before one without.
    expect(step(4, "up")).toBe("scope/a");
  });

  test("without an edge, to the nearest box; beside a box, out of a scope and into it", () => {
    expect(step(0, "down")).toBeUndefined();
    expect(step(3, "up")).toBeUndefined();
    expect(step(0, "right")).toBe("y");
    expect(step(4, "left")).toBe("x");
    expect(step(1, "right")).toBe("z");
    expect(step(1, "in")).toBe("scope/a");
    expect(step(2, "out")).toBe("scope");
    expect(step(-1, "up")).toBe("x");
    expect(stepFrom(sceneOf([]), prepare(sceneOf([])), -1, "up")).toBe(-1);
  });

  test("mean something only without Ctrl and Alt", () => {
    const key = { key: "ArrowUp", shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
    expect(actionOf(key)).toEqual({ does: "step", to: "up" });
    expect(actionOf({ ...key, shiftKey: true })).toEqual({ does: "step", to: "out" });
    expect(actionOf({ ...key, ctrlKey: true })).toBeUndefined();
    expect(actionOf({ ...key, key: "constructor" })).toBeUndefined();
  });
});

test("a grid finds everything that touches a rectangle, however large", () => {
  const rects = Array.from({ length: 400 }, (_, i) => {
    const size = i % 50 === 0 ? 3000 : 5 + (i % 90);
    return [(i * 379) % 5000, (i * 617) % 4000, size, size] as const;
  });
  const grid = new Grid();
  rects.forEach(([x, y, w, h], i) => {
    grid.insert(i, x, y, w, h);
  });
  const found = new Set<number>();
  grid.some(1000, 1000, 1300, 1200, (item) => {
    found.add(item);
    return false;
  });
  rects.forEach(([x, y, w, h], i) => {
    if (x < 1300 && y < 1200 && x + w > 1000 && y + h > 1000) {
      expect(found.has(i)).toBe(true);
    }
  });
  expect(found.size).toBeLessThan(200);
});

test("the attribute of a module is kept whole where there is room for it", () => {
  const label = "Sequential[backbone]";
  expect(fitted(label, widthOf(label))).toBe(label);
  expect(fitted(label, widthOf("Sequ…[backbone]"))).toBe("Sequ…[backbone]");
  expect(fitted(label, widthOf("…[backbone]"))).toBe("…[backbone]");
  expect(fitted(label, widthOf("…[backbone]") - 0.01)).toMatch(/^Seq.*….*ne\]$/);
  expect(fitted(`${label} ×12`, widthOf("S…[backbone] ×12"))).toBe("S…[backbone] ×12");
  expect(fitted("[a very long attribute]", 6)).toMatch(/^\[a.*….*e\]$/);
});

test("texts lose their middle where there is no room", () => {
  expect(fitted("conv", 100)).toBe("conv");
  const cut = fitted("batch_normalization_12", 8);
  expect(cut).toMatch(/^bat.*….*_12$/);
  expect(widthOf(cut)).toBeLessThanOrEqual(8);
  expect(fitted("anything", 0.2)).toBe("");
  expect(fitted("😀".repeat(40), 8)).toMatch(/^😀*…😀+$/u);
  expect(fitted("x".repeat(1e6), 1e9).length).toBe(300);
});

describe("the way to another layout", () => {
  const before = sceneOf([
    { path: "a", at: [0, 0, 50, 20], kind: BoxKind.SCOPE },
    { path: "b", at: [100, 0, 50, 20] },
  ]);
  const after = sceneOf(
    [
      { path: "b", at: [400, 40, 50, 20] },
      { path: "a", at: [0, 0, 300, 200], kind: BoxKind.SCOPE, open: true },
      { path: "a/c", at: [150, 100, 60, 20], parent: 1 },
    ],
    [{ from: 0, to: 2 }],
  );
  const way = motion(before.layout, prepare(before).boxOf, after);

  test("begins where boxes were, new ones within the box around them", () => {
    const { x, y, w, h } = way.at(0);
    expect([x[0], y[0], w[1], h[1]]).toEqual([100, 0, 50, 20]);
    expect([x[2], y[2], w[2], h[2]]).toEqual([25, 10, 10, 2]);
  });

  test("routes go along with the boxes at their ends", () => {
    const { points } = way.at(0).routes;
    expect([...points]).toEqual([125, 0, 30, 12]);
    expect([...way.at(1).routes.points]).toEqual([...after.layout.routes.points]);
  });

  test("ends at the layout", () => {
    const { x, y, w, h, title } = way.at(1);
    expect([x, y, w, h, title]).toEqual((["x", "y", "w", "h", "title"] as const).map((side) => after.layout[side]));
  });
});

describe("elements for boxes", () => {
  const many = sceneOf(
    Array.from({ length: 3000 }, (_, i) => ({
      path: `n${i}`,
      at: [(i % 60) * 100, Math.floor(i / 60) * 50, 60, 22] as const,
    })),
  );

  test("all have one, or visible and wanted ones", () => {
    const stage = { width: 800, height: 600 };
    const camera = { x: 0, y: 0, zoom: 1 };
    expect(pick(SCENE, camera, stage, [])).toEqual([0, 1, 2, 3, 4, 5]);
    const picked = new Set(pick(many, camera, stage, [2999]));
    expect(picked.size).toBe(1200);
    expect(picked.has(2999)).toBe(true);
    for (let box = 0; box < 3000; box++) {
      const [x, y] = [(box % 60) * 100, Math.floor(box / 60) * 50];
      expect(x >= 800 || y >= 600 || picked.has(box)).toBe(true);
    }
  });

  test("describe a box", () => {
    expect(spokenName(SCENE, 1)).toBe("scope, 2 nodes");
    expect(spokenName(SCENE, 2)).toBe("a, MatMul");
  });

  test("a removed box is replaced by its nearest ancestor", () => {
    const known = new Map([["a", 1]]);
    expect(nearestAround("a/b/c", known)).toBe("a");
    expect(nearestAround("x/y", known)).toBeNull();
  });
});

describe("routes beside each other", () => {
  const scene = (apart: number) =>
    sceneOf(
      [0, apart, 400].flatMap((x, i) => [
        { path: `from${i}`, at: [x, 300, 4, 22] as const },
        { path: `to${i}`, at: [x, 0, 4, 22] as const },
      ]),
      [0, 2, 4].map((from) => ({ from, to: from + 1, size: 1e9 })),
    );

  test("know how far it is to the next one, if they are not the same there", () => {
    expect([...scene(10).layout.routes.room]).toEqual([10, 10, 390]);
    expect([...scene(0).layout.routes.room]).toEqual([400, 400, 400]);
    expect([...sceneOf([]).layout.routes.room]).toEqual([]);
  });

  test("leave room between them, and their heads do", () => {
    const { routeLevel } = prepare(scene(10));
    expect(routeLevel[2]).toBe(levelOf(1e9));
    expect(strokeWidth(routeLevel[0] as number)).toBeLessThan(strokeWidth(levelOf(1e9)));
    expect(strokeWidth(routeLevel[0] as number)).toBeLessThanOrEqual(7);
    // Paths of triangles: from the tip to one corner, then to the other.
    const heads = [...toSvg(scene(10), COLORS, "").matchAll(/M([\d.]+) [\d.]+L([\d.]+) [\d.]+L([\d.]+) [\d.]+Z/g)];
    const widths = heads.map(([, , left, right]) => Math.abs(Number(left) - Number(right)));
    expect(widths).toHaveLength(3);
    expect(widths.filter((width) => width <= 10)).toHaveLength(2);
  });
});
