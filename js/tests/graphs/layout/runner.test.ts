import { afterEach, describe, expect, test } from "vitest";
import type { WorkerStarter } from "../../../src/lib/workers";
import { layOut } from "../../../src/panels/graphs/layout/layout";
import type { Placed, Wanted } from "../../../src/panels/graphs/layout/program";
import type { layoutRunner as Runner } from "../../../src/panels/graphs/layout/runner";
import { compose } from "../../../src/panels/graphs/model/compose";
import { layoutInput } from "../../../src/panels/graphs/model/layoutinput";
import { bundled } from "../../bundled";
import { threads } from "../../lib/nodeworkers";
import { structureNamed } from "../recorded";

const { layoutRunner } = (await bundled("panels/graphs/layout/runner.ts")) as { layoutRunner: typeof Runner };
const { start: inThread, started } = await threads();

const forbidden: WorkerStarter = () => {
  throw new Error("no workers here");
};
const blocked: WorkerStarter = () => inThread("throw new Error('blocked')");

const options = { main: new Set<string>(), auxiliary: new Set(["train"]), hiddenOps: new Set(["Identity"]) };
const composing = { opened: "all", hiddenOps: options.hiddenOps } as const;
const structure = await structureNamed("train_graph_def");
const whole: Wanted = { of: structure, composing, options };
const closed: Wanted = { of: structure, composing: { opened: new Set() }, options };
const other: Wanted = { of: await structureNamed("torch_graph_def"), composing, options };
const root: Wanted = { of: compose(structure, { opened: new Set() }), composing, options };

/** The expected result. */
function placed({ of, composing, options }: Wanted): Placed {
  const view = "root" in of ? compose(of, composing) : of;
  const input = layoutInput(view, "root" in of ? of : null, options);
  return { view, input, layout: layOut(input) };
}

afterEach(() => {
  for (const worker of started.splice(0)) {
    worker.terminate();
  }
});

describe.each([
  ["a worker", [inThread], 1],
  ["a worker, another kind being forbidden", [forbidden, inThread], 1],
  ["a worker, another kind being blocked", [blocked, inThread], 2],
  ["slices where workers are forbidden", [forbidden], 0],
  ["slices where there is no way to start a worker", [], 0],
] as const)("in %s", (_, starters, workers) => {
  test("the result is the same", async () => {
    const runner = layoutRunner(starters);
    for (const wanted of [root, closed, whole, other, closed]) {
      expect(await runner.run(wanted)).toEqual(placed(wanted));
    }
    expect(started).toHaveLength(workers);
    runner.close();
  });

  test("the newest request wins, and closing ends all requests", async () => {
    const runner = layoutRunner(starters);
    const asked = [runner.run(whole), runner.run(other), runner.run(closed)];
    expect(await Promise.all(asked)).toEqual([null, null, placed(closed)]);
    const last = runner.run(whole);
    runner.close();
    expect(await last).toBeNull();
    expect(await runner.run(closed)).toBeNull();
  });
});

test.each([[[inThread]], [[]]])("a problem is reported, and the next is laid out", async (starters) => {
  const runner = layoutRunner(starters);
  const wrong = { ...structure, slot: null } as unknown as typeof structure;
  await expect(runner.run({ ...whole, of: wrong })).rejects.toThrow(/null/);
  expect(await runner.run(closed)).toEqual(placed(closed));
  runner.close();
});
