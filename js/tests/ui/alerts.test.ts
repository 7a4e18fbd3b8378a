import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { type Alert, type AlertsDocument, alertGroups, alertsDocument, alertsOf, goToAlert } from "../../src/ui/alerts";
import type { View } from "../../src/ui/view";
import { boardOf } from "../lines/board";
import { part } from "../wire/made";

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

const alertOf = (run: string, tag: string): Alert => ({
  ...{ run, tag, step: 1n, rule: "diverged", wallTime: null, reason: "" },
});

test("alerts of one rule about one tag are one group, the newest first", () => {
  const [one, two, three] = [alertOf("a", "loss"), alertOf("b", "rate"), alertOf("c", "loss")];
  const other = { ...alertOf("a", "loss"), rule: "plateau" };
  expect(alertGroups([one, two, three, other])).toEqual([[other], [three, one], [two]]);
  expect(alertGroups([])).toEqual([]);
});

test("alerts of runs that are left out are neither counted nor listed", () => {
  const { view, end } = boardOf([part("loss", "a", [0]), part("loss", "b", [0])]);
  const document = { count: 7, alerts: [alertOf("a", "loss"), alertOf("b", "loss")] };
  const store = {
    codecs: new Map([["alerts", alertsDocument]]),
    documents: () => ({ get: () => signal({ value: document }) }),
  };
  const some = { ...view, channel: { store } } as unknown as View;
  const { archived_runs, show_archived } = view.options.runTable;
  archived_runs.set(new Set(["a"]));
  expect(alertsOf(some)).toEqual({ count: 6, alerts: [alertOf("b", "loss")] });
  show_archived.set(true);
  expect(alertsOf(some)).toEqual(document);
  end();
});

test("one card of an alert is waited for, until another panel is gone to or the view ends", async () => {
  const { view, end } = boardOf([part("loss", "a", [0])]);
  const scalars = { name: "scalars", codecs: [{ kind: "scalars" }] };
  const [tags, gone] = [signal<readonly string[]>(["loss"]), [] as string[]];
  const grid = signal({ panel: "scalars", tags, go: (tag: string) => gone.push(tag) });
  const some = { ...view, tabs: signal([scalars]), panel: signal(scalars), grid } as unknown as View;
  const come = async (...more: readonly string[]) => {
    tags.value = [...tags.value, ...more];
    await Promise.resolve();
    return gone.splice(0);
  };
  goToAlert(alertOf("a", "loss"), some);
  expect(await come()).toEqual(["loss"]);
  goToAlert(alertOf("a", "first"), some);
  goToAlert(alertOf("a", "second"), some);
  expect(await come("first", "second")).toEqual(["second"]);
  goToAlert(alertOf("a", "third"), some);
  view.options.board.panel.set("text");
  view.options.board.panel.set("scalars");
  expect(await come("third")).toEqual([]);
  goToAlert(alertOf("a", "fourth"), some);
  end();
  expect(await come("fourth")).toEqual([]);
});
