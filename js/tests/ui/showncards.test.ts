import { expect, test } from "vitest";
import { shownOf } from "../../src/ui/showncards";

test.each([
  [
    ["loss/", "loss/train"],
    ["loss/", "train"],
  ],
  [
    ["loss/train", "loss/"],
    ["train", "loss/"],
  ],
  [[""], ["(empty tag)"]],
])("cards of the tags %j are named %j", (tags, labels) => {
  const cards = tags.map((tag) => ({ key: tag, spec: { tags: [tag] } }));
  const section = { name: "loss", prefix: "loss", titled: true, open: null, cards };
  const shown = shownOf(section, {
    tagsOf: ({ tags }) => tags ?? [],
    nameOf: (tag) => tag,
    ...{ joins: false, pins: [], shownAs: () => null, matches: () => true },
  });
  expect(shown.map(({ label }) => label)).toEqual(labels);
});
