// Tables as text: quoting, and texts that spreadsheets would mistake for a formula.

import { expect, test } from "vitest";
import { delimited } from "../../src/lib/delimited";

test("cells with separators, quotes and line ends are quoted", () => {
  const rows = [
    ["run", "a,b"],
    ['say "hi"', "two\nlines\tand a tab"],
  ];
  expect(delimited(rows, ",")).toBe('run,"a,b"\r\n"say ""hi""","two\nlines\tand a tab"\r\n');
  expect(delimited(rows, "\t")).toBe('run\ta,b\r\n"say ""hi"""\t"two\nlines\tand a tab"\r\n');
});

test("texts are no formulas; numbers keep their sign", () => {
  expect(delimited([["=1+1", "@a", "+b", "-c", -0.5, -3n]], ",")).toBe("'=1+1,'@a,'+b,'-c,-0.5,-3\r\n");
});

test.each(["=", "+", "-", "@", "\t", "\r", "\n", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"])(
  "a text that begins with %j is no formula, in any table",
  (start) => {
    for (const separator of [",", "\t"] as const) {
      expect(delimited([[`${start}1+1`]], separator).replaceAll('"', "")).toBe(`'${start}1+1\r\n`);
    }
    expect(delimited([[`1${start}1`]], ",").replaceAll('"', "")).toBe(`1${start}1\r\n`);
  },
);
