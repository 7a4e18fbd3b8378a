import { describe, expect, test } from "vitest";
import { Area, MarkKind } from "../../src/panels/graphs/layout/types";
import { compose } from "../../src/panels/graphs/model/compose";
import { type LayoutOptions, layoutInput } from "../../src/panels/graphs/model/layoutinput";
import { Inlined, Role, type Structure } from "../../src/panels/graphs/model/structure";
import { type MadeNode, structureMade } from "./made";
import { recorded, structureOf } from "./recorded";

const NONE: LayoutOptions = { main: new Set(), auxiliary: new Set() };

function inputOf(structure: Structure, opened: readonly string[] | "all", options: LayoutOptions = NONE) {
  const view = compose(structure, { opened: opened === "all" ? opened : new Set(opened) });
  return { view, input: layoutInput(view, structure, options) };
}

/** Routes as "source > target", marks at the inputs as "box <kind label", and at the outputs as "box >kind label". */
function drawn(structure: Structure, opened: readonly string[] | "all", options: LayoutOptions = NONE) {
  const { view, input } = inputOf(structure, opened, options);
  const path = (box: number | undefined) => view.path[box as number];
  const { marks } = input;
  return {
    routes: [...input.bundle.keys()].map((route) => `${path(input.source[route])} > ${path(input.target[route])}`),
    marks: marks.label.map(
      (label, i) => `${path(marks.box[i])} ${marks.side[i] === 1 ? ">" : "<"}${marks.kind[i]} ${label}`,
    ),
  };
}

/** Many nodes that all read one hub. */
function star(leaves: number): Record<string, MadeNode> {
  const nodes = Array.from({ length: leaves }, (_, i) => [`leaf${i}`, { reads: ["hub", `leaf${i - 1}`] }] as const);
  return { hub: {}, "leaf-1": {}, ...Object.fromEntries(nodes) };
}

/** The same graph, with a hub that is a source of scalars. */
function starOfScalars(leaves: number): Structure {
  const structure = structureMade(star(leaves));
  structure.role[structure.labels.indexOf("hub")] = Role.SCALARS;
  return structure;
}

test("embedded nodes are beside their node, at most five on a side", () => {
  const constants = Array.from({ length: 7 }, (_, i) => [`add/c${i}`, { op: "Const", embedded: Inlined.CONSTANT }]);
  const structure = structureMade({
    add: { reads: ["x"], annotations: ["add/c0", "s"] },
    x: { annotations: Object.keys(Object.fromEntries(constants)) },
    s: { op: "ScalarSummary", embedded: Inlined.SUMMARY },
    ...Object.fromEntries(constants),
  });
  expect(drawn(structure, "all")).toEqual({
    routes: ["x > add"],
    marks: ["add <1 c0", "add >2 s", "x <1 c0", "x <1 c1", "x <1 c2", "x <1 c3", "x <1 c4", "x <6 +2"],
  });
  const withoutConstants = drawn(structure, "all", { ...NONE, hiddenOps: new Set(["Const"]) });
  expect(withoutConstants.marks).toEqual(["add >2 s"]);
});

test("a source of scalars that too many read is taken out, and marks stand for them at both ends", () => {
  const structure = starOfScalars(20);
  const { view, input } = inputOf(structure, []);
  const hub = view.path.indexOf("hub");
  expect(input.area[hub]).toBe(Area.OUT);
  expect([...input.source]).not.toContain(hub);
  const { routes, marks } = drawn(structure, []);
  expect(routes).toHaveLength(20);
  expect(marks.filter((mark) => mark.startsWith("hub"))).toEqual([
    ...[0, 1, 2, 3, 4].map((i) => `hub >5 leaf${i}`),
    "hub >6 +15",
  ]);
  expect(marks.filter((mark) => mark.startsWith("leaf7"))).toEqual(["leaf7 <5 hub"]);
});

test("bookkeeping names the boxes that it serves, and they do not name it", () => {
  const structure = structureMade({
    w: {},
    add: { reads: ["w"] },
    init: { reads: ["w"] },
    save: { reads: ["w", "init"] },
  });
  for (const name of ["init", "save"]) {
    structure.role[structure.labels.indexOf(name)] = Role.BOOKKEEPING;
  }
  const { routes, marks } = drawn(structure, []);
  expect(routes).toEqual(["w > add"]);
  expect(marks).toEqual(["init <5 w", "init >5 save", "save <5 w", "save <5 init"]);
});

