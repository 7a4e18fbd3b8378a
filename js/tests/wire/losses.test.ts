// After any losses, repetitions and reorderings, a requested keyframe gives the page the kernel's data.

import { effect } from "@preact/signals";
import { expect, test, vi } from "vitest";
import { scalars } from "../../src/lines/codec";
import { Channel } from "../../src/wire/channel";
import type { ClientMessage } from "../../src/wire/protocol";
import { readSnapshot, snapshotOf } from "../../src/wire/snapshot";
import { Store } from "../../src/wire/store";
import { notes, pictures } from "./codecs";
import { Kernel, type Sent } from "./kernel";

const CODECS = [scalars, pictures, notes];

/** A reproducible generator of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function open(): { channel: Channel; receive: (sent: Sent) => void; said: ClientMessage[]; end: AbortController } {
  const end = new AbortController();
  const said: ClientMessage[] = [];
  let heard: (content: unknown, buffers: readonly DataView[]) => void = () => {};
  const transport = {
    send: (message: ClientMessage) => void said.push(message),
    listen: (receive: typeof heard) => {
      heard = receive;
    },
    state: () => undefined,
    onStateChanged: () => {},
  };
  const channel = new Channel(transport, CODECS, end.signal);
  return { channel, receive: ({ header, buffer }) => heard(header, [buffer]), said, end };
}

/** The contents of a store. */
function contents(store: Store): unknown {
  const of = <T>(tags: readonly string[], what: (tag: string) => T) =>
    Object.fromEntries(tags.map((tag) => [tag, what(tag)]));
  const series = store.series(scalars);
  const items = store.items(pictures);
  const documents = store.documents(notes);
  return {
    runs: store.runs.value,
    series: of(series.tags.value, (tag) => ({
      // An unreadable series keeps its former data.
      held: byRun(series.tag(tag)?.byRun, ({ base: { step, value, total, revision } }, run) =>
        store.failure("scalars", run, tag) === undefined ? [[...step], [...value], total, revision] : null,
      ).filter(([, held]) => held !== null),
      failed: byRun(series.tag(tag)?.failures, ({ reason }) => reason),
    })),
    items: of(items.tags.value, (tag) =>
      byRun(items.tag(tag)?.byRun, ({ rows, total, stale }) => [rows, total, stale]),
    ),
    documents: byRun(documents.tag("")?.byRun, (_, run) => documents.get(run, "").value),
  };
}

function byRun<T, U>(map: ReadonlyMap<string, T> | undefined, what: (value: T, run: string) => U): [string, U][] {
  return [...(map ?? [])]
    .map(([run, value]): [string, U] => [run, what(value, run)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Checks that each blob belongs to its item. */
function checkBlobs(store: Store): number {
  let held = 0;
  for (const tag of store.items(pictures).tags.value) {
    for (const [run, { rows }] of store.items(pictures).tag(tag)?.byRun ?? []) {
      for (const { id } of rows) {
        const blob = store.items(pictures).blob(run, tag, id).value;
        expect(blob.state).not.toBe("broken");
        if (blob.state === "held") {
          held += 1;
          expect(blob.bytes).toEqual(Kernel.blob(id));
        }
      }
    }
  }
  return held;
}

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

test.each(["lost", "twice", "out of order", "all of it"])("messages that are %s", (trouble) => {
  vi.useFakeTimers({ now: 1_000_000 });
  let resyncs = 0;
  let blobs = 0;
  for (const seed of SEEDS) {
    const random = randomFrom(seed);
    const does = (what: string) => (trouble === what || trouble === "all of it") && random() < 0.08;
    const kernel = new Kernel(random);
    const { channel, receive, said, end } = open();
    let late: Sent | null = null;
    const deliver = (messages: readonly Sent[]) => {
      for (const message of messages) {
        if (does("lost")) {
          continue;
        }
        if (late === null && does("out of order")) {
          late = message;
          continue;
        }
        receive(message);
        if (does("twice")) {
          receive(message);
        }
        if (late !== null && random() < 0.5) {
          receive(late);
          late = null;
        }
      }
    };
    const stop = effect(() => {
      void channel.store.documents(notes).get("a", "").value;
    });
    deliver(kernel.keyframe());
    for (let i = 0; i < 80; i += 1) {
      deliver(kernel.change());
      vi.advanceTimersByTime(700);
      if (said.splice(0).some(({ type }) => type === "resync")) {
        resyncs += 1;
        deliver(kernel.keyframe());
      }
    }
    for (const message of [...kernel.keyframe(), ...kernel.rest()]) {
      receive(message);
    }
    const { store } = channel;
    const clean = new Store(CODECS);
    const whole = open();
    for (const message of [...kernel.keyframe(), ...kernel.rest()]) {
      whole.receive(message);
    }
    expect(contents(store), `seed ${seed}`).toEqual(contents(whole.channel.store));
    blobs += checkBlobs(store);
    // Its snapshot has the same contents.
    const saved = readSnapshot(JSON.parse(JSON.stringify({ at: 1, messages: snapshotOf(store) })), store.codecs);
    clean.restore(saved?.messages ?? [], 1);
    if (store.tags.value.length > 0) {
      expect(contents(clean), `seed ${seed}, saved`).toEqual(contents(store));
      expect(checkBlobs(clean)).toBe(checkBlobs(store));
    }
    stop();
    end.abort();
    whole.end.abort();
  }
  expect(resyncs).toBeGreaterThan(SEEDS.length);
  expect(blobs).toBeGreaterThan(SEEDS.length);
  vi.useRealTimers();
});
