// The declaration of a panel: its kinds of content, options and components. The dashboard is composed of these.

import type { Panel } from "./declarations";

export type { Panel } from "./declarations";

/** The declaration, with its types. */
export function definePanel(panel: Panel): Panel {
  return panel;
}

export function titleOf({ title }: Panel): string {
  return typeof title === "string" ? title : title();
}

/** The kinds of data in the logs that a panel is made of. */
export function sourcesOf({ codecs, sources: own }: Pick<Panel, "codecs" | "sources">): readonly string[] {
  return own ?? codecs.flatMap(({ kind, sources }) => sources ?? [kind]);
}

/** The panels that have data; `only` one of them where a widget shows no other. */
export function panelsWithData(
  panels: readonly Panel[],
  kinds: readonly string[],
  only: string | null,
  runs: readonly string[] = [],
): Panel[] {
  const hasData = (panel: Panel) =>
    sourcesOf(panel).some((kind) => kinds.includes(kind)) || panel.offers?.(runs) === true;
  return panels.filter((panel) => (only === null || panel.name === only) && hasData(panel));
}

/** The panel that the user looked at, and the chosen one at that time. */
export interface LookedAt {
  readonly name: string;
  readonly chosen: string | null;
}

/**
 * The panel to show: the chosen one, if it has data, else the first that has. The panel that the user looks at stays until
 * another one is chosen, whatever data arrive.
 */
export function shownPanel(
  panels: readonly Panel[],
  chosen: string | null,
  lookedAt: LookedAt | null = null,
): Panel | undefined {
  const find = (wanted: string | null) => panels.find(({ name }) => name === wanted);
  return (lookedAt?.chosen === chosen ? find(lookedAt.name) : undefined) ?? find(chosen) ?? panels[0];
}

/** Kinds that have data and no panel. */
export function undrawnKinds(panels: readonly Panel[], kinds: readonly string[]): string[] {
  const drawn = new Set(panels.flatMap(sourcesOf));
  return kinds.filter((kind) => !drawn.has(kind));
}
