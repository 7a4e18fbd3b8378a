// A channel over a host's model, made for each test; time stands still.

import { afterEach, beforeEach, vi } from "vitest";
import { Channel, type Viewport } from "../../src/wire/channel";
import { anywidgetTransport } from "../../src/wire/transport";
import { FakeModel } from "./fakemodel";
import { CODECS } from "./made";
import { recorded } from "./messages";

export let model: FakeModel;
export let end: AbortController;
export let channel: Channel;

/** A recorded message with buckets: header and buffers. */
export function bucketed(): [unknown, DataView[]] {
  const message = recorded()[2];
  return [message?.header, message ? [message.buffer] : []];
}

/** Opens a view; `model.sent` has the messages after its first one. */
export function addView(): Viewport {
  const viewport = channel.addView(end.signal);
  model.sent.length = 0;
  return viewport;
}

/** For a file of tests: makes a model and its channel before each test, and ends them after it. */
export function useFakeChannel(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
    model = new FakeModel();
    end = new AbortController();
    channel = new Channel(anywidgetTransport(model, "own"), CODECS, end.signal);
  });

  afterEach(() => {
    end.abort();
    vi.useRealTimers();
  });
}
