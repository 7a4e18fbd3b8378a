// A card of several tags that the user has put together, or that match a regular expression.

import { signal } from "@preact/signals";
import { strings } from "../../lib/strings";
import { CardFrame } from "../../ui/card";
import type { SeveralProps } from "../../ui/groups";
import { patternProblem } from "../../ui/patternproblem";
import { useView } from "../../ui/view";
import type { TagScalars } from "./kind/codec";
import { SeveralTags } from "./kind/several";

const NO_DATA = { version: signal(0), failures: new Map() };

export function SeveralCard({ id, tags, title, pattern, of, takeOut, dissolve }: SeveralProps<TagScalars>) {
  const { options } = useView();
  const shown = tags.flatMap((tag) => {
    const data = of.tag(tag);
    return data === undefined ? [] : [{ tag, data }];
  });
  const hint = pattern === null ? strings.cards.dissolve : strings.cards.remove;
  const remove = (
    <button type="button" class="tbwidget-word tbwidget-dissolve" title={hint} aria-label={hint} onClick={dissolve}>
      ×
    </button>
  );
  const own = pattern === null ? strings.list(tags) : strings.cards.pattern(pattern);
  const label = title ?? own;
  if (pattern !== null && shown.length === 0) {
    const problem = options.patterns.anywhere(pattern).problem.value;
    const why = problem === null ? strings.cards.noMatch(pattern) : patternProblem(problem);
    return (
      <CardFrame panel="scalars" tag="" label={label} title={own} only data={NO_DATA} buttons={remove} active>
        <p class="tbwidget-hint">{why}</p>
      </CardFrame>
    );
  }
  const whole = pattern === null ? own : strings.cards.patternTitle(pattern, tags);
  return (
    <SeveralTags
      panel="scalars"
      id={id}
      label={label}
      title={title === null ? whole : `${title}: ${whole}`}
      shown={shown}
      buttons={remove}
      takeOut={pattern === null ? takeOut : undefined}
    />
  );
}
