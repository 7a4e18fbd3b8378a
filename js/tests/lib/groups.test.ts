import { expect, test } from "vitest";
import { groupTags } from "../../src/lib/groups";

test("tags belong to the text before their first slash", () => {
  expect(groupTags(["accuracy", "loss/a/b", "loss/train", "lr", "/x", ""])).toEqual([
    {
      name: "",
      tags: [
        { tag: "accuracy", label: "accuracy" },
        { tag: "lr", label: "lr" },
        { tag: "/x", label: "/x" },
        { tag: "", label: "" },
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
  expect(groupTags(["__proto__/a", "constructor/b"]).map((group) => group.name)).toEqual(["__proto__", "constructor"]);
});
