import { signal } from "@preact/signals";
import { h } from "preact";
import { expect, test } from "vitest";
import { useStepSpan } from "../../src/ui/stepspan";
import { type View, ViewContext } from "../../src/ui/view";
import { rendered } from "./rendering";

const later = () => new Promise((resolve) => setTimeout(resolve, 20));

test("the steps of charts on the screen are known with their message, those of others once a second", async () => {
  const now = signal(0);
  const inSight = signal<readonly string[]>(["seen"]);
  const lasts = { seen: signal(5n), hidden: signal(5n) };
  const of = {
    tags: signal(["hidden", "seen"]),
    tag: (name: string) => ({
      version: signal(0),
      failures: new Map(),
      get byRun() {
        return new Map([["a", { series: lasts[name as "seen" | "hidden"].value }]]);
      },
    }),
  };
  const options = { shows: () => true, tagFilter: { matches: signal(() => true) } };
  let renderings = 0;
  function Span() {
    renderings += 1;
    const span = useStepSpan(of, (all: readonly bigint[]) => [0n, all.reduce((a, b) => (a > b ? a : b))]);
    return h("i", {}, span?.join("–"));
  }
  const view = { now, inSight, options } as unknown as View;
  const shown = rendered(h(ViewContext.Provider, { value: view }, h(Span, {})));
  lasts.seen.value = 7n;
  await later();
  expect(shown.text()).toBe("0–7");
  lasts.hidden.value = 9n;
  await later();
  expect(shown.text()).toBe("0–7");
  now.value += 1000;
  await later();
  expect([shown.text(), renderings]).toEqual(["0–9", 3]);
  lasts.seen.value = 8n;
  await later();
  expect(renderings).toBe(3);
  shown.end();
});
