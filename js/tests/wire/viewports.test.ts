import { expect, test, vi } from "vitest";
import { Channel } from "../../src/wire/channel";
import { HERE } from "../../src/wire/connection";
import { anywidgetTransport } from "../../src/wire/transport";
import { addView, bucketed, channel, end, model, useFakeChannel } from "./fakechannel";
import { CODECS } from "./made";

useFakeChannel();

test("the viewport is reported once, after a pause", () => {
  model.receive(0);
  const viewport = addView();
  viewport.report({ kinds: null, tags: ["lr"], range: null, near: null, linked: null });
  viewport.report({ kinds: null, tags: ["loss", "big"], range: [0, 9], near: ["big"], linked: null });
  vi.advanceTimersByTime(299);
  expect(model.sent).toEqual([]);
  vi.advanceTimersByTime(2);
  const view = {
    type: "view",
    view: viewport.id,
    kinds: null,
    tags: ["loss", "big"],
    want: [],
    range: [0, 9],
    near: ["big"],
    linked: null,
    seq: 1,
  };
  expect(model.sent).toEqual([view]);
  viewport.report({ kinds: null, tags: ["loss", "big"], range: [0, 9], near: ["big"], linked: null });
  vi.advanceTimersByTime(1000);
  expect(model.sent).toHaveLength(1);
  viewport.report({ kinds: null, tags: ["loss", "big"], range: [0, 9], near: ["big"], linked: 7 });
  vi.advanceTimersByTime(1000);
  expect(model.sent).toEqual([view, { ...view, linked: 7 }]);
  expect(channel.askedAt.value).toBeNull();
});

test("the viewport is reported though it keeps moving, as with the steps of the newest times", () => {
  model.receive(0);
  const viewport = addView();
  for (let last = 0; last < 25; last += 1) {
    viewport.report({ kinds: null, tags: ["loss"], range: [0, last], near: ["loss"], linked: null });
    vi.advanceTimersByTime(100);
  }
  expect(model.sent).toHaveLength(2);
});

test("a view that leaves the window says so after the usual pause, one that comes back at once", () => {
  model.receive(0);
  const viewport = addView();
  const shown = { kinds: null, range: null, near: null, linked: null };
  viewport.report({ ...shown, tags: ["loss"] });
  vi.advanceTimersByTime(400);
  model.sent.length = 0;
  viewport.report({ ...shown, tags: [], in_window: false });
  vi.advanceTimersByTime(200);
  expect(model.sent).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(model.sent).toMatchObject([{ type: "view", tags: [], in_window: false }]);
  viewport.report({ ...shown, tags: ["loss"] });
  vi.advanceTimersByTime(0);
  expect(model.sent).toHaveLength(2);
  expect(model.sent[1]).toMatchObject({ type: "view", tags: ["loss"] });
  expect(model.sent[1]).not.toHaveProperty("in_window");
});

test("a view that comes back says so at once, though it moves on before", () => {
  model.receive(0);
  const viewport = addView();
  const shown = { kinds: null, range: null, near: null, linked: null };
  viewport.report({ ...shown, tags: [], in_window: false });
  vi.advanceTimersByTime(400);
  model.sent.length = 0;
  viewport.report({ ...shown, tags: ["loss"] });
  viewport.report({ ...shown, tags: ["loss", "lr"] });
  vi.advanceTimersByTime(0);
  expect(model.sent).toMatchObject([{ type: "view", tags: ["loss", "lr"] }]);
  viewport.report({ ...shown, tags: ["lr"] });
  vi.advanceTimersByTime(200);
  expect(model.sent).toHaveLength(1);
});

test("tags that are held coarsely are asked for", () => {
  model.receive(0);
  const viewport = addView();
  model.receive(1);
  model.emit("msg:custom", ...bucketed());
  viewport.report({ kinds: null, tags: ["loss", "long"], range: null, near: null, linked: null });
  vi.advanceTimersByTime(400);
  const view = {
    type: "view",
    view: viewport.id,
    kinds: null,
    tags: ["loss", "long"],
    range: null,
    near: null,
    linked: null,
  };
  expect(model.sent).toEqual([{ ...view, want: [["scalars", "long"]], seq: 3 }]);
});

test("visible series that become coarse are requested, though the view stays", () => {
  model.receive(0);
  const viewport = addView();
  viewport.report({ kinds: null, tags: ["long"], range: null, near: null, linked: null });
  vi.advanceTimersByTime(400);
  model.receive(1);
  model.emit("msg:custom", ...bucketed());
  vi.advanceTimersByTime(1100);
  expect(model.sent).toHaveLength(2);
  expect(model.sent[1]).toMatchObject({
    type: "view",
    view: viewport.id,
    kinds: null,
    tags: ["long"],
    want: [["scalars", "long"]],
    seq: 3,
  });
});

test("each view has a viewport of its own, and says when it ends", () => {
  model.receive(0);
  const [one, other] = [new AbortController(), new AbortController()];
  const [first, second] = [channel.addView(one.signal), channel.addView(other.signal)];
  model.sent.length = 0;
  first.report({ kinds: ["scalars"], tags: ["loss"], range: null, near: null, linked: null });
  second.report({ kinds: null, tags: ["big"], range: [1, 2], near: null, linked: null });
  vi.advanceTimersByTime(400);
  expect(model.sent).toMatchObject([
    { type: "view", view: first.id, kinds: ["scalars"], tags: ["loss"] },
    { type: "view", view: second.id, kinds: null, tags: ["big"] },
  ]);
  expect(first.id).not.toBe(second.id);
  one.abort();
  expect(model.sent.at(-1)).toEqual({ type: "bye", view: first.id });
  vi.advanceTimersByTime(HERE * 1000);
  expect(model.sent.at(-1)).toEqual({ type: "here", complete: true, views: [second.id] });
  first.report({ kinds: null, tags: ["lr"], range: null, near: null, linked: null });
  vi.advanceTimersByTime(5000);
  expect(model.sent.filter((one) => (one as { view?: string }).view === first.id)).toHaveLength(2);
  other.abort();
});

test("a page that is shown again reports its viewport: the kernel may have forgotten it", () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
  const hidden = new Channel(anywidgetTransport(model, "own"), CODECS, end.signal);
  const viewport = hidden.addView(end.signal);
  model.receive(0);
  viewport.report({ kinds: null, tags: ["loss"], range: null, near: null, linked: null });
  vi.advanceTimersByTime(400);
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(200_000);
  model.sent.length = 0;
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(1000);
  expect(hidden.loss.value).toBeNull();
  expect(model.sent).toMatchObject([
    { type: "here", views: [viewport.id] },
    { type: "view", view: viewport.id, tags: ["loss"] },
  ]);
  vi.unstubAllGlobals();
});
