import { describe, expect, test } from "vitest";
import { compose } from "../../src/panels/graphs/model/compose";
import { layoutInput } from "../../src/panels/graphs/model/layoutinput";
import type { Structure } from "../../src/panels/graphs/model/structure";
import { entryOf, pathOf } from "../../src/panels/graphs/model/tree";
import { recorded, structureOf } from "./recorded";

describe.each(recorded)("%s", (_, read) => {
  test("has the auxiliary areas that Python finds", async () => {
    const graph = await read();
    const structure = await structureOf(graph);
    const ungrouped = allFolds(structure);
    for (const { scope, kept, removed, areas } of graph.auxiliary) {
      const view = compose(structure, { opened: new Set(scopesTo(structure, scope)), ungrouped });
      const input = layoutInput(view, structure, { main: new Set(kept), auxiliary: new Set(removed) });
      const box = scope === "" ? -1 : view.path.indexOf(scope);
      const found = [...input.area.entries()].filter(([child, area]) => view.parent[child] === box && area > 0);
      expect(Object.fromEntries(found.map(([child, area]) => [view.path[child], area]))).toEqual(areas);
    }
  });
});

function allFolds(structure: Structure): Set<string> {
  const { itemCount, entryCount } = structure;
  return new Set(Array.from({ length: entryCount - itemCount }, (_, fold) => pathOf(structure, itemCount + fold)));
}

/** The scope and its ancestors. */
function scopesTo(structure: Structure, path: string): string[] {
  const found = [];
  for (let scope = entryOf(structure, path); scope !== structure.root; scope = structure.parent[scope] as number) {
    found.push(pathOf(structure, scope));
  }
  return found;
}
