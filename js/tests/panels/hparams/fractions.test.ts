import { expect, test } from "vitest";
import { Fractions, splitNumber } from "../../../src/panels/hparams/table";

test.each([
  ["0.125", "0", ".125"],
  ["−3", "−3", ""],
  ["1e-4", "1", "e-4"],
  ["1\u202f204.5", "1\u202f204", ".5"],
  ["2.5e+20", "2", ".5e+20"],
  ["NaN", "NaN", ""],
  ["∞", "∞", ""],
  ["", "", ""],
])("%s is split before its decimal point or exponent", (text, whole, fraction) => {
  expect(splitNumber(text)).toEqual([whole, fraction]);
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
  for (const digits of [2, 4, -1, 3]) {
    fractions.grow("metric:acc", digits);
  }
  fractions.grow("hparam:layers", -1);
  expect(fractions.widthOf("metric:acc")).toBe("var(--tbwidget-fraction-0, 0)");
  expect([...first]).toEqual([["--tbwidget-fraction-0", "calc(4ch + 0.3em)"]]);
  expect([...widths()]).toEqual([...first]);
});
