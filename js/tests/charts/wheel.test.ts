import { beforeEach, expect, test } from "vitest";
import { WheelZoom } from "../../src/charts/keyboard";
import { FakeElement } from "./element";

let element: FakeElement;
let factors: number[];
let listeners: { type: string; passive: boolean }[];
let wheel: WheelZoom;

beforeEach(() => {
  element = new FakeElement();
  factors = [];
  listeners = [];
  const { addEventListener } = EventTarget.prototype;
  element.addEventListener = function (type: string, ...given: unknown[]) {
    listeners.push({ type, passive: (given[1] as AddEventListenerOptions).passive === true });
    addEventListener.call(this, type, ...(given as [EventListener, AddEventListenerOptions]));
  };
  wheel = new WheelZoom(element.element, (factor) => factors.push(factor));
});

const blocking = () => listeners.filter(({ type, passive }) => type === "wheel" && !passive).length;
const key = (altKey: boolean) => {
  element.ownerDocument.dispatchEvent(Object.assign(new Event(altKey ? "keydown" : "keyup"), { altKey }));
};

test("the wheel alone scrolls: nothing waits for us, nor is prevented", () => {
  element.fire("pointerenter", [50, 50]);
  element.fire("pointermove", [60, 50]);
  expect(element.fire("wheel", [60, 50], { deltaY: 100 })).toBe(true);
  expect([factors, blocking()]).toEqual([[], 0]);
});

test("with Alt it zooms and does not scroll, in whichever way Alt is detected", () => {
  const hear: (() => void)[] = [
    () => key(true),
    () => element.fire("pointermove", [60, 50], { altKey: true }),
    () => element.fire("pointerenter", [60, 50], { altKey: true }),
  ];
  for (const tell of hear) {
    factors = [];
    element.fire("pointerenter", [50, 50]);
    tell();
    expect(element.fire("wheel", [60, 50], { altKey: true, deltaY: -100 })).toBe(false);
    expect(factors).toHaveLength(1);
    expect(factors[0]).toBeCloseTo(Math.exp(-0.2), 9);
    key(false);
    element.fire("pointermove", [60, 50]);
    expect(element.fire("wheel", [60, 50], { deltaY: 100 })).toBe(true);
    element.fire("pointerleave", [60, 50]);
  }
});

test.each([
  ["the page has no focus", false, null],
  ["a frame in the page has the focus", true, { tagName: "IFRAME" }],
])("where %s no key is heard, yet Alt and the wheel zoom at once", (_case, focused, activeElement) => {
  element.ownerDocument.focused = focused;
  element.ownerDocument.activeElement = activeElement;
  element.fire("pointerenter", [50, 50]);
  expect(element.fire("wheel", [50, 50], { altKey: true, deltaY: -100 })).toBe(false);
  expect(element.fire("wheel", [50, 50], { deltaY: -100 })).toBe(true);
  expect(factors).toHaveLength(1);
});

test("it also zooms if no event has reported that Alt is held", () => {
  element.fire("wheel", [50, 50], { altKey: true, deltaY: -100 });
  expect(factors).toHaveLength(1);
  expect(element.fire("wheel", [50, 50], { altKey: true, deltaY: -100 })).toBe(false);
  expect(factors).toHaveLength(2);
});

test("lines and pages count as pixels; one event does not zoom without end", () => {
  element.fire("pointerenter", [50, 50], { altKey: true });
  for (const more of [{ deltaY: 3, deltaMode: 1 }, { deltaY: 1, deltaMode: 2 }, { deltaY: 1e9 }, { deltaX: 50 }]) {
    element.fire("wheel", [50, 50], { altKey: true, ...more });
  }
  expect(factors.map((factor) => Math.round(Math.log(factor) / 0.002))).toEqual([48, 300, 300, 50]);
});

test("away from the plot nothing is listened to on the page", () => {
  element.fire("pointerenter", [50, 50]);
  element.fire("pointerleave", [50, 50]);
  key(true);
  expect(blocking()).toBe(0);
  element.fire("pointerenter", [50, 50]);
  wheel.end();
  key(true);
  expect(blocking()).toBe(0);
  expect(element.fire("wheel", [50, 50], { altKey: true, deltaY: 1 })).toBe(true);
  expect(factors).toEqual([]);
});
