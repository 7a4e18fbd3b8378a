import { expect, test } from "vitest";
import { statisticsOf } from "../../src/lines/codec";
import { coarsened } from "../../src/lines/series";
import { hparamsDocument } from "../../src/panels/hparams/codec";
import { hasEnded } from "../../src/wire/runfacts";
import { Store } from "../../src/wire/store";
import { CODECS, EMPTY, message, part, pointRows, points } from "./made";

test("facts about runs are joined from all their data, and follow them", () => {
  const store = new Store(CODECS);
  store.apply(
    message(1, [
      part("loss", "a", [1, 2, 3]),
      part("rate", "a", [7], { startWall: 500, rows: { ...pointRows([7]), wall: Float64Array.of(500) } }),
      part("loss", "b", [2]),
    ]),
    0,
  );
  expect(Object.fromEntries(store.runFacts())).toEqual({
    a: { began: 500, ended: 1002, step: 7n },
    b: { began: 1000, ended: 1000, step: 2n },
  });
  store.apply(message(2, [part("loss", "b", [3, 4], { keep: 1, rows: { ...pointRows([3, 4]) } })]), 0);
  expect(store.runFacts().get("b")?.step).toBe(4n);
  expect([store.measuredTags(), store.statistics("a", "loss")?.max, store.statistics("b", "rate")]).toEqual([
    ["loss", "rate"],
    3,
    null,
  ]);
});

test("statistics equal those of the points, also if the page has only buckets", () => {
  const values = Array.from({ length: 1000 }, (_, i) => (i % 97 === 0 ? Number.NaN : Math.sin(i) * 10 ** (i % 7)));
  const finite = values.filter(Number.isFinite);
  const whole = points(
    values.map((_, i) => i),
    values,
  );
  const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length;
  for (const series of [whole, coarsened(whole)]) {
    const found = statisticsOf(series);
    expect([found.min, found.max]).toEqual([Math.min(...finite), Math.max(...finite)]);
    expect(found.mean).toBeCloseTo(mean, 6);
  }
  expect([whole, coarsened(whole)].map((series) => statisticsOf(series).last)).toEqual([values.at(-1), values.at(-1)]);
  expect(statisticsOf(points([0, 1], [1e308, 1e308])).mean).toBe(1e308);
  expect(statisticsOf(points([0, 1], [Number.NaN, Number.POSITIVE_INFINITY]))).toMatchObject({
    last: Number.POSITIVE_INFINITY,
    min: null,
    mean: null,
  });
});

test("attributes of runs come in one document, which lists no run or tag", () => {
  const store = new Store([...CODECS, hparamsDocument]);
  const document = {
    hparams: [{ name: "lr" }, { name: "constructor" }],
    metrics: [],
    runs: ["a", "b"],
    values: [
      [0.1, null],
      ["x", true],
    ],
    status: ["UNKNOWN", "SUCCESS"],
    aliases: { trial: 1, a: 1, lost: 7 },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const key = { kind: "hparams", run: "", tag: "" };
  store.apply(
    {
      ...EMPTY,
      series: [part("loss", "a", [1])],
      documents: [{ ...key, revision: 1, size: bytes.length }],
      documentPieces: [{ ...key, revision: 1, from: 0, size: bytes.length, bytes }],
    },
    0,
  );
  expect([store.runs.value, store.tags.value]).toEqual([["a"], ["loss"]]);
  const { names, byRun } = store.runAttributes.value;
  expect([
    names,
    byRun.get("a")?.get("lr"),
    byRun.get("b")?.get("lr"),
    byRun.get("b")?.get("constructor"),
    byRun.get("trial")?.get("constructor"),
    byRun.has("lost"),
  ]).toEqual([["lr", "constructor"], 0.1, undefined, true, true, false]);
  // Runs below a session end with it; a run that only shares the beginning of its name does not.
  expect(["a", "b", "b/eval", "bb", "trial/x", "lost"].map((run) => hasEnded(store.runAttributes.value, run))).toEqual([
    ...[false, true, true, false, true, false],
  ]);
  expect(() => hparamsDocument.decode(new TextEncoder().encode("[1]"))).toThrow();
});
