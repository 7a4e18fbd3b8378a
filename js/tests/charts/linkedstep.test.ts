import { expect, test } from "vitest";
import { eachTextOnce, labelAtAxis, ticksBeside } from "../../src/charts/linkedstep";

const at = (x: number, step = BigInt(x)) => ({ x, step });
const AREA = { left: 10, top: 0, width: 300, height: 100 };
const measure = (text: string) => 6 * text.length;

/** The label of a plot of 300 pixels, 10 from the left, whose edges are 0 and `last`; 6 pixels a character. */
function label(linked: Parameters<typeof labelAtAxis>[0], last = 1000) {
  return labelAtAxis(linked, AREA, (x) => x / last, measure);
}

const texts = (labels: readonly { text: string }[]) => labels.map(({ text }) => text);

test("one label names the true steps of all lines, which need not be the linked one, below the greatest", () => {
  expect(texts(label([at(200), at(200)]))).toEqual(["step 200"]);
  const [one] = label([at(600), at(100), at(110)]);
  expect(one?.text).toBe("steps 100 – 600");
  expect((one?.left ?? 0) + (one?.width ?? 0) / 2).toBeCloseTo(10 + 180, 9);
  // Along times, runs are at one step at different times.
  expect(texts(label([at(10, 7n), at(900, 7n)]))).toEqual(["step 7"]);
  expect(texts(label([at(12.5, 2n ** 62n)]))).toEqual(["step 4\u202f611\u202f686\u202f018\u202f427\u202f387\u202f904"]);
});

test("it stands below the plot, within its width, and is not of what is out of sight or alone", () => {
  for (const x of [0, 1000]) {
    const [{ left, width, top } = { left: 0, width: 0, top: 0 }] = label([at(x)]);
    expect([left >= 10, left + width <= 310, top > 100]).toEqual([true, true, true]);
  }
  expect(label([at(5000)])).toEqual([]);
  expect(label([{ ...at(0), isLone: true }])).toEqual([]);
  expect(texts(label([{ ...at(0), isLone: true }, at(400)]))).toEqual(["step 400"]);
});

test("of plots that name the same step, the first does", () => {
  const labels = ["step 1", "step 2", "step 1"].map((text, i) => ({ text, left: i, top: 0, width: 1 }));
  expect(eachTextOnce(labels).map(({ text, left }) => [text, left])).toEqual([
    ["step 1", 0],
    ["step 2", 1],
  ]);
});

test("ticks that it would cover have no label", () => {
  const ticks = [0, 400, 500, 1000].map((value) => ({ value, label: String(value) }));
  const beside = ticksBeside(ticks, label([at(420)]), AREA, (value) => 10 + (300 * value) / 1000, measure);
  expect(beside.map((tick) => tick.label)).toEqual(["0", "", "", "1000"]);
  expect(ticksBeside(ticks, label([at(420)]), { ...AREA, top: 200 }, () => 130, measure)).toEqual(ticks);
});
