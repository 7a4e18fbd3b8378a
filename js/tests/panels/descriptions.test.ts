import { expect, test } from "vitest";
import { descriptions } from "../../src/panels/descriptions";
import { displayName, namesByTag, textsOf } from "../../src/wire/tagtexts";

const decoded = (document: unknown) =>
  descriptions.decode(new TextEncoder().encode(JSON.stringify(document))) as Exclude<
    ReturnType<typeof descriptions.decode>,
    Promise<unknown>
  >;

test("the texts of a tag follow its kind; the first name counts", () => {
  const texts = decoded({
    scalars: {
      loss: [
        ["", "first", false, ["a"], 0],
        ["Loss", "", false, ["b", "c"], 7],
      ],
    },
    images: { loss: [["Picture", "", true, ["a"], 0]] },
  });
  expect(displayName(texts, ["histograms", "scalars"], "loss")).toBe("Loss");
  expect(displayName(texts, ["images"], "loss")).toBe("Picture");
  expect(displayName(texts, ["scalars"], "rate")).toBeNull();
  expect(textsOf(texts, ["scalars"], "loss")).toEqual([
    { name: "", description: "first", isCut: false, runs: ["a"], others: 0 },
    { name: "Loss", description: "", isCut: false, runs: ["b", "c"], others: 7 },
  ]);
  expect([...namesByTag(texts)]).toEqual([["loss", ["Loss", "Picture"]]]);
});

test("a tag may have the name of anything that objects have", () => {
  const document = JSON.parse('{"scalars":{"__proto__":[["P","",false,["constructor"],0]]}}');
  const texts = decoded(document);
  expect(displayName(texts, ["scalars"], "__proto__")).toBe("P");
  expect(displayName(texts, ["scalars", "__proto__"], "constructor")).toBeNull();
  expect(({} as Record<string, unknown>).name).toBeUndefined();
});

test("a document of another form is refused", () => {
  expect(() => decoded([1])).toThrow();
  expect(() => decoded({ scalars: { loss: 1 } })).toThrow();
});
