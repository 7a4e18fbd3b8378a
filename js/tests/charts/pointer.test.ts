import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PlotPointer, type PointerEvents } from "../../src/charts/plotarea";
import { FakeElement } from "./element";

let element: FakeElement;
let told: unknown[][];
let zoomed: boolean;
/** Drags select: never, with Ctrl or ⌘, or always. */
let selecting: "never" | "keys" | "always";

beforeEach(() => {
  vi.useFakeTimers();
  element = new FakeElement();
  told = [];
  zoomed = false;
  selecting = "never";
  const names = [
    "hovered",
    "clicked",
    "reset",
    "boxing",
    "boxed",
    "selected",
    "moveBegan",
    "moved",
    "pinched",
  ] as const;
  const recorded = names.map((name) => [name, (...given: unknown[]) => told.push([name, ...given])]);
  const selects = (byKey: boolean) => selecting === "always" || (byKey && selecting === "keys");
  const events = { ...Object.fromEntries(recorded), isZoomed: () => zoomed, selects } as PointerEvents;
  new PlotPointer(element.element, events);
});
afterEach(() => vi.useRealTimers());

/** The calls with these names. */
function named(...names: string[]): unknown[][] {
  return told.filter(([name]) => names.includes(String(name)));
}

const touch = (id = 1) => ({ pointerType: "touch", pointerId: id });

/** A finger taps: browsers follow it with a click. */
function tap(at: readonly [number, number]): void {
  element.fire("pointerdown", at, touch());
  element.fire("pointerup", at, touch());
  element.fire("pointerleave", at, touch());
  element.fire("click", at);
}

test("the mouse hovers, in shares of the plot, until it leaves", () => {
  element.fire("pointermove", [50, 25]);
  element.fire("pointerleave", [50, 25]);
  expect(told).toEqual([
    ["hovered", { x: 0.25, y: 0.25 }],
    ["hovered", null],
  ]);
});

test("a click counts also with a trembling hand; a drag is no click", () => {
  element.fire("pointerdown", [50, 25]);
  element.fire("pointermove", [52, 26]);
  element.fire("pointerup", [52, 26]);
  element.fire("click", [52, 26], { detail: 2 });
  expect(named("clicked", "boxed")).toEqual([["clicked", { x: 0.26, y: 0.26 }, 2]]);
  element.fire("pointerdown", [50, 25]);
  element.fire("pointermove", [90, 25]);
  element.fire("pointerup", [90, 25]);
  element.fire("click", [90, 25]);
  expect(named("clicked")).toHaveLength(1);
  element.fire("dblclick", [90, 25]);
  expect(named("reset")).toHaveLength(1);
});

test("a click is where the mouse hovers, whose data the tooltip shows, though clicks have whole pixels", () => {
  element.fire("pointermove", [50.75, 25.5]);
  element.fire("click", [50, 25]);
  expect(named("hovered")[0]?.[1]).toEqual({ x: 0.25375, y: 0.255 });
  expect(named("clicked")[0]?.[1]).toEqual(named("hovered")[0]?.[1]);
  element.fire("pointerleave", [50, 25]);
  element.fire("click", [60, 25]);
  expect(named("clicked")[1]?.[1]).toEqual({ x: 0.3, y: 0.25 });
});

test("where drags select, they do so along x, with Ctrl or ⌘ or always; a finger's, too", () => {
  const drag = (more: Record<string, unknown> = {}) => {
    element.fire("pointerdown", [50, 25], more);
    element.fire("pointermove", [90, 80], more);
    element.fire("pointerup", [90, 80], more);
  };
  drag({ ctrlKey: true });
  expect([named("selected"), named("boxed").length]).toEqual([[], 1]);
  selecting = "keys";
  drag();
  expect([named("selected"), named("boxed").length]).toEqual([[], 2]);
  drag({ ctrlKey: true });
  drag({ metaKey: true });
  expect([named("selected"), named("boxed").length]).toEqual([
    [
      ["selected", [0.25, 0.45]],
      ["selected", [0.25, 0.45]],
    ],
    2,
  ]);
  selecting = "always";
  drag(touch());
  expect(named("selected")).toHaveLength(3);
  expect(told.at(-2)).toEqual(["boxing", null, null, false]);
});

test("a drag draws a box along the axis on which it is long, or along both, and captures the pointer", () => {
  const drag = (to: readonly [number, number]) => {
    element.fire("pointerdown", [20, 10]);
    element.fire("pointermove", to);
    element.fire("pointerup", to);
  };
  drag([100, 15]);
  drag([25, 60]);
  drag([300, 200]);
  expect(named("boxed")).toEqual([
    ["boxed", [0.1, 0.5], null],
    ["boxed", null, [0.1, 0.6]],
    ["boxed", [0.1, 1], [0.1, 1]],
  ]);
  expect(named("boxing").at(-1)).toEqual(["boxing", null, null, false]);
  expect(element.captured).toEqual([1, 1, 1]);
});

