import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CacheBudget } from "../../src/wire/cache";
import { Assembler } from "../../src/wire/pieces";
import type { AnswerEntry, ClientMessage } from "../../src/wire/protocol";
import { Refused, Requests } from "../../src/wire/requests";
import { settled, tracked } from "./tracked";

let sent: ClientMessage[];
let assembler: Assembler;
let requests: Requests;
let ends: AbortController[];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  sent = [];
  assembler = new Assembler(new CacheBudget(1e6));
  requests = new Requests("page", (message) => sent.push(message), assembler);
  ends = [];
});

afterEach(() => {
  vi.useRealTimers();
});

function answer(request: string, more: Partial<AnswerEntry> = {}): AnswerEntry {
  return { request, ok: true, reason: "", value: null, size: 0, ...more };
}

function piece(request: string, from: number, bytes: readonly number[], size: number) {
  return { request, from, size, bytes: Uint8Array.from(bytes) };
}

const names = () => sent.map((message) => (message.type === "request" ? message.id : message));
const ask = (name = "pictures.blob") => {
  // Each request has its own signal: Node warns of many listeners.
  const own = new AbortController();
  ends.push(own);
  return tracked(requests.ask(name, { id: 3 }, own.signal));
};
const endAll = () => {
  for (const end of ends) {
    end.abort();
  }
};

test("a request waits for its answer", async () => {
  const [one, two] = [ask(), ask("graphs.node")];
  expect(sent).toEqual([
    { type: "request", id: "page-1", name: "pictures.blob", args: { id: 3 } },
    { type: "request", id: "page-2", name: "graphs.node", args: { id: 3 } },
  ]);
  expect([one.state, one.answer, one.reason]).toEqual(["waits", null, null]);
  requests.apply([answer("page-2", { value: [1, "a"] })], []);
  await settled();
  expect([one.state, two.state]).toEqual(["waits", "answered"]);
  expect(two.answer).toEqual({ value: [1, "a"], data: new Uint8Array(0) });
  requests.apply([answer("page-1", { ok: false, reason: "no such image" })], []);
  await settled();
  expect([one.state, one.reason, one.answer]).toEqual(["refused", "no such image", null]);
});

test("data come in pieces behind the answer", async () => {
  const one = ask();
  requests.apply([answer("page-1", { value: 1, size: 3 })], [piece("page-1", 0, [1, 2], 3)]);
  await settled();
  expect(one.state).toBe("waits");
  requests.apply([], [piece("page-1", 2, [3], 3)]);
  await settled();
  expect(one.answer).toEqual({ value: 1, data: Uint8Array.of(1, 2, 3) });
});

test("requests without a view are cancelled together, and their answers dropped", async () => {
  const [one, two] = [ask(), ask()];
  endAll();
  await settled();
  expect(sent.slice(2)).toEqual([{ type: "cancel", ids: ["page-1", "page-2"] }]);
  requests.apply([answer("page-1", { size: 1 })], [piece("page-1", 0, [1], 1)]);
  await settled();
  expect([one.answer, two.answer]).toEqual([null, null]);
  const aborted = requests.ask("pictures.blob", {}, ends[0]?.signal as AbortSignal);
  await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
  expect(sent).toHaveLength(3);
});

test("answered requests are not cancelled", async () => {
  ask();
  requests.apply([answer("page-1")], []);
  await settled();
  endAll();
  await settled();
  expect(sent).toHaveLength(1);
});

test("open requests are sent again after a loss, and answered once", async () => {
  const one = ask();
  requests.apply([answer("page-1", { size: 4 })], [piece("page-1", 0, [1, 2], 4)]);
  await settled();
  assembler.clear();
  requests.repeat();
  expect(names()).toEqual(["page-1", "page-1"]);
  // A piece of the first answer, whose beginning is lost.
  requests.apply([], [piece("page-1", 2, [3, 4], 4)]);
  await settled();
  expect(one.state).toBe("waits");
  requests.apply([answer("page-1", { size: 2 })], [piece("page-1", 0, [7, 8], 2)]);
  await settled();
  expect(one.answer?.data).toEqual(Uint8Array.of(7, 8));
  requests.repeat();
  expect(sent).toHaveLength(2);
});

test("an idle kernel that does not answer is asked again, a busy one is not", async () => {
  ask();
  const after = (seconds: number, cell: boolean | null) => {
    vi.advanceTimersByTime(seconds * 1000);
    requests.noteStatus(cell, Date.now());
    return sent.length;
  };
  expect([after(10, true), after(10, true), after(1, false), after(8, false), after(2, false)]).toEqual([
    1, 1, 1, 1, 2,
  ]);
  expect([after(9, false), after(1, null), after(60, true), after(10, false), after(10, false)]).toEqual([
    2, 3, 3, 3, 4,
  ]);
});

test("the kernel gets no more requests at once than it accepts; requests cancelled before are never sent", async () => {
  const all = Array.from({ length: 100 }, () => ask());
  expect(sent).toHaveLength(32);
  requests.apply([answer("page-1"), answer("page-2", { ok: false })], []);
  await settled();
  expect(names().slice(32)).toEqual(["page-33", "page-34"]);
  endAll();
  await settled();
  expect(sent).toHaveLength(35);
  expect(sent[34]).toEqual({ type: "cancel", ids: Array.from({ length: 32 }, (_, i) => `page-${i + 3}`) });
  expect(all[99]).toMatchObject({ answer: null });
});

test("a refusal tells itself from a request that was cancelled", async () => {
  const end = new AbortController();
  const one = requests.ask("pictures.blob", {}, end.signal);
  requests.apply([answer("page-1", { ok: false, reason: "no such image" })], []);
  await expect(one).rejects.toBeInstanceOf(Refused);
  const other = requests.ask("pictures.blob", {}, end.signal);
  end.abort();
  await expect(other).rejects.not.toBeInstanceOf(Refused);
});

test("an answer that is too large is a refusal", async () => {
  const one = ask();
  requests.apply([answer("page-1", { size: 2 ** 40 })], [piece("page-1", 0, [1], 2 ** 40)]);
  await settled();
  expect(one.state).toBe("refused");
  expect(one.reason).toBeTruthy();
});
