// Whether the page is light or dark, as a signal.

import { type Signal, signal } from "@preact/signals";
import type { Theme } from "../lib/colors";
import { watchTheme } from "./pagetheme";

/** The theme of the page, kept up to date until `until` aborts. */
export function followTheme(page: Document, until: AbortSignal): Signal<Theme> {
  const theme = signal<Theme>("light");
  watchTheme(
    page,
    (now) => {
      theme.value = now;
    },
    until,
  );
  return theme;
}
