import { beforeEach, expect, test, vi } from "vitest";
import { type GestureEvents, listen } from "../../src/charts/stagegestures";

const events = {
  tool: vi.fn<NonNullable<GestureEvents["tool"]>>(),
  moved: vi.fn(),
  zoomed: vi.fn(),
  hovered: vi.fn(),
  clicked: vi.fn(),
  doubleClicked: vi.fn(),
  drawing: vi.fn(),
  drawn: vi.fn(),
};

let stage: EventTarget;

/** Sends an event; returns whether the browser and listeners on the page may still act on it. */
function send(type: string, fields: Partial<PointerEventInit & MouseEventInit> = {}): boolean {
  const event = Object.assign(new Event(type, { cancelable: true, bubbles: true }), {
    ...{ pointerId: 1, pointerType: "mouse", button: 0, buttons: 1, altKey: false, clientX: 0, clientY: 0 },
    ...fields,
  });
  return stage.dispatchEvent(event);
}

beforeEach(() => {
  vi.clearAllMocks();
  events.tool.mockReturnValue("move");
  stage = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
    hasPointerCapture: () => false,
    setPointerCapture: () => {},
    toggleAttribute: () => {},
  });
  listen(stage as HTMLElement, events, { hasRightDrag: true });
});

test("a drag moves the view", () => {
  send("pointerdown");
  send("pointermove", { clientX: 10 });
  send("pointermove", { clientX: 15, clientY: 5 });
  expect(events.moved.mock.calls).toEqual([
    [{ x: 10, y: 0 }, false],
    [{ x: 5, y: 5 }, false],
  ]);
});

test("a button without a release event is released: the view does not follow the pointer", () => {
  send("pointerdown");
  send("pointermove", { clientX: 10 });
  send("pointermove", { clientX: 20, buttons: 0 });
  send("pointermove", { clientX: 30, buttons: 0 });
  expect(events.moved.mock.calls).toEqual([[{ x: 10, y: 0 }, false]]);
  expect(events.hovered.mock.calls.at(-1)).toEqual([{ x: 30, y: 0 }]);
});

test("a shape without an end event is dropped", () => {
  events.tool.mockReturnValue("lasso");
  send("pointerdown");
  send("pointermove", { clientX: 10 });
  send("pointermove", { clientX: 20, buttons: 0 });
  expect(events.drawn.mock.calls).toEqual([[null, false, false]]);
  send("pointerup", { buttons: 0 });
  expect(events.drawn).toHaveBeenCalledOnce();
});

test("the right button opens no menu, also where the menu would come before the drag", () => {
  send("pointerdown", { button: 2, buttons: 2 });
  expect(send("contextmenu", { button: 2 })).toBe(false);
});
