import { expect, test } from "vitest";
import { Folding } from "../../src/ui/keyed";

const sections = (...sizes: readonly number[]) =>
  sizes.map((size, i) => ({ name: `s${i}`, titled: true, cards: Array.from({ length: size }) }));

test("sections fold above 60 cards, apart from the first", () => {
  expect([...new Folding().open(sections(30, 30), false)]).toEqual(["s0", "s1"]);
  expect([...new Folding().open(sections(30, 30, 1), false)]).toEqual(["s0"]);
  const untitled = { name: "", titled: false, cards: [1] };
  expect([...new Folding().open([untitled, ...sections(60)], false)]).toEqual(["s0"]);
});

test("a section that is open stays open when cards come, also before it", () => {
  const folding = new Folding();
  folding.open(sections(10, 10), false);
  expect([...folding.open(sections(10, 10, 900), false)]).toEqual(["s0", "s1"]);
  const other = new Folding();
  other.open(
    sections(100).map((one) => ({ ...one, name: "z" })),
    false,
  );
  const [first] = sections(50);
  expect([
    ...other.open(
      [...(first ? [first] : []), { ...sections(100)[0], name: "z", titled: true, cards: Array.from({ length: 100 }) }],
      false,
    ),
  ]).toEqual(["z"]);
});

test("tags that come in parts while the logs are read for the first time are counted together", () => {
  const folding = new Folding();
  expect([...folding.open(sections(10, 10), false, false)]).toEqual(["s0", "s1"]);
  expect([...folding.open(sections(10, 10, 900), false, true)]).toEqual(["s0"]);
});

test("a few cards that match a filter are all visible, and folded again without it", () => {
  const folding = new Folding();
  expect([...folding.open(sections(100, 100, 100), false)]).toEqual(["s0"]);
  expect([...folding.open(sections(5, 5, 5).slice(1), true)]).toEqual(["s1", "s2"]);
  expect([...folding.open(sections(5, 100, 100).slice(1), true)]).toEqual(["s1"]);
  expect([...folding.open(sections(100, 100, 100), false)]).toEqual(["s0"]);
});

test("a section without a title stays open when it gets one", () => {
  const folding = new Folding();
  const single = { name: "a", titled: false, cards: [1] };
  expect([...folding.open([single, ...sections(100)], false)]).toEqual(["s0"]);
  expect([...folding.open([{ ...single, titled: true, cards: [1, 2] }, ...sections(100)], false)]).toEqual(["a", "s0"]);
});
