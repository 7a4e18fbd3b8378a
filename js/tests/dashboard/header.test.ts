import { expect, test, vi } from "vitest";
import { lagNews, pollNews } from "../../src/dashboard/header";
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

test("a page to which nothing is owed is not behind, however late its last message was drawn", () => {
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
