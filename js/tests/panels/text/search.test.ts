import type { Signal } from "@preact/signals";
import { h } from "preact";
import { expect, test } from "vitest";
import { type Hit, searchOf, useJumps } from "../../../src/panels/text/search";
import { ViewContext } from "../../../src/ui/view";
import { boardOf } from "../../lines/board";
import { rendered } from "../../ui/rendering";

test("a jump opens the list of its tag once, and none where it has arrived", async () => {
  const { view, end } = boardOf([]);
  const search = searchOf(view);
  const opened: string[] = [];
  const Card = ({ tag }: { readonly tag: string }) => {
    useJumps(tag, () => opened.push(tag));
    return null;
  };
  const cards = () =>
    h(ViewContext.Provider, { value: view, children: [h(Card, { tag: "a" }), h(Card, { tag: "b" })] });
  const page = rendered(cards());
  const jump = async (tag: string) => {
    const hit: Hit = { tag, run: "run", id: 1, step: 1n };
    (search.current as Signal<Hit | null>).value = hit;
    await new Promise((resolve) => setTimeout(resolve, 30));
    return hit;
  };
  await jump("a");
  expect(opened.splice(0)).toEqual(["a"]);
  const hit = await jump("b");
  expect(opened.splice(0)).toEqual(["b"]);
  page.show(cards());
  expect(opened).toEqual([]);
  page.show(null);
  search.arrive(hit);
  page.show(cards());
  expect(opened).toEqual([]);
  page.end();
  end();
});
