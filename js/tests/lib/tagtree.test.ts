import { expect, test } from "vitest";
import { filterAfter, isChosen, scopesIn, type TagNode, tagRows, tagTree } from "../../src/dashboard/tags/pane";
import { parsePattern } from "../../src/lib/namematcher";

const TAGS = ["acc", "loss", "loss/train", "loss/valid", "net/block1/attn/w", "net/block1/mlp/w", "net/block2/w"];

function node(path: string, nodes: readonly TagNode[] = tagTree(TAGS).roots): TagNode {
  const found = nodes.find((one) => path === one.path || path.startsWith(`${one.path}/`)) as TagNode;
  return found.path === path ? found : node(path, found.children);
}

test("scopes hold tags, and a scope of one child is one with it", () => {
  const tree = tagTree(TAGS);
  expect(tree.tags).toEqual(TAGS);
  const all = new Set(["loss", "net", "net/block1"]);
  expect(tagRows(tree, all).map(({ node, level, place, siblings }) => [node.label, level, place, siblings])).toEqual([
    ["acc", 1, 1, 3],
    ["loss", 1, 2, 3],
    ["train", 2, 1, 2],
    ["valid", 2, 2, 2],
    ["net", 1, 3, 3],
    ["block1", 2, 1, 2],
    ["attn/w", 3, 1, 2],
    ["mlp/w", 3, 2, 2],
    ["block2/w", 2, 2, 2],
  ]);
  expect(tagRows(tree, new Set()).map(({ node }) => [node.tag, node.to - node.from])).toEqual([
    ["acc", 1],
    ["loss", 3],
    [null, 3],
  ]);
});

test("odd names, and two tags of one name, have nodes of their own", () => {
  const odd = ["/a", "a//b", "a//c", "x/text_summary", "x"];
  const tree = tagTree(odd, (tag) => tag.replace(/\/text_summary$/, ""));
  expect([...tree.tags].sort()).toEqual([...odd].sort());
  const paths = (nodes: readonly TagNode[]): string[] => nodes.flatMap((one) => [one.path, ...paths(one.children)]);
  expect(new Set(paths(tree.roots)).size).toBe(paths(tree.roots).length);
});

test("a tag that only ends in a slash shows its own name below its scope", () => {
  const tree = tagTree(["", "loss/", "loss/train"]);
  expect(tagRows(tree, new Set(["loss"])).map(({ node }) => node.label)).toEqual(["", "loss", "loss/", "train"]);
});

test("a tree of 15,000 children is made and listed at once", () => {
  const many = tagTree(Array.from({ length: 15_000 }, (_, i) => `wide/${i}`));
  expect(tagRows(many, new Set(["wide"])).length).toBe(15_001);
});

test("choosing branches makes a filter of them, and unchoosing takes them out", () => {
  const [net, loss] = [node("net/block1"), node("loss")];
  const one = filterAfter("typed.*", net);
  expect(one).toBe("^net/block1/");
  const two = filterAfter(one, loss);
  expect([isChosen(two, net), isChosen(two, loss), isChosen(two, node("acc")), isChosen("", loss)]).toEqual([
    ...[true, true, false, false],
  ]);
  const parsed = parsePattern(two);
  const matches = TAGS.filter((tag) => parsed.type === "bounded" && parsed.expression.test(tag));
  expect(matches).toEqual(["loss", "loss/train", "loss/valid", "net/block1/attn/w", "net/block1/mlp/w"]);
  expect(filterAfter(filterAfter(two, net), loss)).toBe("");
});

test("names are taken as they are", () => {
  const odd = tagTree(["a|b$/(c", "a|b$/d"]).roots[0] as TagNode;
  const filter = filterAfter("", odd);
  expect(isChosen(filter, odd)).toBe(true);
  expect(new RegExp(filter).test("a|b$/(c")).toBe(true);
  expect(filterAfter(filter, odd)).toBe("");
});

test("tags with line breaks, too", () => {
  const odd = node("a\nb", tagTree(["a\nb/c", "a\nb/d"]).roots);
  expect(isChosen(filterAfter("", odd), odd)).toBe(true);
});

test("tags nested thousands of levels deep are made and listed", () => {
  const parts = Array.from({ length: 3_000 }, (_, i) => `p${i}`);
  const { roots, tags } = tagTree(parts.map((_, i) => parts.slice(0, i + 1).join("/")));
  const scopes = scopesIn(roots);
  expect([tags.length, scopes.length]).toEqual([3_000, 2_999]);
  const rows = tagRows({ roots, tags }, new Set(scopes));
  expect(rows.map(({ level }) => level)).toEqual(parts.map((_, i) => i + 1));
  expect(rows.map(({ node }) => node.to - node.from)).toEqual(parts.map((_, i) => 3_000 - i));
});
