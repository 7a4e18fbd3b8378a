import { signal } from "@preact/signals";
import { h } from "preact";
import { expect, test } from "vitest";
import { useItemCard } from "../../src/items/card";
import { Options } from "../../src/options/options";
import { timeAxisOptions } from "../../src/options/shared";
import { clips } from "../../src/panels/audio/codec";
import { shortName } from "../../src/ui/runname";
import { type View, ViewContext } from "../../src/ui/view";
import { Store } from "../../src/wire/store";
import { FakeModel } from "../options/fakemodel";
import { rendered } from "../ui/rendering";
import { EMPTY } from "../wire/made";

const RUNS = ["a", "b", "c"].map((name) => `experiments/lr=0.1/${name}/seed=0,rank=0,beta=1`);

test("a card of items calls runs what they are called elsewhere", () => {
  const store = new Store([clips]);
  const rows = [{ id: 0, step: 0n, sample: 0, wall: 0 }];
  const items = RUNS.map((run) => ({
    kind: "audio",
    run,
    tag: "t",
    revision: 1,
    keep: 0,
    total: 1,
    superseded: 0,
    rows,
  }));
  store.apply({ ...EMPTY, begins: true, ends: true, items }, 0);
  const end = new AbortController();
  const state = { run_names: { [RUNS[1] as string]: "the best" } };
  const options = new Options(new FakeModel(state), store, [timeAxisOptions], end.signal);
  const some = { theme: signal("light"), highlightedRun: signal(null), channel: { store }, options };
  const view = some as unknown as View;
  const Names = () => {
    const data = store.items(clips).tag("t");
    return data === undefined
      ? null
      : h(
          "i",
          {},
          useItemCard("audio", "t", data)
            .runs.map(({ name }) => name)
            .join(),
        );
  };
  const shown = rendered(h(ViewContext.Provider, { value: view }, h(Names, {})));
  expect(shown.text()).toBe(RUNS.map((run) => shortName(run, view)).join());
  expect(shown.text()).toBe("…a…,the best,…c…");
  shown.end();
  end.abort();
});
