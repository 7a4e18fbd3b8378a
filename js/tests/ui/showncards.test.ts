import { expect, test } from "vitest";
import { shownOf } from "../../src/ui/showncards";

test("a title leaves out the name of its section, unless the tag is nothing else", () => {
  const tags = ["", "loss/", "loss/a"];
  const section = {
    ...{ name: "loss", prefix: "loss", titled: true, open: null },
    cards: tags.map((tag) => ({ key: tag, spec: { tags: [tag] } })),
  };
  const shown = shownOf(section, {
    ...{ nameOf: (tag: string) => tag, joins: false, pins: [], shownAs: () => null, matches: () => true },
    tagsOf: ({ tags = [] }) => tags,
  });
  expect(shown.map(({ label }) => label)).toEqual(["(empty tag)", "loss/", "a"]);
});
