// The front-end module beside a live figure of bqplot, the twin of tbwidget/figures/page.py: gives the figure's own marks
// the colors of the page's theme, and names the line near the pointer, also while the kernel is busy.

import { nameLines } from "./figurenames";
import type { Theme } from "./lib/tokens";
import { watchTheme } from "./ui/pagetheme";
import type { InitializeProps } from "./wire/model";

/** The model of a mark, as far as it is used here. */
export interface Mark {
  /** A private name of ipywidgets: what the next message to the kernel tells it. */
  readonly _buffered_state_diff?: Record<string, unknown>;
  get(name: "colors"): unknown;
  set(name: "colors", value: readonly string[]): void;
  on(event: "change:colors", callback: () => void): void;
  off(event: "change:colors", callback: () => void): void;
}

/** Before the identifier of another widget's model. */
const REFERENCE = /^IPY_MODEL_/;

/** Colors of a mark on a page of this theme; colors in no pair were set by the user, and stay. */
export function themed(colors: readonly string[], theme: Theme, pairs: Readonly<Record<string, string>>): string[] {
  const other =
    theme === "dark" ? pairs : Object.fromEntries(Object.entries(pairs).map(([light, dark]) => [dark, light]));
  return colors.map((color) => (Object.hasOwn(other, color) ? (other[color] as string) : color));
}

/**
 * Gives a mark other colors in the page alone: the kernel may be busy, and its colors suit the light theme. The model would
 * send them with its next message, as when the mark is brushed; a private name prevents that, and if it is missing, they are
 * sent.
 */
export function paintMark(mark: Mark, colors: readonly string[]): void {
  const unsent = mark._buffered_state_diff?.colors;
  mark.set("colors", colors);
  // Looked up each time, since the model replaces it.
  const buffered = mark._buffered_state_diff;
  if (buffered === undefined) {
    return;
  }
  if (unsent === undefined) {
    delete buffered.colors;
  } else {
    buffered.colors = unsent;
  }
}

function initialize({ model, signal }: InitializeProps): void {
  let theme: Theme = "light";
  let marks: readonly Mark[] = [];
  /** Counts the lists of marks: models come later, and meanwhile there may be another list. */
  let list = 0;
  const paint = () => {
    const pairs = (model.get("pairs") ?? {}) as Record<string, string>;
    for (const mark of marks) {
      const held = mark.get("colors");
      const colors = Array.isArray(held) ? themed(held, theme, pairs) : [];
      if (Array.isArray(held) && colors.some((color, i) => color !== held[i])) {
        paintMark(mark, colors);
      }
    }
  };
  // The `set` under way would send colors that are set within it.
  const paintAfter = () => queueMicrotask(paint);
  const leave = () => {
    for (const mark of marks) {
      mark.off("change:colors", paintAfter);
    }
    marks = [];
  };
  const find = async () => {
    list += 1;
    const own = list;
    const references = (model.get("marks") ?? []) as readonly string[];
    const asked = references.map((each) => model.widget_manager?.get_model?.(each.replace(REFERENCE, "")));
    const found = await Promise.allSettled(asked);
    if (own !== list || signal.aborted) {
      return;
    }
    leave();
    marks = found.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value as Mark] : []));
    for (const mark of marks) {
      mark.on("change:colors", paintAfter);
    }
    paint();
  };
  watchTheme(
    document,
    (now) => {
      theme = now;
      paint();
    },
    signal,
  );
  model.on("change:marks", () => void find());
  model.on("change:pairs", paint);
  signal.addEventListener("abort", leave, { once: true });
  nameLines(document, String(model.get("figure_class")), signal);
  void find();
}

export default { initialize };
