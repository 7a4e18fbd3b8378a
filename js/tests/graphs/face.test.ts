import { signal } from "@preact/signals";
import { h } from "preact";
import { expect, test } from "vitest";
import { aboutEntry, writtenName } from "../../src/panels/graphs/about";
import { classColor, colored, formatMicroseconds, hasDataFor, rampColor } from "../../src/panels/graphs/coloring";
import { graphToShow } from "../../src/panels/graphs/documents";
import { messageOf } from "../../src/panels/graphs/draw/export";
import { compose } from "../../src/panels/graphs/model/compose";
import { layoutInput } from "../../src/panels/graphs/model/layoutinput";
import { Role, type Structure } from "../../src/panels/graphs/model/structure";
import { entryOf } from "../../src/panels/graphs/model/tree";
import { BoxKind } from "../../src/panels/graphs/model/view";
import { openedUpTo } from "../../src/panels/graphs/openall";
import { COLORINGS } from "../../src/panels/graphs/options";
import { boxAt, boxOfPath } from "../../src/panels/graphs/places";
import { parseSearch } from "../../src/panels/graphs/searching";
import type { GraphState, LaidOut } from "../../src/panels/graphs/state";
import { countedDevices } from "../../src/panels/graphs/statistics";
import { actionsOn } from "../../src/panels/graphs/ui/actions";
import { Notices } from "../../src/panels/graphs/ui/graphview";
import { rendered } from "../ui/rendering";
import { structureMade } from "./made";
import { structureNamed } from "./recorded";

const GRAPHS = [
  { run: "a", name: "__run_graph__" },
  { run: "b", name: "__run_graph__" },
  { run: "b", name: "keras" },
];

const made = () =>
  structureMade({
    x: { op: "Placeholder", shapes: ["2×3"], device: "cpu" },
    "dense/w": { op: "Variable", shapes: ["3×4"], device: "gpu" },
    "dense/matmul": { op: "MatMul", reads: ["x", "dense/w"], shapes: ["2×4"], device: "gpu" },
    "dense/act": { op: "Relu", reads: ["dense/matmul"], shapes: ["2×4"], device: "cpu" },
    out: { op: "Identity", reads: ["dense/act", "dense/matmul", "^x"], device: "" },
  });

test("the graph to show is the chosen one, else the first of a run that is shown and not empty", () => {
  const show = (run: string | null, name: string | null, hidden = "", empty = "") =>
    graphToShow(
      GRAPHS,
      { run, name },
      (one) => one !== hidden,
      (graph) => graph.run === empty,
    );
  expect(show(null, null)).toBe(GRAPHS[0]);
  expect(show(null, null, "a")).toBe(GRAPHS[1]);
  expect(show(null, null, "", "a")).toBe(GRAPHS[1]);
  expect(show("a", null, "a", "a")).toBe(GRAPHS[0]);
  expect(show(null, "keras")).toBe(GRAPHS[2]);
  expect(show("b", "none of these")).toBe(GRAPHS[1]);
  expect(show("not there", null)).toBe(null);
});

test("a scope says what leads into it and out of it, by the boxes on the screen", () => {
  const structure = made();
  const view = compose(structure, { opened: new Set() });
  const about = aboutEntry(structure, view, "dense");
  expect(about).toMatchObject({ kind: "scope", nodes: 3, op: "" });
  expect(about?.inputs).toEqual([{ entry: entryOf(structure, "x"), name: "x", detail: "2×3" }]);
  expect(about?.outputs).toEqual([{ entry: entryOf(structure, "out"), name: "out", detail: "2 tensors" }]);
  expect(about?.ops).toEqual([
    ["Variable", 1],
    ["MatMul", 1],
    ["Relu", 1],
  ]);
  expect(about?.devices).toEqual([
    ["gpu", 2],
    ["cpu", 1],
  ]);
  expect(aboutEntry(structure, view, "nothing")).toBe(null);
});

test("a node says each of its edges, though it is not on the screen", () => {
  const structure = made();
  const about = aboutEntry(structure, compose(structure, { opened: new Set() }), "out");
  expect(about?.inputs.map(({ name, detail }) => [name, detail])).toEqual([
    ["dense/act", "2×4"],
    ["dense/matmul", "2×4"],
  ]);
  expect(about?.controlInputs.map(({ name }) => name)).toEqual(["x"]);
  expect(about).toMatchObject({ kind: "node", op: "Identity", isNode: true });
});

