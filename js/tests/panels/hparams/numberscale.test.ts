import { expect, test } from "vitest";
import { sortedNumbers, suitsLog } from "../../../src/panels/hparams/numberscale";

const uniform = (from: number, to: number, n = 50) =>
  Array.from({ length: n }, (_, i) => from + ((to - from) * i) / (n - 1));

test.each([
  ["a learning rate", uniform(-5, -1).map((power) => 10 ** power), true],
  ["few learning rates", [1e-4, 1e-3, 1e-2, 1e-2], true],
  ["powers of two", [16, 32, 64, 128, 256], true],
  ["a dropout with a small value", [0.001, ...uniform(0.01, 0.5)], false],
  ["a uniform share", uniform(0.001, 1), false],
  ["a count of layers", [1, 2, 3, 4, 6, 8, 10, 12], false],
  ["two values", [0.001, 1], false],
  ["0", [0, 1e-4, 1e-3, 1e-2], false],
  ["nothing", [], false],
])("the scale of %s", (_, values, isLog) => {
  expect(suitsLog(sortedNumbers([...values, undefined, "auto", Number.NaN]))).toBe(isLog);
});
