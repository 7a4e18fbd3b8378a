// Finds out whether the page is light or dark.

import { isForced } from "../charts/theme";
import { FORCED_COLORS, type Theme } from "../lib/tokens";

const DARK = "(prefers-color-scheme: dark)";

/** Calls back with the theme of the page whenever something changes that may decide it, until `until` aborts. */
export function watchTheme(page: Document, changed: (theme: Theme) => void, until: AbortSignal): void {
  // Chromium sends no event of a change that was read before, so that what is listened to is never read.
  const prefersDark = () => matchMedia(DARK).matches;
  // Colors that the user has chosen replace those of the page, whatever it says.
  const update = () => changed(isForced() ? preferred(prefersDark()) : themeOf(page, prefersDark()));
  const observer = new MutationObserver(update);
  for (const element of [page.body, page.documentElement]) {
    observer.observe(element, { attributes: true });
  }
  for (const query of [DARK, FORCED_COLORS].map((text) => matchMedia(text))) {
    query.addEventListener("change", update, { signal: until });
  }
  until.addEventListener("abort", () => observer.disconnect(), { once: true });
  update();
}

/** Return the theme of a page, or the user's preferred one if the page does not say. */
export function themeOf({ body, documentElement }: Document, preferDark: boolean): Theme {
  // JupyterLab and Notebook 7 have it on the body, VS Code by a class there, marimo and Colab on the root element.
  const jupyter = body.dataset.jpThemeLight;
  if (jupyter !== undefined) {
    return jupyter === "false" ? "dark" : "light";
  }
  const classes = `${body.className} ${documentElement.className}`.split(/\s+/);
  const kind = body.dataset.vscodeThemeKind ?? documentElement.getAttribute("theme") ?? "";
  const names = [...classes, kind];
  // VS Code gives its light theme of high contrast the class of the dark one, too.
  if (names.includes("vscode-high-contrast-light")) {
    return "light";
  }
  if (names.some((name) => ["vscode-dark", "vscode-high-contrast", "dark"].includes(name))) {
    return "dark";
  }
  if (names.some((name) => ["vscode-light", "light"].includes(name))) {
    return "light";
  }
  return preferred(preferDark);
}

function preferred(dark: boolean): Theme {
  return dark ? "dark" : "light";
}
