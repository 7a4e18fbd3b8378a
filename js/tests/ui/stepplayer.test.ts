import { signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AtStep } from "../../src/ui/globalstep";
import { StepPlayer } from "../../src/ui/stepplayer";
import { nearest, StepSearch, type StepSource, stepList, unionOfSpans } from "../../src/ui/stepsource";
import { rendered } from "./rendering";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  // Effects that wait for a frame would delay the effects of the next test.
  await vi.advanceTimersByTimeAsync(60);
  vi.useRealTimers();
});

/** A player of these steps; `now` is the chosen one. */
function player(source: StepSource) {
  const at = signal<AtStep>("newest");
  const chosen: AtStep[] = [];
  const option = {
    get at() {
      return at.value;
    },
    set: (step: AtStep) => {
      at.value = step;
      chosen.push(step);
    },
  };
  const page = rendered(h(StepPlayer, { source, option, label: "Step", hint: "" }));
  const press = async (key: string) => {
    page.root.all("input")[0]?.happen("keydown", { key, preventDefault: () => {} });
    await vi.advanceTimersByTimeAsync(0);
    return at.value;
  };
  const play = async () => {
    page.root.all("button")[0]?.happen("click");
    // Effects run after a frame.
    await vi.advanceTimersByTimeAsync(60);
  };
  const tick = async (times = 1) => {
    await vi.advanceTimersByTimeAsync(150 * times);
    return at.value;
  };
  return { page, chosen, press, play, tick };
}

test("keys go from step to step, and the last one back to the newest", async () => {
  const { page, press } = player(stepList([0n, 5n, 7n, 2n ** 62n, 2n ** 62n + 1n]));
  expect(await press("ArrowRight")).toBe("newest");
  expect(await press("ArrowLeft")).toBe(2n ** 62n);
  expect(await press("ArrowLeft")).toBe(7n);
  expect(await press("ArrowRight")).toBe(2n ** 62n);
  expect(await press("ArrowRight")).toBe(2n ** 62n + 1n);
  expect(await press("Home")).toBe(0n);
  expect(await press("ArrowLeft")).toBe(0n);
  expect(await press("PageUp")).toBe(2n ** 62n + 1n);
  expect(await press("PageDown")).toBe(0n);
  expect(await press("End")).toBe("newest");
  await press("Home");
  expect(await press("Delete")).toBe("newest");
  page.end();
});

test("the step is written as in charts, with its thousands apart", () => {
  const { page } = player(stepList([0n, 6000n]));
  expect(page.root.all("input")[1]?.attribute("value")).toBe("6\u202f000");
  page.end();
});

test("the button of the latest step leaves it followed when it is pressed again", async () => {
  const { page, chosen, press } = player(stepList([0n, 5n, 9n]));
  await press("Home");
  const latest = page.root.all("button")[1];
  for (let i = 0; i < 2; i += 1) {
    latest?.happen("click");
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(chosen).toEqual([0n, "newest", "newest"]);
  page.end();
});

test("a step is typed with all its digits, also the latest one; an empty box follows the latest again", async () => {
  const { page, chosen } = player(stepList([0n, 5n, 2n ** 62n + 1n]));
  const type = async (value: string) => {
    const entry = page.root.all("input")[1];
    entry?.happen("input", { currentTarget: { value } });
    entry?.happen("keydown", { key: "Enter" });
    await vi.advanceTimersByTimeAsync(0);
  };
  for (const text of [String(2n ** 62n + 1n), "3", "no step", ""]) {
    await type(text);
  }
  expect(chosen).toEqual([2n ** 62n + 1n, 3n, "newest"]);
  page.end();
});

test("playback goes through all steps of items, waits for each, and ends in the newest", async () => {
  let isReady = true;
  const { page, chosen, play, tick } = player(stepList([1n, 4n, 9n], () => isReady));
  await play();
  expect(chosen).toEqual([1n]);
  expect(await tick()).toBe(4n);
  isReady = false;
  expect(await tick(20)).toBe(4n);
  // A busy kernel may never send it.
  expect(await tick()).toBe(9n);
  isReady = true;
  expect(await tick()).toBe("newest");
  expect(await tick(3)).toBe("newest");
  expect(chosen).toEqual([1n, 4n, 9n, "newest"]);
  page.end();
});

test("playback of thousands of steps stops at some hundreds of them", async () => {
  const steps = Array.from({ length: 10_001 }, (_, i) => BigInt(3 * i));
  const { page, chosen, play, tick } = player(stepList(steps));
  await play();
  await tick(300);
  expect(chosen.at(-1)).toBe("newest");
  expect(chosen.length).toBeGreaterThan(190);
  expect(chosen.length).toBeLessThan(220);
  expect(chosen.slice(0, -1).every((step) => (step as bigint) % 3n === 0n)).toBe(true);
  page.end();
});

test("the neighbor of a step is found among lists and among earlier steps", () => {
  const steps = [0n, 5n, 5n, 9n];
  for (const at of [-1n, 0n, 4n, 5n, 7n, 9n, 11n]) {
    const search = new StepSearch(at);
    for (const step of [9n, 0n, 5n]) {
      search.see(step);
    }
    expect(stepList([...new Set(steps)]).near(at)).toEqual(search.found);
  }
  const list = stepList([0n, 5n, 9n]);
  expect([-3n, 2n, 3n, 7n, 8n, 20n].map((at) => nearest(list, at))).toEqual([0n, 0n, 5n, 5n, 9n, 9n]);
  expect(nearest(stepList([]), 3n)).toBeNull();
  expect(unionOfSpans([[3n, 4n], null, [-1n, 2n ** 62n]])).toEqual([-1n, 2n ** 62n]);
  expect(unionOfSpans([null])).toBeNull();
});
