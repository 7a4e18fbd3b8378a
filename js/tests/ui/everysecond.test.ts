import { signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unfollowed } from "../../src/ui/runs";
import { useEverySecond, type View, ViewContext } from "../../src/ui/view";
import { rendered } from "./rendering";

const now = signal(0);
const version = signal(0);
const filter = signal("");
const data = {
  get byRun() {
    return new Map([["a", version.value]]);
  },
};
const view = { now } as unknown as View;

let computed: number;
let shown: ReturnType<typeof rendered>;

const later = () => new Promise((resolve) => setTimeout(resolve, 20));

function Steps() {
  const steps = useEverySecond(() => {
    computed += 1;
    return `${filter.value}${unfollowed(data).byRun.get("a")}`;
  });
  return h("i", {}, steps);
}

beforeEach(() => {
  computed = 0;
  shown = rendered(h(ViewContext.Provider, { value: view }, h(Steps, {})));
});

afterEach(() => shown.end());

test("a value computed from every series is updated once a second, and at once when other data are shown", async () => {
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
