import { h } from "preact";
import { expect, test, vi } from "vitest";
import { ReadingSwitch } from "../../src/dashboard/status";
import { lagNews, pollNews, readingNews } from "../../src/dashboard/statustext";
import { type View, ViewContext } from "../../src/ui/view";
import { rendered } from "../ui/rendering";
import { addView, channel, model, useFakeChannel } from "../wire/fakechannel";

useFakeChannel();

test("the header says how far the page is behind, and that fewer updates come", () => {
  addView();
  model.receive(0);
  expect(lagNews(channel, Date.now())).toEqual([]);
  model.status = { share: 0.5 };
  vi.advanceTimersByTime(100);
  model.receive(1, 4);
  vi.advanceTimersByTime(60);
  expect(lagNews(channel, Date.now())).toEqual(["4\u202fs behind", "fewer updates"]);
  model.status = { share: 1 };
  model.receive(2);
  vi.advanceTimersByTime(5000);
  expect(lagNews(channel, Date.now())).toEqual([]);
});

test("a page without pending messages is not behind, however late its last message was drawn", () => {
  addView();
  model.receive(0);
  model.status = { ready: true, age: 20, share: 0.5 };
  vi.advanceTimersByTime(100);
  model.receive(1, 4);
  vi.advanceTimersByTime(500);
  // Not drawn yet.
  expect(lagNews(channel, Date.now())).toEqual(["4\u202fs behind", "fewer updates"]);
  channel.lag.drawn(channel.lag.appliedCount.value);
  expect(lagNews(channel, Date.now())).toEqual([]);
  expect(channel.lag.behind.value).toBeGreaterThan(0);
  model.status = { ready: true, age: 20, share: 0.5, unsent: 1 };
  model.receive(2, 4);
  vi.advanceTimersByTime(500);
  channel.lag.drawn(channel.lag.appliedCount.value);
  expect(lagNews(channel, Date.now())).toContain("fewer updates");
});

test("the header says how often remote storage is polled", () => {
  addView();
  model.receive(0);
  expect(pollNews(channel)).toEqual([]);
  model.status = { polled: 8 };
  model.receive(1);
  expect(pollNews(channel)).toEqual(["polled every 8\u202fs"]);
});

test("the header counts listing, fetching and reading", () => {
  addView();
  const read = [1_200_000, 36_000_000];
  const shown = [
    { read: [0, 0], reading: ["listing", 0, 0, 0, 0] },
    { read: [0, 0], reading: ["listing", 12_000, 0, 0, 0] },
    { read, reading: ["fetching", 12_000, 340, 1000, 5_000_000] },
    { read, reading: ["reading", 12_000, 1, 1, 5_000_000] },
    { read, reading: ["stopped", 12_000, 1, 2, 0] },
    { read }, // of an older kernel, which reports less
  ].map((status, seq) => {
    model.status = { ready: false, ...status };
    model.receive(seq);
    const held = channel.store.status.value;
    return held === null ? [] : readingNews(held);
  });
  expect(shown).toEqual([
    ["listing files"],
    ["listing: 12\u202f000 entries"],
    ["340 of 1\u202f000 files", "1.2 MB of 36.0 MB", "5.0 MB fetched"],
    ["1 of 1 file", "1.2 MB of 36.0 MB"],
    ["1 of 2 files", "1.2 MB of 36.0 MB"],
    ["1.2 MB of 36.0 MB"],
  ]);
});

test("reading is stopped and continued by messages", () => {
  addView();
  model.receive(0);
  model.sent.length = 0;
  channel.setReading(false);
  channel.setReading(true);
  expect(model.sent).toEqual([{ type: "stop" }, { type: "resume" }]);
});

test.each([
  ["reading", false, "Stop", "Read no further. What was read stays"],
  ["fetching", true, "Stop", "Reading can be stopped here when the running cell ends"],
  ["stopped", false, "Continue", "Read the rest"],
])("while %s, a kernel that hears nothing: %s, the button says %s", (phase, isBusy, name, title) => {
  addView();
  model.status = { ready: false, reading: [phase, 2, 1, 2, 0] };
  model.receive(0);
  model.sent.length = 0;
  const switchIn = (busy: boolean) =>
    rendered(h(ViewContext.Provider, { value: { channel } as View, children: h(ReadingSwitch, { isBusy: busy }) }));
  const page = switchIn(isBusy);
  const [button] = page.root.all("button");
  expect([page.text(), button?.attribute("title"), button?.attribute("disabled") ?? false]).toEqual([
    name,
    title,
    isBusy,
  ]);
  button?.happen("click", {});
  expect(model.sent).toEqual([{ type: phase === "stopped" ? "resume" : "stop" }]);
  page.end();
});

test("nothing is to be stopped once all is read", () => {
  addView();
  model.status = { ready: true };
  model.receive(0);
  const page = rendered(
    h(ViewContext.Provider, { value: { channel } as View, children: h(ReadingSwitch, { isBusy: false }) }),
  );
  expect(page.root.all("button")).toEqual([]);
  page.end();
});