test("the user keeps what would be taken out, and takes out what would be kept", () => {
  const structure = starOfScalars(20);
  const kept = inputOf(structure, [], { ...NONE, main: new Set(["hub"]) });
  expect(kept.input.area[kept.view.path.indexOf("hub")]).toBe(Area.MAIN);
  expect(kept.input.bundle).toHaveLength(40);
  const removed = inputOf(structure, [], { ...NONE, auxiliary: new Set(["leaf3"]) });
  expect(removed.input.area[removed.view.path.indexOf("leaf3")]).not.toBe(Area.MAIN);
});

describe("edges into opened scopes", () => {
  const into = (count: number) =>
    structureMade({
      x: {},
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`s/n${i}`, { reads: ["x"] }])),
    });

  test("are drawn to each box where these are few", () => {
    const { routes, marks } = drawn(into(4), ["s"]);
    expect(routes).toEqual([0, 1, 2, 3].map((i) => `x > s/n${i}`));
    expect(marks).toEqual([]);
  });

  test("end at the border where they are many, with marks inside", () => {
    const { routes, marks } = drawn(into(5), ["s"]);
    expect(new Set(routes)).toEqual(new Set(["x > s"]));
    expect(marks).toEqual([0, 1, 2, 3, 4].map((i) => `s/n${i} <5 x`));
    expect(drawn(into(5), []).routes).toEqual(["x > s"]);
  });

  test("routes out of them, too", () => {
    const nodes = Array.from({ length: 5 }, (_, i) => [`s/n${i}`, {}] as const);
    const structure = structureMade({ ...Object.fromEntries(nodes), y: { reads: nodes.map(([name]) => name) } });
    const { routes, marks } = drawn(structure, ["s"]);
    expect(new Set(routes)).toEqual(new Set(["s > y"]));
    expect(marks).toEqual([0, 1, 2, 3, 4].map((i) => `s/n${i} >5 y`));
  });
});

test("edges of control alone are said to be", () => {
  const structure = structureMade({ a: {}, b: { reads: ["^a"] }, c: { reads: ["^b", "b"] } });
  expect([...inputOf(structure, []).input.control]).toEqual([1, 0]);
});

describe.each(recorded)("%s", (_, read) => {
  test("has a route or marks for each bundle", async () => {
    const structure = await structureOf(await read());
    for (const opened of [[], "all"] as const) {
      const { view, input } = inputOf(structure, opened);
      const { edges, parent } = view;
      const ends = new Map([...input.bundle].map((bundle, route) => [bundle, route]));
      const isIn = (box: number, around: number): boolean =>
        box === around || (box >= 0 && isIn(parent[box] as number, around));
      const partners = new Set<string>();
      const crowded = new Set<string>();
      for (let i = 0; i < input.marks.count; i += 1) {
        const side = `${input.marks.box[i]} ${input.marks.side[i]}`;
        if (input.marks.kind[i] === MarkKind.MORE) {
          crowded.add(side);
        } else if (input.marks.kind[i] === MarkKind.PARTNER) {
          partners.add(`${side} ${input.marks.about[i]}`);
        }
      }
      const isMarked = (box: number, side: number, about: number) =>
        partners.has(`${box} ${side} ${about}`) || crowded.has(`${box} ${side}`);
      // Boxes of the model do not name the bookkeeping that serves them.
      const serves = (box: number) => view.role[box] === Role.BOOKKEEPING || view.role[box] === Role.LARGE;
      for (let bundle = 0; bundle < edges.count; bundle += 1) {
        const [from, to] = [edges.source[bundle] as number, edges.target[bundle] as number];
        const route = ends.get(bundle);
        const [source, target] = route === undefined ? [-1, -1] : [input.source[route], input.target[route]];
        if (from === to) {
          expect(route).toBeUndefined();
          continue;
        }
        expect(source === from || isMarked(from, 1, to) || (route === undefined && serves(to))).toBe(true);
        expect(target === to || isMarked(to, 0, from) || (route === undefined && serves(from))).toBe(true);
        expect(route === undefined || (isIn(from, source as number) && isIn(to, target as number))).toBe(true);
      }
    }
  });
});
