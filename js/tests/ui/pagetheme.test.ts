// Whether a page is light or dark, according to each host's markup.

import { expect, test } from "vitest";
import { themeOf } from "../../src/ui/pagetheme";

interface Marks {
  readonly classes?: string;
  readonly dataset?: Readonly<Record<string, string>>;
  readonly theme?: string;
}

function pageWith({ classes = "", dataset = {}, theme }: Marks): Document {
  const documentElement = { className: "", getAttribute: () => theme ?? null };
  return { body: { className: classes, dataset }, documentElement } as unknown as Document;
}

test.each<[string, Marks, "light" | "dark"]>([
  ["JupyterLab, light", { dataset: { jpThemeLight: "true" } }, "light"],
  ["JupyterLab, dark", { dataset: { jpThemeLight: "false" } }, "dark"],
  ["VS Code, light", { classes: "vscode-light", dataset: { vscodeThemeKind: "vscode-light" } }, "light"],
  ["VS Code, dark", { classes: "vscode-dark", dataset: { vscodeThemeKind: "vscode-dark" } }, "dark"],
  [
    "VS Code, light high contrast",
    {
      classes: "vscode-high-contrast-light vscode-high-contrast vscode-body",
      dataset: { vscodeThemeKind: "vscode-high-contrast-light" },
    },
    "light",
  ],
  [
    "VS Code, dark high contrast",
    { classes: "vscode-high-contrast", dataset: { vscodeThemeKind: "vscode-high-contrast" } },
    "dark",
  ],
  ["Colab, dark", { theme: "dark" }, "dark"],
  ["marimo, light", { classes: "light" }, "light"],
])("%s", (_host, marks, theme) => {
  // The user's preference makes no difference.
  expect([true, false].map((preferDark) => themeOf(pageWith(marks), preferDark))).toEqual([theme, theme]);
});

test("without a mark, as the user prefers", () => {
  expect([true, false].map((preferDark) => themeOf(pageWith({}), preferDark))).toEqual(["dark", "light"]);
});
