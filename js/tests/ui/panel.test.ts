import { expect, test } from "vitest";
import { type Panel, panelsWithData, shownPanel, titleOf, undrawnKinds } from "../../src/ui/panel";
import type { AnyDocumentCodec } from "../../src/wire/codec";

function document(kind: string, sources?: readonly string[]): AnyDocumentCodec {
  return { sort: "document", kind, decode: (bytes) => bytes, ...(sources === undefined ? {} : { sources }) };
}

function panel(name: string, ...codecs: AnyDocumentCodec[]): Panel {
  return { name, title: () => name.toUpperCase(), codecs, options: [], Toolbar: () => null, Body: () => null };
}

const PANELS = [
  panel("scalars", document("scalars")),
  panel("histograms", document("histograms")),
  panel("projector", document("vectors", ["embeddings", "tensors"])),
];

function names(kinds: readonly string[], only: string | null = null): string[] {
  return panelsWithData(PANELS, kinds, only).map(({ name }) => name);
}

test("a panel has a tab while there are data that one of its codecs is made of", () => {
  expect(names([])).toEqual([]);
  expect(names(["tensors", "scalars", "images"])).toEqual(["scalars", "projector"]);
  expect(names(["vectors"])).toEqual([]);
  expect(names(["tensors", "scalars"], "projector")).toEqual(["projector"]);
  expect(names(["scalars"], "projector")).toEqual([]);
});

test("a panel may have a tab for values in the names of runs", () => {
  const sweep = { ...panel("hparams", document("hparams")), offers: (runs: readonly string[]) => runs.length > 1 };
  const names = (kinds: readonly string[], runs: readonly string[]) =>
    panelsWithData([...PANELS, sweep], kinds, null, runs).map(({ name }) => name);
  expect(names(["scalars"], ["lr=1"])).toEqual(["scalars"]);
  expect(names(["scalars"], ["lr=1", "lr=2"])).toEqual(["scalars", "hparams"]);
  expect(names(["hparams"], [])).toEqual(["hparams"]);
});

test("the chosen panel is shown if it has data, else the first that has", () => {
  expect(shownPanel(PANELS, "histograms")?.name).toBe("histograms");
  expect(shownPanel(PANELS, null)?.name).toBe("scalars");
  expect(shownPanel(PANELS.slice(0, 1), "histograms")?.name).toBe("scalars");
  expect(shownPanel([], "histograms")).toBeUndefined();
  // Scalars arrive while histograms are shown, which the user has not chosen.
  const looked = { name: "histograms", chosen: null };
  expect(shownPanel(PANELS, null, looked)?.name).toBe("histograms");
  expect(shownPanel(PANELS, "scalars", looked)?.name).toBe("scalars");
  expect(shownPanel(PANELS.slice(0, 1), null, looked)?.name).toBe("scalars");
});

test("kinds that no panel draws are named", () => {
  expect(undrawnKinds(PANELS, ["scalars", "images", "embeddings", "audio"])).toEqual(["images", "audio"]);
});

test("a title is a text, or is looked up when it is shown", () => {
  expect([titleOf(PANELS[0] as Panel), titleOf({ ...(PANELS[0] as Panel), title: "Plain" })]).toEqual([
    "SCALARS",
    "Plain",
  ]);
});
