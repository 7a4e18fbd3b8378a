import { expect, test } from "vitest";
import type { Surface } from "../../../src/charts/geometry";
import { type CardPicture, pictureOf } from "../../../src/ui/save/picture";

const PAGE = { background: [1, 1, 1], foreground: [0, 0, 0] } as unknown as Parameters<typeof pictureOf>[3];

/** A card without plots: only its title and its legend are painted. */
function cardOf(runs: number, title = "loss"): CardPicture {
  const legend = Array.from({ length: runs }, (_, i) => ({ text: `run number ${i}`, color: "#123456" }));
  const content = { layOut: () => ({ plots: [], stepLabels: [], paint: () => {} }) };
  return { title, legend, size: { width: 400, height: 300 }, content, camera: { x: null, y: null } } as never;
}

/** The height that the legend of these runs adds, and its texts. */
function legendOf(runs: number, cards = 1) {
  const pictureOfRuns = (count: number) => {
    const some = Array.from({ length: cards }, (_, i) => cardOf(count, `loss ${i}`));
    return pictureOf(some, "Scalars", 850, PAGE);
  };
  const texts: string[] = [];
  const context = new Proxy(
    { measureText: (text: string) => ({ width: 6.5 * text.length }) },
    {
      get: (known, name) =>
        Reflect.get(known, name) ?? ((text: unknown) => name === "fillText" && texts.push(text as string)),
      set: () => true,
    },
  );
  pictureOfRuns(runs).paint({ context, ratio: 1 } as unknown as Surface);
  return { height: pictureOfRuns(runs).height - pictureOfRuns(0).height, texts };
}

test("a legend of a picture takes a fifth of the chart's height at most, and counts the other runs", () => {
  const few = legendOf(3);
  expect(few.texts).toEqual(expect.arrayContaining(["run number 0", "run number 2"]));
  expect(few.texts.some((text) => text.includes("more"))).toBe(false);
  const { height, texts } = legendOf(50);
  expect(height).toBeGreaterThan(few.height);
  expect(height).toBeLessThanOrEqual(0.2 * 300 + 4);
  const named = texts.filter((text) => text.startsWith("run number")).length;
  expect(texts).toContain(`and ${50 - named} runs more`);
  // Once above several cards.
  expect(legendOf(50, 4).height).toBeLessThanOrEqual(0.2 * 700);
});
