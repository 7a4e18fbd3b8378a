import { signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unfollowed } from "../../src/ui/runs";
import { useEverySecond, useInSight, type View, ViewContext } from "../../src/ui/view";
import { rendered } from "./rendering";

const inSight = signal<readonly string[]>([]);
const now = signal(0);
const version = signal(0);
const filter = signal("");
const data = {
  get byRun() {
    return new Map([["a", version.value]]);
  },
};
const view = { inSight, now } as unknown as View;

let renders: number;
let computed: number;
let shown: ReturnType<typeof rendered>;

const later = () => new Promise((resolve) => setTimeout(resolve, 20));

function Marks() {
  const isInSight = useInSight(["loss"]);
  renders += 1;
  return isInSight ? h("b", {}, "marks") : null;
}

function Steps() {
  const steps = useEverySecond(() => {
    computed += 1;
    return `${filter.value}${unfollowed(data).byRun.get("a")}`;
  });
  return h("i", {}, steps);
}

beforeEach(() => {
  renders = 0;
  computed = 0;
  inSight.value = [];
  shown = rendered(h(ViewContext.Provider, { value: view }, h(Marks, {}), h(Steps, {})));
});

afterEach(() => shown.end());

test("other cards that come into sight do not render a card again", async () => {
  expect([renders, shown.text()]).toEqual([1, "0"]);
  inSight.value = ["rate"];
  await later();
  expect(renders).toBe(1);
  inSight.value = ["rate", "loss"];
  await later();
  expect([renders, shown.text()]).toEqual([2, "marks0"]);
  inSight.value = ["loss"];
  await later();
  expect(renders).toBe(2);
});

test("what reads every series is computed once a second, and at once when what is shown changes", async () => {
  for (let i = 0; i < 5; i += 1) {
    version.value += 1;
    await later();
  }
  expect([computed, shown.text()]).toEqual([1, "0"]);
  now.value += 1000;
  await later();
  expect([computed, shown.text()]).toEqual([2, "5"]);
  filter.value = "x";
  await later();
  expect([computed, shown.text()]).toEqual([3, "x5"]);
  version.value = 0;
});
