import { expect, test } from "vitest";
import { digitsBehindPoint, Fractions } from "../../../src/panels/hparams/table";

test.each([
  ["0.125", 3],
  ["−3", 0],
  ["1e-4", 2],
  ["1\u202f204.5", 1],
  ["2.5e+20", 5],
  ["NaN", 0],
  ["∞", 0],
  ["", 0],
])("%s has %i characters behind its decimal point or exponent", (text, digits) => {
  expect(digitsBehindPoint(text)).toBe(digits);
});

test("a column is as wide behind the point as its longest number so far, also in an element that comes later", () => {
  const fractions = new Fractions();
  const widths = () => {
    const set = new Map<string, string>();
    const style = { setProperty: (name: string, value: string) => set.set(name, value) };
    fractions.attach({ style } as unknown as HTMLElement);
    return set;
  };
  const first = widths();
  for (const digits of [2, 4, 0, 3]) {
    fractions.grow("metric:acc", digits);
  }
  fractions.grow("hparam:layers", 0);
  expect(fractions.paddingOf("metric:acc", 2)).toBe("max(0px, var(--tbwidget-fraction-0, 0px) - (2ch + 0.3em))");
  expect(fractions.paddingOf("metric:acc", 0)).toBe("max(0px, var(--tbwidget-fraction-0, 0px) - 0px)");
  expect([...first]).toEqual([["--tbwidget-fraction-0", "(4ch + 0.3em)"]]);
  expect([...widths()]).toEqual([...first]);
});
