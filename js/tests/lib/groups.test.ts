import { expect, test } from "vitest";
import { groupTags } from "../../src/lib/groups";

test("tags belong to the text before their first slash", () => {
  expect(groupTags(["accuracy", "loss/a/b", "loss/train", "lr", "/x", "", "time"])).toEqual([
    {
      name: "",
      tags: [
        { tag: "accuracy", label: "accuracy" },
        { tag: "lr", label: "lr" },
        { tag: "/x", label: "/x" },
        { tag: "", label: "" },
        { tag: "time", label: "time" },
      ],
    },
    {
      name: "loss",
      tags: [
        { tag: "loss/a/b", label: "a/b" },
        { tag: "loss/train", label: "train" },
      ],
    },
  ]);
});

test("names that objects know are names like others", () => {
  const tags = ["__proto__/a", "__proto__/b", "constructor/a", "constructor/b", "toString/a", "valueOf/a", "valueOf/b"];
  const names = groupTags(tags).map((group) => group.name);
  expect(names).toEqual(["__proto__", "constructor", "toString", "valueOf"]);
});

test("few tags of several groups stand together; of one group, they are that group", () => {
  expect(groupTags(["accuracy/train", "loss/train", "lr"])).toEqual([
    {
      name: "",
      tags: [
        { tag: "accuracy/train", label: "accuracy/train" },
        { tag: "loss/train", label: "loss/train" },
        { tag: "lr", label: "lr" },
      ],
    },
  ]);
  expect(groupTags(["loss/a", "loss/b"]).map((group) => group.name)).toEqual(["loss"]);
  expect(groupTags([])).toEqual([]);
});
