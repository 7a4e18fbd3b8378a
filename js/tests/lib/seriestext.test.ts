import { expect, test } from "vitest";
import { floatText, headText, rowsText, type SeriesRows, seriesJson } from "../../src/lib/seriestext";

const VALUES = [0.1, -0, 5e-324, 1.7976931348623157e308, 1e21, 123456789012345680000, Number.NaN, 1 / 0, -1 / 0, -2];

function rows(values: readonly number[], more: Partial<SeriesRows> = {}): SeriesRows {
  const step = Float64Array.from(values, (_, i) => i);
  return { step, wall: step.map((i) => 1.7e9 + i / 7), lengths: null, columns: [Float64Array.from(values)], ...more };
}

/** Parses like Python's float(). */
function read(text: string): number {
  const named: Record<string, number> = { "": Number.NaN, inf: 1 / 0, "-inf": -1 / 0 };
  return named[text] ?? Number(text);
}

test("every number is read back as it was, and a float stays one", () => {
  for (const value of VALUES) {
    expect(Object.is(read(floatText(value)), value), String(value)).toBe(true);
  }
  expect([1, -0, 0.1, 1e21, 1e-7].map(floatText)).toEqual(["1.0", "-0.0", "0.1", "1e+21", "1e-7"]);
});

test("a line a point, with its run and tag", () => {
  expect(headText(["value"], ",")).toBe("run,tag,step,wall_time,value\r\n");
  expect(rowsText({ run: "a", tag: "loss" }, rows([0.5, Number.NaN]), ",")).toBe(
    `a,loss,0,1700000000.0,0.5\r\na,loss,1,${1.7e9 + 1 / 7},\r\n`,
  );
  expect(rowsText({ run: "a", tag: "loss" }, rows([]), ",")).toBe("");
});

test("steps beyond 2^53 are written in full, as text and as JSON", () => {
  const far = { step: BigInt64Array.of(2n ** 53n + 1n, -(2n ** 63n)), wall: Float64Array.of(1, 2) };
  const own = rows([1, 2], far);
  expect(rowsText({ run: "a", tag: "b" }, own, "\t")).toBe(
    "a\tb\t9007199254740993\t1.0\t1.0\r\na\tb\t-9223372036854775808\t2.0\t2.0\r\n",
  );
  const json = seriesJson({ run: "a", tag: "b", total: 2, chunks: [own] }, ["value"]).join("");
  expect(json).toContain('"step":[9007199254740993,-9223372036854775808]');
});

test("names are quoted, and none is a formula for a spreadsheet", () => {
  const line = (tag: string) => rowsText({ run: 'a"b,c\n', tag }, rows([1]), ",");
  expect(line("=HYPERLINK(1)")).toBe(`"a""b,c\n",'=HYPERLINK(1),0,1700000000.0,1.0\r\n`);
  for (const first of ["+", "-", "@"]) {
    expect(line(`${first}x`)).toContain(`,'${first}x,`);
  }
  // Negative numbers keep their minus.
  expect(rowsText({ run: "a", tag: "b" }, rows([-1, -1 / 0]), ",")).toMatch(/,-1\.0\r\n.*,-inf\r\n$/);
});

test("cells of a row follow upon one another, a line each", () => {
  const own = rows([1, 2], { lengths: [2, 0], columns: [Float64Array.of(0, 1), Float64Array.of(3, 4)] });
  expect(rowsText({ run: "a", tag: "w" }, own, ",")).toBe(
    "a,w,0,1700000000.0,0.0,3.0\r\na,w,0,1700000000.0,1.0,4.0\r\n",
  );
  const json = seriesJson({ run: "a", tag: "w", total: 2, chunks: [own, own] }, ["left", "count"]).join("");
  expect(JSON.parse(json)).toMatchObject({
    left: [[0, 1], [], [0, 1], []],
    count: [[3, 4], [], [3, 4], []],
  });
});

test("JSON has names unchanged, chunks in a row, and other values than numbers as text", () => {
  const tag = '=1+1 "</script>\u2028';
  const json = seriesJson({ run: "a", tag, total: 10, chunks: [rows(VALUES), rows([]), rows([7])] }, ["value"]).join(
    "",
  );
  const { value, step, ...others } = JSON.parse(json) as Record<string, unknown[]>;
  expect(others).toMatchObject({ run: "a", tag, total: 10 });
  const numbers: Record<string, number> = { NaN: Number.NaN, Infinity: 1 / 0, "-Infinity": -1 / 0 };
  const back = value?.map((one) => (typeof one === "string" ? numbers[one] : one));
  expect(back?.every((one, i) => Object.is(one, [...VALUES, 7][i]))).toBe(true);
  expect(step).toHaveLength(VALUES.length + 1);
});
