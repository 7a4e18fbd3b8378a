import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { cardRepeat } from "../../src/items/shown";
import { cardStep, placeOf, rowsAt, stepsAhead, stepsOf, unionOfSteps } from "../../src/items/steps";
import type { ExactStep } from "../../src/options/shared";
import { type AtStep, globalStep } from "../../src/ui/globalstep";
import { parseStep } from "../../src/ui/stepentry";
import type { View } from "../../src/ui/view";

const rowsOf = (...steps: (number | bigint)[]) => steps.map((step, id) => ({ id, step: BigInt(step) }));

/** A view with only a linked step. */
function viewOf(): { view: View; linked: { value: ExactStep | null } } {
  const linked = signal<ExactStep | null>(null);
  const linked_step = {
    get value() {
      return linked.value;
    },
    peek: () => linked.peek(),
    set: (value: ExactStep | null) => {
      linked.value = value;
    },
  };
  return { view: { options: { of: () => ({ linked_step }) } } as unknown as View, linked };
}

test("steps are found up to the one asked for, each with all of its rows", () => {
  const rows = rowsOf(0, 0, 5, 5, 9);
  const ids = (at: AtStep) => rowsAt(rows, at).map(({ id }) => id);
  expect(stepsOf(rows)).toEqual([0n, 5n, 9n]);
  expect([ids("newest"), ids(9n), ids(100n), ids(8n), ids(5n), ids(0n), ids(-1n)]).toEqual([
    [4],
    [4],
    [4],
    [2, 3],
    [2, 3],
    [0, 1],
    [],
  ]);
  expect(rowsAt([], "newest")).toEqual([]);
});

test("rows that are out of order are found all the same", () => {
  const rows = rowsOf(5, 0, 5, 9, 0);
  expect(stepsOf(rows)).toEqual([0n, 5n, 9n]);
  expect(rowsAt(rows, 6n).map(({ id }) => id)).toEqual([0, 2]);
});

test("neighbors beyond 2^53 are told from one another", () => {
  const big = 2n ** 62n;
  const rows = rowsOf(big, big + 1n, big + 2n);
  expect(rowsAt(rows, big + 1n).map(({ id }) => id)).toEqual([1]);
  const { view } = viewOf();
  const all = globalStep(view);
  all.set(big + 1n);
  expect(all.at).toBe(big + 1n);
});

test("the union of steps ascends, and has each once", () => {
  expect(unionOfSteps([[], [1n, 3n], [1n, 3n], [0n, 3n, 4n], []])).toEqual([0n, 1n, 3n, 4n]);
  expect(unionOfSteps([])).toEqual([]);
  expect([placeOf([1n, 3n], 2n), placeOf([1n, 3n], 0n), placeOf([1n, 3n], "newest")]).toEqual([0, -1, 1]);
});

test("a list of all steps stays the same list until another one is ahead of it", () => {
  const [all, owner] = [[1n, 3n, 5n], {}];
  expect(stepsAhead(owner, all, [[1n, 5n], [], [3n]])).toBe(all);
  const more = [5n, 7n];
  const ahead = stepsAhead(owner, all, [[1n], more]);
  expect(ahead).toEqual([1n, 3n, 5n, 7n]);
  expect(stepsAhead(owner, all, [[3n], more])).toBe(ahead);
});

test("a card goes its own way until all cards move", () => {
  const { view, linked } = viewOf();
  const [all, one, other] = [globalStep(view), cardStep(view, "p", "a"), cardStep(view, "p", "b")];
  one.set(3n);
  expect([all.at, one.at, other.at]).toEqual(["newest", 3n, "newest"]);
  all.set(7n);
  expect([all.at, one.at, other.at, linked.value]).toEqual([7n, 7n, 7n, 7]);
  one.set("newest");
  expect([one.at, other.at]).toEqual(["newest", 7n]);
  linked.value = 5;
  expect([all.at, one.at]).toEqual([5n, 5n]);
  one.set(3n);
  all.set(9n);
  all.set(5n);
  expect(one.at).toBe(5n);
});

test("a card has a step of its own from when that is wanted until all cards move", () => {
  const { view } = viewOf();
  const [all, card] = [globalStep(view), cardStep(view, "p", "a")];
  card.set("newest");
  expect(card.isOwn).toBe(false);
  card.setOwn(true);
  expect([card.isOwn, card.at]).toEqual([true, "newest"]);
  card.set(3n);
  card.set("newest");
  expect([card.isOwn, card.at]).toEqual([true, "newest"]);
  all.set(5n);
  expect([card.isOwn, card.at]).toEqual([false, 5n]);
  card.set(3n);
  expect(card.isOwn).toBe(true);
  card.setOwn(false);
  expect([card.isOwn, card.at]).toEqual([false, 5n]);
});

test("which value of a step is shown is chosen for that step", () => {
  const { view, linked } = viewOf();
  const time = cardRepeat(view, "p", "a");
  time.set(2n);
  expect([time.at, cardRepeat(view, "p", "b").at]).toEqual([2n, "newest"]);
  linked.value = 5;
  expect(time.at).toBe("newest");
});

test("a step is taken as people type it", () => {
  expect(["45", " 1 000 ", "−3", "9007199254740993", "1_000"].map(parseStep)).toEqual([
    45n,
    1000n,
    -3n,
    9007199254740993n,
    1000n,
  ]);
  expect(["", "x", "1.5", "0x10", "9223372036854775808"].map(parseStep)).toEqual([null, null, null, null, null]);
  expect(parseStep("-9223372036854775808")).toBe(-(2n ** 63n));
});
