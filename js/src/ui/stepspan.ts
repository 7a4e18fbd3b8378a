// The steps of all shown series.

import { type SeriesOfKind, shownUnder, shownUnderTags } from "./runs";
import { type StepSpan, unionOfSpans } from "./stepsource";
import { useJoinedOnScreen, useView } from "./view";

export function useStepSpan<S>(of: SeriesOfKind<S>, spanOf: (all: readonly S[]) => StepSpan | null): StepSpan | null {
  const view = useView();
  // As text, equal spans are equal values: nothing is rendered again.
  const text = useJoinedOnScreen(
    () => textOf(spanOf(shownUnderTags(of, view))),
    (all, tags) => textOf(unionOfSpans([parseSpan(all), spanOf(shownUnder(of, tags, view))])),
  );
  return parseSpan(text);
}

function textOf(span: StepSpan | null): string {
  return span?.join(" ") ?? "";
}

function parseSpan(text: string): StepSpan | null {
  const [first, last] = text.split(" ");
  return first === undefined || last === undefined ? null : [BigInt(first), BigInt(last)];
}
