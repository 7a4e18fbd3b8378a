import { expect, test, vi } from "vitest";
import { lagNews, pollNews } from "../../src/dashboard/header";
import { addView, channel, model, useFakeChannel } from "../wire/fakechannel";

useFakeChannel();

test("the header says how far the page is behind, and that fewer updates come", () => {
  addView();
  model.receive(0);
  expect(lagNews(channel)).toEqual([]);
  model.status = { share: 0.5 };
  vi.advanceTimersByTime(100);
  model.receive(1, 4);
  vi.advanceTimersByTime(60);
  expect(lagNews(channel)).toEqual(["4\u202fs behind", "fewer updates"]);
  model.status = { share: 1 };
  model.receive(2);
  vi.advanceTimersByTime(5000);
  expect(lagNews(channel)).toEqual([]);
});

test("the header says how often remote storage is polled", () => {
  addView();
  model.receive(0);
  expect(pollNews(channel)).toEqual([]);
  model.status = { polled: 8 };
  model.receive(1);
  expect(pollNews(channel)).toEqual(["polled every 8\u202fs"]);
});
