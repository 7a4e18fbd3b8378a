import { signal } from "@preact/signals";
import { afterEach, expect, test } from "vitest";
import { RegexWorker } from "../../src/lib/namematcher";
import { folderOf, RunGroups, runsByGroup } from "../../src/options/rungroups";
import { eventually } from "../lib/eventually";
import { nodeWorkers } from "../lib/nodeworkers";

const ends: AbortController[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) {
    end.abort();
  }
});

async function made(by: string, names: readonly string[]) {
  const end = new AbortController();
  ends.push(end);
  const held = signal(by);
  const option = Object.assign(held, {
    set: (value: string) => {
      held.value = value;
    },
  });
  const runs = signal(names);
  const worker = new RegexWorker([await nodeWorkers()]);
  end.signal.addEventListener("abort", () => worker.close());
  return { option, runs, groups: new RunGroups(runs, option, worker, end.signal) };
}

test("the folder of a run is what stands before its last slash", async () => {
  expect(["a/b/c", "a", ".", "/x"].map(folderOf)).toEqual(["a/b", "", "", ""]);
  const { groups, option } = await made("folder", ["a/b"]);
  expect([groups.grouped.value, groups.groupOf.value("a/b")]).toEqual([true, "a"]);
  option.set("");
  expect([groups.grouped.value, groups.groupOf.value("a/b")]).toEqual([false, ""]);
});

test("an expression names the group by its captured text, also for later runs", async () => {
  const { groups, runs } = await made("regex:lr=([^,]*)", ["lr=1,a", "LR=1,b", "none"]);
  await eventually(() => expect(["lr=1,a", "LR=1,b", "none"].map(groups.groupOf.value)).toEqual(["1", "1", ""]));
  runs.value = [...runs.value, "lr=2"];
  await eventually(() => expect(groups.groupOf.value("lr=2")).toBe("2"));
  expect(groups.groupOf.value("lr=1,a")).toBe("1");
});

test("an endless expression is stopped, an invalid one is refused: then no groups exist", async () => {
  const { groups, option } = await made("regex:^(a+)+$", [`${"a".repeat(60)}b`]);
  await eventually(() => expect(groups.problem.value).toBe("ended"));
  expect(groups.grouped.value).toBe(false);
  option.set("regex:(");
  expect(groups.problem.value).toBe("openGroup");
  option.set("folder");
  expect(groups.problem.value).toBeNull();
});

test("an expression that was in effect before a wrong one is in effect again", async () => {
  const { groups, option } = await made("regex:lr=([^,]*)", ["lr=1,a"]);
  await eventually(() => expect(groups.groupOf.value("lr=1,a")).toBe("1"));
  option.set("regex:(");
  expect(groups.problem.value).toBe("openGroup");
  option.set("regex:lr=([^,]*)");
  await eventually(() => expect(groups.groupOf.value("lr=1,a")).toBe("1"));
  expect([groups.grouped.value, groups.problem.value]).toEqual([true, null]);
});

test("runs by group keep their order; those in none come last", () => {
  const groupOf = (run: string) => (run.startsWith("x") ? "" : (run[0] ?? ""));
  expect([...runsByGroup(["x1", "b1", "a1", "b2"], groupOf)]).toEqual([
    ["b", ["b1", "b2"]],
    ["a", ["a1"]],
    ["", ["x1"]],
  ]);
});
