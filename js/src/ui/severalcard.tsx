// Parts that cards of several tags share: their name, the button that ends them, and the notice of a pattern without a match.

import type { ComponentChildren } from "preact";
import { listOf } from "../lib/texts";
import { CardFrame } from "./card";
import { patternProblem } from "./filter";
import type { SeveralProps } from "./groups";
import { shownName } from "./tagtitle";
import { cardTexts } from "./texts";
import { useView } from "./view";

/** The tags of a card that there are, and what its frame is given. */
export interface SeveralTags<D> {
  readonly shown: readonly { readonly tag: string; readonly data: D }[];
  readonly label: string;
  readonly title: string;
  readonly buttons: ComponentChildren;
}

interface Props<D> extends Omit<SeveralProps<D>, "id" | "takeOut"> {
  readonly panel: string;
  children(card: SeveralTags<D>): ComponentChildren;
}

/** Arrows away from a line. */
function SplitIcon() {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d="M6 1.5v9M4.2 6H1M2.6 4.4 1 6l1.6 1.6M7.8 6H11M9.4 4.4 11 6 9.4 7.6" />
    </svg>
  );
}

/** Arrows to a line. */
export function JoinIcon() {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d="M6 1.5v9M.8 6h3.4M2.6 4.4 4.2 6 2.6 7.6M11.2 6H7.8M9.4 4.4 7.8 6l1.6 1.6" />
    </svg>
  );
}

const NO_DATA = { failures: new Map() };

export function SeveralTagsCard<D>({ panel, tags, title, stem, pattern, of, dissolve, children }: Props<D>) {
  const view = useView();
  const { options } = view;
  const shown = tags.flatMap((tag) => {
    const data = of.tag(tag);
    return data === undefined ? [] : [{ tag, data }];
  });
  const hint = pattern === null ? cardTexts().dissolve : cardTexts().remove;
  const buttons = dissolve !== null && (
    <button
      type="button"
      class="tbwidget-word tbwidget-dissolve"
      title={hint}
      data-action={pattern === null ? "card.dissolve" : "card.remove"}
      onClick={dissolve}
    >
      {pattern === null ? <SplitIcon /> : <span aria-hidden="true">×</span>}
    </button>
  );
  const own = pattern === null ? listOf(tags) : cardTexts().pattern(pattern);
  const label = title ?? stem ?? (pattern === null ? listOf(tags.map((tag) => shownName(view, tag) ?? tag)) : own);
  if (pattern !== null && shown.length === 0) {
    const problem = options.patterns.anywhere(pattern).problem.value;
    const why = problem === null ? cardTexts().noMatch(pattern) : patternProblem(problem);
    return (
      <CardFrame panel={panel} tag="" label={label} title={own} only data={NO_DATA} buttons={buttons} active>
        <p class="tbwidget-hint">{why}</p>
      </CardFrame>
    );
  }
  const whole = pattern === null ? own : cardTexts().patternTitle(pattern, tags);
  return <>{children({ shown, label, title: title === null ? whole : `${title}: ${whole}`, buttons })}</>;
}
