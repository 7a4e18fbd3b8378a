import { expect, test } from "vitest";
import { compareIn, groupTags, leadOf } from "../../src/lib/groups";
import { compareNatural } from "../../src/lib/natural";

test("tags belong to the text before their first slash", () => {
  expect(groupTags(["accuracy", "loss/a/b", "loss/train", "lr", "/x", "", "time"])).toEqual([
    {
      name: "",
      titled: false,
      tags: [
        { tag: "", label: "" },
        { tag: "accuracy", label: "accuracy" },
        { tag: "lr", label: "lr" },
        { tag: "time", label: "time" },
        { tag: "/x", label: "/x" },
      ],
    },
    {
      name: "loss",
      titled: true,
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

test("few tags stand together, of several groups and of one: no title comes and goes with the next tag", () => {
  expect(groupTags(["accuracy/train", "loss/train", "lr"])).toEqual([
    { name: "", titled: false, tags: [{ tag: "lr", label: "lr" }] },
    { name: "accuracy", titled: false, tags: [{ tag: "accuracy/train", label: "accuracy/train" }] },
    { name: "loss", titled: false, tags: [{ tag: "loss/train", label: "loss/train" }] },
  ]);
  const tags = ["loss/a", "loss/b", "accuracy/a", "accuracy/b", "lr", "time", "epoch", "loss/c", "norm/a", "norm/b"];
  const titles = tags.map((_, i) => groupTags(tags.slice(0, i + 1)).filter(({ titled }) => titled).length);
  expect(titles).toEqual([0, 0, 0, 0, 0, 0, 2, 2, 2, 3]);
  expect(groupTags([])).toEqual([]);
});

test("a group of one tag has no title, and the tag its full name", () => {
  const tags = ["Trouser", "bag", "coat", "T-shirt/top", "val/a", "val/b", "time/fps"];
  expect(groupTags(tags).map(({ name, titled, tags }) => [name, titled, tags.map(({ label }) => label)])).toEqual([
    ["", false, ["bag", "coat", "Trouser"]],
    ["T-shirt", false, ["T-shirt/top"]],
    ["val", true, ["a", "b"]],
    ["time", false, ["time/fps"]],
  ]);
});

test("the kin of the tag that leads stand beside it, and others without a group beside their own", () => {
  const shown = (lead: string, tags: readonly string[]) => {
    const sorted = [...tags].sort(compareNatural);
    return groupTags(
      sorted,
      undefined,
      leadOf(sorted, (tag) => tag, lead),
    ).map(({ name, tags }) => [name, tags.map(({ tag }) => tag)]);
  };
  const keras = ["accuracy", "epoch", "loss", "lr", "val_accuracy", "val_loss"];
  expect(shown("val_loss", keras)).toEqual([["", ["val_loss", "loss", "accuracy", "val_accuracy", "epoch", "lr"]]]);
  expect(shown("val/loss", ["train/loss", "train/lr", "val/acc", "val/loss"])).toEqual([
    ["", ["val/loss", "train/loss"]],
    ["train", ["train/lr"]],
    ["val", ["val/acc"]],
  ]);
  // All of one group: it comes first.
  expect(shown("loss/validation", ["acc/train", "loss/reg", "loss/train", "loss/validation"])).toEqual([
    ["loss", ["loss/validation", "loss/train", "loss/reg"]],
    ["acc", ["acc/train"]],
  ]);
  // Names of parts of the data alone measure nothing.
  expect(shown("train", ["test", "train", "z"])).toEqual([["", ["train", "test", "z"]]]);
});

test("no tag goes to another group or place when others come", () => {
  const few = ["accuracy/train", "loss/train", "lr"];
  const later = ["accuracy/validation", "loss/a", "loss/validation", "momentum", "weights/all"];
  const [before, after] = [few, [...few, ...later].sort()].map((tags) =>
    groupTags(tags).map(({ name, tags }) => [name, tags.map(({ tag }) => tag).filter((tag) => few.includes(tag))]),
  );
  expect(after?.filter(([, tags]) => tags?.length)).toEqual(before);
});

test("tags are grouped by the names that they are known by", () => {
  const nameOf = (tag: string) => tag.replace(/\/end$/, "");
  const labels = (tags: readonly string[]) =>
    groupTags(tags, nameOf).map(({ name, tags }) => [name, tags.map(({ label }) => label)]);
  expect(labels(["a/end", "b/c/end", "b/d/end"])).toEqual([
    ["", ["a"]],
    ["b", ["b/c", "b/d"]],
  ]);
  const many = Array.from({ length: 7 }, (_, i) => `b/${i}/end`);
  expect(labels(["a/end", ...many])).toEqual([
    ["", ["a"]],
    ["b", ["0", "1", "2", "3", "4", "5", "6"]],
  ]);
});

test("a name is asked for once a tag, however many tags are sorted", () => {
  const tags = Array.from({ length: 500 }, (_, i) => `tag${(i * 7919) % 500}`);
  const asked = new Map<string, number>();
  const compare = compareIn(
    "",
    (tag) => {
      asked.set(tag, (asked.get(tag) ?? 0) + 1);
      return tag;
    },
    null,
  );
  expect([...tags].sort(compare)).toEqual([...tags].sort(compareNatural));
  expect([...new Set(asked.values())]).toEqual([1]);
});