test("the name of a node that is called as a scope is written once", () => {
  expect(writtenName("a/b/(b)")).toBe("a/b");
  expect(writtenName("a/b/(c)")).toBe("a/b/(c)");
  expect(writtenName("(b)")).toBe("(b)");
});

test("a node in a closed box is at the box's position", () => {
  const structure = made();
  const closed = compose(structure, { opened: new Set() });
  expect(boxOfPath({ structure, view: closed }, "dense/matmul")).toBe(boxAt(closed, "dense"));
  const open = compose(structure, { opened: new Set(["dense"]) });
  expect(boxOfPath({ structure, view: open }, "dense/matmul")).toBe(boxAt(open, "dense/matmul"));
  expect(boxOfPath({ structure, view: open }, "nothing")).toBe(-1);
});

test("opening all opens as much as can be drawn, the outermost first", async () => {
  const structure = await structureNamed("train_graph_def");
  const composing = { opened: new Set<string>() };
  const all = openedUpTo(structure, composing, null);
  expect(all.complete).toBe(true);
  const opened = compose(structure, { opened: new Set(all.paths) });
  expect(opened.count).toBe(compose(structure, { opened: "all" }).count);
  const within = openedUpTo(structure, composing, "gradients");
  expect(within.paths.every((path) => path === "gradients" || path.startsWith("gradients/"))).toBe(true);
  const some = openedUpTo(structure, composing, null, 20);
  expect(some.complete).toBe(false);
  expect(compose(structure, { opened: new Set(some.paths) }).count).toBeLessThanOrEqual(20);
});

test("devices fill boxes in proportion; a device keeps its color", () => {
  const structure = made();
  const view = compose(structure, { opened: new Set() });
  const { fills, keys } = colored(structure, view, "device", null, "light");
  const colorOf = new Map(keys.map(({ name, color }) => [name, color]));
  expect(fills[boxAt(view, "dense")]).toEqual([
    { color: colorOf.get("gpu"), share: 2 / 3 },
    { color: colorOf.get("cpu"), share: 1 / 3 },
  ]);
  expect(fills[boxAt(view, "out")]).toEqual([]);
});

test("colors are offered for what the graph has", () => {
  const offered = (structure: Structure | null, hasSteps: boolean) =>
    COLORINGS.filter((one) => hasDataFor(one, structure, hasSteps));
  expect(offered(structureMade({ a: { device: "gpu" }, b: {} }), false)).toEqual(["structure", "device", "none"]);
  expect(offered({ ...structureMade({ a: {} }), clusters: ["", "xla"] }, false)).toEqual([
    "structure",
    "cluster",
    "none",
  ]);
  expect(offered(structureMade({ a: {} }), true)).toEqual(["structure", "time", "memory", "none"]);
  expect(offered(null, false)).toEqual(["structure", "none"]);
});

