// Texts of hyperparameters and metrics. Python's still pictures have the same: tests/unit reads this table.

import { expect, it } from "vitest";
import { formatValue } from "../../../src/lib/format";
import { textOf } from "../../../src/panels/hparams/columns";
import rows from "../../fixtures/valuetexts.json";

it.each(rows as [number, string, string][])("%d", (value, parameter, metric) => {
  expect(textOf({ kind: "hparam" } as Parameters<typeof textOf>[0], value)).toBe(parameter);
  expect(formatValue(value)).toBe(metric);
});