test("Shift, or the middle button, moves the visible part; only sideways, unless it goes far up or down", () => {
  for (const more of [{ shiftKey: true }, { button: 1 }]) {
    told = [];
    element.fire("pointerdown", [100, 50], more);
    element.fire("pointermove", [120, 55], more);
    element.fire("pointermove", [120, 75], more);
    element.fire("pointerup", [120, 75], more);
    element.fire("pointermove", [140, 75]);
    expect(named("moveBegan", "moved")).toEqual([["moveBegan"], ["moved", 0.1, 0], ["moved", 0.1, 0.25]]);
  }
  expect(named("boxed")).toEqual([]);
  expect(element.fire("mousedown", [0, 0], { button: 1 })).toBe(false);
  expect(element.fire("mousedown", [0, 0])).toBe(true);
});

test("the right button does nothing", () => {
  element.fire("pointerdown", [50, 25], { button: 2 });
  element.fire("pointermove", [90, 25], { button: 2 });
  element.fire("pointerup", [90, 25], { button: 2 });
  expect(named("boxed", "moved", "clicked")).toEqual([]);
});

test("a pen hovers and draws boxes as a mouse does", () => {
  const pen = { pointerType: "pen" };
  element.fire("pointermove", [50, 25], pen);
  element.fire("pointerdown", [50, 25], pen);
  element.fire("pointermove", [150, 25], pen);
  element.fire("pointerup", [150, 25], pen);
  expect(told[0]).toEqual(["hovered", { x: 0.25, y: 0.25 }]);
  expect(named("boxed")).toEqual([["boxed", [0.25, 0.75], null]]);
});

test("a tap shows the crosshair, which stays; another tap there is a click", () => {
  tap([50, 25]);
  expect(told).toEqual([["hovered", { x: 0.25, y: 0.25 }]]);
  tap([55, 25]);
  expect(named("clicked")).toEqual([["clicked", { x: 0.25, y: 0.25 }, 1]]);
  tap([150, 25]);
  expect(named("clicked")).toHaveLength(1);
  expect(told.at(-1)).toEqual(["hovered", { x: 0.75, y: 0.25 }]);
});

test("one finger moves the crosshair if everything is visible, otherwise the visible part", () => {
  const slide = () => {
    element.fire("pointerdown", [50, 50], touch());
    element.fire("pointermove", [100, 52], touch());
    element.fire("pointermove", [120, 52], touch());
    element.fire("pointerup", [120, 52], touch());
    element.fire("click", [120, 52]);
  };
  slide();
  expect(named("moved", "clicked", "boxed")).toEqual([]);
  expect(told.at(-1)).toEqual(["hovered", { x: 0.6, y: 0.52 }]);
  zoomed = true;
  slide();
  expect(named("moved").at(-1)).toEqual(["moved", 0.35, 0]);
});

test("a long press moves the crosshair, also after zooming, and is no click", () => {
  zoomed = true;
  element.fire("pointerdown", [50, 50], touch());
  vi.advanceTimersByTime(600);
  expect(told).toEqual([["hovered", { x: 0.25, y: 0.5 }]]);
  expect(element.fire("contextmenu", [50, 50])).toBe(false);
  element.fire("pointermove", [100, 50], touch());
  element.fire("pointerup", [100, 50], touch());
  element.fire("click", [100, 50]);
  expect(named("moved", "clicked")).toEqual([]);
  expect(told.at(-1)).toEqual(["hovered", { x: 0.5, y: 0.5 }]);
});

test("two fingers pinch; when one is lifted, the other does nothing further", () => {
  element.fire("pointerdown", [50, 50], touch(1));
  element.fire("pointerdown", [150, 50], touch(2));
  element.fire("pointermove", [170, 60], touch(2));
  const began = [
    { x: 0.25, y: 0.5 },
    { x: 0.75, y: 0.5 },
  ];
  const now = [
    { x: 0.25, y: 0.5 },
    { x: 0.85, y: 0.6 },
  ];
  expect(named("moveBegan", "pinched")).toEqual([["moveBegan"], ["pinched", began, now]]);
  element.fire("pointerup", [170, 60], touch(2));
  told = [];
  element.fire("pointermove", [100, 50], touch(1));
  element.fire("pointerup", [100, 50], touch(1));
  expect(told).toEqual([]);
});

test("where the browser takes over, as to scroll, nothing goes on", () => {
  element.fire("pointerdown", [50, 50], touch());
  element.fire("pointercancel", [50, 60], touch());
  vi.advanceTimersByTime(600);
  element.fire("pointermove", [50, 90], touch());
  expect(named("moved", "clicked", "pinched")).toEqual([]);
  expect(told.at(-1)).toEqual(["hovered", null]);
});
