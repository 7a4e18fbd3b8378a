import { describe, expect, test } from "vitest";
import { compose } from "../../src/panels/graphs/model/compose";
import { FoldKind } from "../../src/panels/graphs/model/structure";
import { entryOf, isBox, pathOf, rowOf, treeOf } from "../../src/panels/graphs/model/tree";
import { reveal } from "../../src/panels/graphs/state";
import { recorded, structureOf } from "./recorded";

describe.each(recorded)("%s", (_, read) => {
  test("is opened as far as Python says", async () => {
    const graph = await read();
    const structure = await structureOf(graph);
    for (const { node, opened, ungrouped } of graph.revealed) {
      expect(reveal(structure, node)).toEqual({ opened, ungrouped });
    }
  });

  test("shows everything that is revealed", async () => {
    const structure = await structureOf(await read());
    const { root, entryCount } = structure;
    const step = Math.ceil(entryCount / 60);
    for (let entry = 0; entry < entryCount; entry += step) {
      if (entry !== root && isBox(structure, entry)) {
        const { opened, ungrouped } = reveal(structure, entry);
        const view = compose(structure, { opened: new Set(opened), ungrouped: new Set(ungrouped) });
        // A member of a stack is no box: its contents replace it.
        const isMember = structure.foldKind[entry - structure.itemCount] === FoldKind.MEMBER;
        expect(view.entry.includes(entry) || isMember).toBe(!structure.optional.has(entry));
      }
    }
  });

  test("shows the revealed node if siblings in any order are grouped", async () => {
    const structure = await structureOf(await read());
    const grouped = new Set(Array.from(structure.optional, (stack) => pathOf(structure, stack)));
    for (const stack of structure.optional) {
      const [first, other] = rowOf(treeOf(structure).inside, stack) as unknown as [number, number];
      for (const entry of [first, other]) {
        const { opened, ungrouped } = reveal(structure, entry, grouped);
        const view = compose(structure, { opened: new Set(opened), ungrouped: new Set(ungrouped), grouped });
        expect(view.entry).toContain(entry);
        expect(view.entry.includes(stack)).toBe(entry === first);
      }
    }
  });

  test("has its entries by their paths", async () => {
    const structure = await structureOf(await read());
    const { entryCount } = structure;
    const step = Math.ceil(entryCount / 200);
    for (let entry = 0; entry < entryCount; entry += step) {
      const path = pathOf(structure, entry);
      const found = entryOf(structure, path);
      // An ambiguous path leads to one of its boxes.
      expect(pathOf(structure, found)).toBe(path);
    }
    expect(entryOf(structure, "no such path")).toBe(-1);
  });
});
