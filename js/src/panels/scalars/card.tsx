// The cards of scalars: of a tag, and of several that the user has put together or that match a regular expression.

import { strings } from "../../lib/strings";
import type { TagScalars } from "../../lines/codec";
import { LineCard } from "../../lines/linecard";
import { CardFrame } from "../../ui/card";
import type { CardProps, SeveralProps } from "../../ui/groups";
import { patternProblem } from "../../ui/patternproblem";
import { useView } from "../../ui/view";
import { LastValue, Notes } from "./notes";

export function ScalarCard({ tag, label, data }: CardProps<TagScalars>) {
  return (
    <LineCard
      panel="scalars"
      label={label}
      shown={[{ tag, data }]}
      composed={null}
      marks={<Notes data={data} />}
      value={<LastValue data={data} />}
    />
  );
}

const NO_DATA = { failures: new Map() };

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
    <LineCard
      panel="scalars"
      label={label}
      shown={shown}
      composed={{
        id,
        title: title === null ? whole : `${title}: ${whole}`,
        buttons: remove,
        takeOut: pattern === null ? takeOut : undefined,
      }}
    />
  );
}
