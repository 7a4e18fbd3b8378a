import { expect, test } from "vitest";
import { narrowed } from "../../src/panels/graphs/model/bundles";
import { compose } from "../../src/panels/graphs/model/compose";
import { decodeRoot } from "../../src/panels/graphs/model/decode";
import { asJson, bytesOf, recorded, structureOf } from "./recorded";

test.each(recorded)("%s: a first view is narrowed to its open boxes", async (_, read) => {
  const graph = await read();
  const structure = await structureOf(graph);
  const root = await decodeRoot(bytesOf(graph.root));
  if (root === null) {
    return;
  }
  expect(narrowed(root, new Set(structure.opened))).toBe(root);
  for (let count = 0; count < structure.opened.length; count += 1) {
    const opened = new Set(structure.opened.slice(0, count));
    const [found, wanted] = [narrowed(root, opened), compose(structure, { opened })].map(asJson);
    // Joined bundles have no known shape; otherwise the result is as if the scope had never been opened.
    const { edges, ...columns } = found as NonNullable<typeof found>;
    const { edges: others, ...expected } = wanted as NonNullable<typeof wanted>;
    expect(columns).toEqual(expected);
    expect({ ...edges, shape: [] }).toEqual({ ...others, shape: [] });
  }
});
