import { expect, test } from "vitest";
import { Options } from "../../src/options/options";
import { panels, register } from "../../src/panels/registry";
import { panelsWithData, titleOf } from "../../src/ui/panel";
import type { Model } from "../../src/wire/model";
import { Store } from "../../src/wire/store";
import { notes, notesCodec, notesOptions } from "../madeup/notes";

test("the declaration of a panel suffices for store, options and tabs", () => {
  const before = [...panels];
  register(notes);
  try {
    const store = new Store([...new Set(panels.flatMap(({ codecs }) => codecs))]);
    expect(store.documents(notesCodec).tags.value).toEqual([]);
    expect(panelsWithData(panels, ["text", "scalars"], null).map(titleOf)).toEqual(["Scalars", "Text", "Notes"]);
    const listened: string[] = [];
    const model = {
      get: (name: string) => (name === "loud" ? true : undefined),
      on: (event: string) => listened.push(event),
      off: () => undefined,
    } as unknown as Model;
    const end = new AbortController();
    const tables = panels.flatMap(({ options }) => options);
    const options = new Options(model, store, tables, end.signal);
    expect([options.of(notesOptions).loud.value, listened.includes("change:loud")]).toEqual([true, true]);
    end.abort();
  } finally {
    panels.splice(0, panels.length, ...before);
  }
});

test("panels that draw the same data share its codec, and name themselves once", () => {
  const kinds = new Map(panels.flatMap(({ codecs }) => codecs).map((codec) => [codec.kind, codec]));
  expect(panels.flatMap(({ codecs }) => codecs).every((codec) => kinds.get(codec.kind) === codec)).toBe(true);
  expect(new Set(panels.map(({ name }) => name)).size).toBe(panels.length);
});
