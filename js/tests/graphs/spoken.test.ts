import { expect, test } from "vitest";
import { changeText } from "../../src/panels/graphs/draw/canvas";
import { BoxKind } from "../../src/panels/graphs/model/view";
import { sceneOf } from "./drawscene";

const SCOPE = { kind: BoxKind.SCOPE, at: [0, 0, 60, 30] } as const;
const view = (...open: string[]) =>
  sceneOf([
    { path: "a", ...SCOPE, open: open.includes("a") },
    ...(open.includes("a") ? [{ path: "a/b", ...SCOPE, open: open.includes("a/b"), parent: 0 }] : []),
    ...(open.includes("a/b") ? [1, 2].map((i) => ({ path: `a/b/${i}`, at: [0, 0, 9, 9] as const, parent: 1 })) : []),
  ]).view;

test("opened and closed boxes are announced, with the number of nodes in them", () => {
  expect(changeText(view(), view("a"))).toBe("a is open: 1 box inside");
  expect(changeText(view("a"), view("a", "a/b"))).toBe("b is open: 2 boxes inside");
  expect(changeText(view("a", "a/b"), view())).toBe("a is closed");
});

test("several at once are counted; nothing is announced if nothing is opened", () => {
  const either = (open: string) =>
    sceneOf(["a", "b", `${open}/c`].map((path) => ({ path, ...SCOPE, open: path === open }))).view;
  expect(changeText(either("a"), either("b"))).toBe("");
  const two = (open: boolean) =>
    sceneOf(["a", "b", ...(open ? ["a/c"] : [])].map((path) => ({ path, ...SCOPE, open }))).view;
  expect(changeText(two(false), two(true))).toBe("3 boxes");
  expect(changeText(view(), view())).toBe("");
});
