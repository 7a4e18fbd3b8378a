import { afterEach, beforeEach, expect, test } from "vitest";
import { SupersededPoints, waitsForSuperseded } from "../../src/lines/superseded";
import { part } from "../wire/made";
import { settled } from "../wire/tracked";
import { type Board, boardOf } from "./board";

let board: Board;

beforeEach(() => {
  board = boardOf([part("loss", "a", [0, 1, 2], { superseded: 2 })], { superseded: true });
});

afterEach(() => board.end());

const points = (panel = "scalars") => new SupersededPoints(panel, "loss", board.tag("loss"), board.view);
const waits = () => waitsForSuperseded(board.tag("loss")).value;

/** Answers the `index`-th request with a point. */
async function answer(index: number): Promise<void> {
  const asked = board.sent.filter(({ type }) => type === "request")[index];
  const request = asked?.type === "request" ? asked.id : "";
  const bytes = new Uint8Array([BigInt64Array.of(7n), Float64Array.of(1), Float64Array.of(0.5)].flatMap(bytesOf));
  const entry = { request, ok: true, reason: "", value: { points: 1 }, size: bytes.length };
  board.requests.apply([entry], [{ request, from: 0, bytes, size: bytes.length }]);
  await settled();
}

function bytesOf({ buffer }: BigInt64Array | Float64Array): number[] {
  return [...new Uint8Array(buffer)];
}

test("the panel that draws is the one that is asked", () => {
  points("custom_scalars").follow();
  expect(board.sent).toMatchObject([
    { type: "request", name: "custom_scalars.superseded", args: { run: "a", tag: "loss" } },
  ]);
});

test("a card waits until its answer has arrived", async () => {
  const one = points();
  one.follow();
  expect([waits(), one.of("a")]).toEqual([true, null]);
  await answer(0);
  one.follow();
  expect(waits()).toBe(false);
  expect(one.of("a")).toMatchObject({ step: Float64Array.of(7), value: Float64Array.of(0.5) });
});

test("ending one of two cards of a tag affects neither the other nor its pictures", async () => {
  const [one, other] = [points(), points()];
  one.follow();
  await answer(0);
  one.follow();
  other.follow();
  // Both share the answer to one request.
  expect(other.of("a")).not.toBeNull();
  other.end();
  expect(points().of("a")).not.toBeNull();
  one.end();
  expect(points().of("a")).toBeNull();
});

test("a tag waits while one of its two cards does", async () => {
  const [one, other] = [points(), points()];
  one.follow();
  other.follow();
  await answer(1);
  other.follow();
  expect(waits()).toBe(true);
  other.end();
  expect(waits()).toBe(true);
  one.end();
  expect(waits()).toBe(false);
});
