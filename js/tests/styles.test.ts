import { describe, expect, it } from "vitest";

interface Styles {
  cascade(sheets: ReadonlyMap<string, string>): string;
  scoped(text: string, scope: string): string;
  abridged(text: string, scope: string): string;
}

// The build's own module has no types.
const name = "../styles.mjs";
const { abridged, cascade, scoped } = (await import(name)) as Styles;

describe("the style sheets of all components", () => {
  const paths = [
    "panels/text/text.css",
    "dashboard/main.css",
    "ui/card.css",
    "dashboard/base.css",
    "../tests/own.css",
    "lib/x.css",
  ];
  const sheets = paths.map((path) => [path, path] as const);

  it("have one order, for any order in which modules import them", () => {
    const expected = [
      "lib/x.css",
      "dashboard/base.css",
      "ui/card.css",
      "dashboard/main.css",
      "panels/text/text.css",
      "../tests/own.css",
    ];
    expect(cascade(new Map(sheets)).split("\n")).toEqual(expected);
    expect(cascade(new Map([...sheets].reverse())).split("\n")).toEqual(expected);
  });

  it("are shorter in the bundle, where nothing else has the characters that stand for names", () => {
    expect(abridged(".tbwidget-1a .tbwidget-card{color:var(--tbwidget-ink)}.tbwidget-1a h3{}", "1a")).toBe(
      "&card{color:$ink)}.tbwidget-1a h3{}",
    );
    expect(() => abridged(".tbwidget-1a{&:hover{}}", "1a")).toThrow("&");
  });

  it("name the root and the animations after themselves, and nothing else", () => {
    const text =
      ".tbwidget .tbwidget-card{animation:1s tbwidget-in}.tbwidget[data-narrow] .tbwidget-in,.tbwidget-host>.tbwidget:hover{color:var(--tbwidget-ink)}.tbwidget-hosted{}@keyframes tbwidget-in{}";
    expect(scoped(text, "1a")).toBe(
      ".tbwidget-1a .tbwidget-card{animation:1s tbwidget-in-1a}.tbwidget-1a[data-narrow] .tbwidget-in,.tbwidget-host-1a>.tbwidget-1a:hover{color:var(--tbwidget-ink)}.tbwidget-hosted{}@keyframes tbwidget-in-1a{}",
    );
  });
});
