// The declaration of a panel: its kinds of content, options and components. The dashboard is composed of these.

import type { FunctionComponent } from "preact";
import type { OptionTable } from "../options/declare";
import type { AnyCodec } from "../wire/codec";
import type { Action } from "./actions";
import type { StepSource } from "./stepsource";

export interface Panel {
  /** As the trait `panel` has it, and `data-panel` of its cards. */
  readonly name: string;
  /** On its tab. A function where it comes from the table of texts. */
  readonly title: string | (() => string);
  /** Codecs of its kinds; it has a tab while the logs hold data of one of them. Panels may share codecs. */
  readonly codecs: readonly AnyCodec[];
  /** The kinds of data in the logs that it has a tab for; without it, all those that its codecs are made of. */
  readonly sources?: readonly string[];
  /** Whether the names of the runs alone give it a tab, without data of its kinds. */
  readonly offers?: (runs: readonly string[]) => boolean;
  /** It lists the runs itself: where there is little room, the list beside it is closed at first. */
  readonly listsRuns?: boolean;
  /** Its options. Panels that share an option share its table. */
  readonly options: readonly OptionTable[];
  /** What can be done in it, in the order of its menus. Panels that share controls share their actions. */
  readonly actions?: readonly Action[];
  /** How much it shows, in the header of a widget that has no other panel; without it, its tags are counted. */
  readonly Count?: FunctionComponent;
  /** A hook that tells the steps of what it shows; without it, there is no control of steps below it. */
  readonly useSteps?: () => StepSource;
  /** The line of controls; `Body` is the part below it. */
  readonly Toolbar: FunctionComponent;
  readonly Body: FunctionComponent;
}

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
