import { expect, test } from "vitest";
import { areNamed, documentOfNames, namedParameters, parametersIn } from "../../../src/panels/hparams/names";

test.each([
  ["lr=0.01,bs=32", { lr: 0.01, bs: 32 }],
  ["lr0.01_bs32", { lr: 0.01, bs: 32 }],
  ["lr=1e-4_bs=32", { lr: 1e-4, bs: 32 }],
  ["sweep/opt=adam,deep=True/seed=3", { opt: "adam", deep: true, seed: 3 }],
  ["lr-1e-4_wd_0.1", { lr: 1e-4, wd: 0.1 }],
  ["Nov24_17-30-12_hostLR_0.1_BATCH_16", { hostLR: 0.1, BATCH: 16 }],
  ["learning_rate=0.1 batch_size=8", { learning_rate: 0.1, batch_size: 8 }],
  ["run1", {}],
  ["version_3", {}],
  ["model2", {}],
  ["2024-01-05", {}],
  ["Nov24_17-30-12_gpu01", {}],
  ["train", {}],
  ["", {}],
])("%s", (run, expected) => {
  expect(Object.fromEntries(parametersIn(run))).toEqual(expected);
});

test("only what varies between runs counts", () => {
  expect([...namedParameters(["lr=0.1,bs=8", "lr=0.2,bs=8", "baseline"])]).toEqual([["lr", [0.1, 0.2, undefined]]]);
  expect([areNamed(["lr=0.1"]), areNamed(["lr=0.1", "lr=0.1/eval"]), areNamed(["run1", "run2"])]).toEqual([
    false,
    false,
    false,
  ]);
});

test("runs below those that name their hyperparameters are no sessions of their own", () => {
  const document = documentOfNames(["lr=0.1", "lr=0.1/eval", "lr=0.2", "lr=0.2/seed=1", "other"]);
  expect(document?.sessions.map(({ run }) => run)).toEqual(["lr=0.1", "lr=0.2", "lr=0.2/seed=1"]);
  expect(documentOfNames(["a", "b"])).toBeNull();
});

test("hostile names are looked at no longer than others", () => {
  const long = `${"a".repeat(1e5)}=${"_".repeat(1e5)}`;
  const many = Array.from({ length: 1000 }, (_, i) => `k${i}=${i}`).join(",");
  const began = performance.now();
  expect(parametersIn(long).size + parametersIn(`${"a_".repeat(5e4)}1`).size).toBeLessThan(3);
  expect(parametersIn(many).size).toBe(64);
  expect(parametersIn("constructor=1,__proto__=2").get("constructor")).toBe(1);
  expect(performance.now() - began).toBeLessThan(5000);
});

test("names of single runs cost nothing, and of many names a thousand count", () => {
  const names = (from: number, count: number, value: number) =>
    Array.from({ length: count }, (_, i) => `k${from + i}=${value}`).join(",");
  // A column for each name would exceed the memory.
  const unique = Array.from({ length: 3000 }, (_, run) => names(64 * run, 64, run));
  expect(namedParameters(unique).size).toBe(0);
  const twice = Array.from({ length: 40 }, (_, i) => names(64 * (i >> 1), 64, i));
  expect(namedParameters(twice).size).toBe(1000);
});