test("scopes of the same structure have the same color, whatever is open; the only one of its kind has none", async () => {
  const structure = await structureNamed("train_graph_def");
  const [some, all] = [new Set<string>(), "all" as const].map((opened) => {
    const view = compose(structure, { opened, ungrouped: new Set(["layer0..2"]) });
    const { fills } = colored(structure, view, "structure", null, "light");
    return (path: string) => fills[boxAt(view, path)];
  });
  expect(some?.("layer0")?.[0]?.color).toMatch(/^#/);
  expect(some?.("layer1")).toEqual(some?.("layer0"));
  expect(all?.("layer0")).toEqual(some?.("layer0"));
  expect(some?.("loss")).toEqual([]);
});

test("bookkeeping and scalars that repeat have no color", async () => {
  const structure = await structureNamed("train_graph_def");
  const view = compose(structure, { opened: new Set(), ungrouped: new Set(["layer0..2"]) });
  const boxes = ["layer0", "layer1", "layer2"].map((path) => boxAt(view, path));
  for (const role of [Role.BOOKKEEPING, Role.SCALARS, Role.LARGE]) {
    const changed = view.role.slice();
    changed[boxes[1] as number] = role;
    const { fills } = colored(structure, { ...view, role: changed }, "structure", null, "light");
    expect(boxes.map((box) => fills[box]?.length)).toEqual([1, 0, 1]);
  }
});

test("times add up in closed boxes; what did not run is faint", () => {
  const structure = made();
  const view = compose(structure, { opened: new Set() });
  const time = Float64Array.of(Number.NaN, 1000, 2000, Number.NaN, 10);
  const { notes, faint, most } = colored(structure, view, "time", { time, memory: time }, "light");
  expect(notes[boxAt(view, "dense")]).toBe(formatMicroseconds(3000));
  expect(most).toBe(formatMicroseconds(3000));
  expect([...faint].map((is, box) => (is === 1 ? view.path[box] : ""))).toContain("x");
  expect(faint[boxAt(view, "out")]).toBe(0);
});

test("colors are distinct within a round, and from theme to theme", () => {
  for (const theme of ["light", "dark"] as const) {
    expect(new Set(Array.from({ length: 40 }, (_, i) => classColor(i, theme))).size).toBe(40);
    expect(rampColor(0, theme)).not.toBe(rampColor(1, theme));
  }
});

test("text between slashes is a regular expression", () => {
  expect(parseSearch("/conv\\d+/")).toEqual({ text: "conv\\d+", regex: true });
  expect(parseSearch("a/b/")).toEqual({ text: "a/b/", regex: false });
  expect(parseSearch("/")).toEqual({ text: "/", regex: false });
});

test("chosen devices count if a step ran on them; if it ran on none of them, all count", () => {
  const known = ["/cpu:0", "/gpu:0"];
  expect(countedDevices(null, known)).toBeNull();
  expect(countedDevices(["/gpu:0", "/tpu:0"], known)).toEqual(["/gpu:0"]);
  expect(countedDevices(["/tpu:0"], known)).toBeNull();
  expect(countedDevices([], known)).toEqual([]);
});

test("a note says that a saved picture is smaller than the drawing", () => {
  const blob = new Blob(["a picture"]);
  expect([messageOf({ blob }), messageOf({ blob, scale: 2 }), messageOf({ blob, scale: 1 })]).toEqual([
    null,
    null,
    null,
  ]);
  expect(messageOf({ blob, scale: 0.234 })).toContain("23 %");
  expect(messageOf({ blob, scale: 0.0001 })).toContain("1 %");
  expect(messageOf({ blob: null, scale: 2 })).toContain("SVG");
});

/** An option that remembers nothing. */
function setOption(names: readonly string[] = []) {
  const held = signal<ReadonlySet<string>>(new Set(names));
  return {
    get value() {
      return held.value;
    },
    peek: () => held.peek(),
    set: (value: ReadonlySet<string>) => {
      held.value = value;
    },
  };
}

test("siblings are grouped from the menus of their scope and of one of them, and ungrouped again", async () => {
  const structure = await structureNamed("interleaved");
  const opened = new Set(["net"]);
  const chosen = {
    graph_ungrouped: setOption(),
    graph_grouped: setOption(),
    graph_keep: setOption(),
    graph_extract: setOption(),
  };
  const state = { chosen, select: () => undefined } as unknown as GraphState;
  const actions = (path: string) => {
    const view = compose(structure, {
      opened,
      ungrouped: chosen.graph_ungrouped.value,
      grouped: chosen.graph_grouped.value,
    });
    const input = layoutInput(view, structure, { main: new Set(), auxiliary: new Set() });
    return { view, found: actionsOn(state, { view, input, structure } as unknown as LaidOut, boxAt(view, path)) };
  };
  const act = (path: string, name: string) => {
    const action = actions(path).found.find((one) => one.name === name);
    expect(action).toBeDefined();
    action?.do();
  };
  const before = actions("net").view.path;
  act("net", "Group alike anyway");
  const grouped = actions("net");
  const stacks = grouped.view.path.filter((_, box) => grouped.view.kind[box] === BoxKind.STACK);
  expect(stacks.length).toBe(3);
  expect(stacks.every((path) => grouped.view.unordered[boxAt(grouped.view, path)] === 1)).toBe(true);
  expect(grouped.found.map(({ name }) => name)).not.toContain("Group alike anyway");
  for (const stack of stacks) {
    act(stack, "Ungroup");
  }
  expect(actions("net").view.path).toEqual(before);
  act("net/a0", "Group with its like");
  expect(actions("net").view.path.filter((path) => stacks.includes(path))).toEqual(
    [chosen.graph_grouped.value].flatMap((names) => [...names]),
  );
});

test("over the graph that stays it is told why the one that was requested is not shown", () => {
  const state = {
    chosen: { graph_isolated: signal(null), graph_selected: signal(null), graph_hidden_ops: signal(new Set()) },
    structure: signal(null),
    laidOut: signal({}),
    tooMany: signal(false),
    message: signal(null),
    problem: signal("no such function"),
    trace: signal("off"),
    traceFrom: signal(null),
  };
  const shown = rendered(h(Notices, { state: state as unknown as GraphState }));
  expect(shown.text()).toBe("The requested graph cannot be shown: no such function");
  shown.end();
});
