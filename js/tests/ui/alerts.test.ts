import { expect, test } from "vitest";
import { type AlertsDocument, alertsDocument } from "../../src/ui/alerts";

function decoded(document: unknown): AlertsDocument {
  return alertsDocument.decode(new TextEncoder().encode(JSON.stringify(document))) as AlertsDocument;
}

test("alerts keep all digits of their steps, and have their messages", () => {
  const alert = {
    ...{ run: "a", tag: "loss", step: "9223372036854775807", rule: "non-finite", wall_time: null },
    ...{ reason: "the value is NaN", code: "alert-non-finite", arguments: { value: "NaN" } },
  };
  const { count, alerts } = decoded({ count: 7, alerts: [alert] });
  expect(count).toBe(7);
  expect(alerts).toMatchObject([
    { run: "a", tag: "loss", step: 2n ** 63n - 1n, rule: "non-finite", wallTime: null, reason: "the value is NaN" },
  ]);
});

test("a document that is none is refused", () => {
  expect(() => decoded([])).toThrow();
  expect(() => decoded({ count: 1, alerts: [{ step: "x" }] })).toThrow();
});
