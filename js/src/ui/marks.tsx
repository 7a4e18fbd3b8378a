// Marks next to a card's name: the parts of its series that are not drawn.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { keepFitted } from "./fitmarks";
import { uiTexts } from "./texts";
import "./marks.css";

/** The marks of a card, the most important first: those without room beside its title and value are dots, with tooltips. */
export function Marks({ children }: { readonly children: ComponentChildren }) {
  const root = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => (root.current === null ? undefined : keepFitted(root.current)), []);
  return (
    <span ref={root} class="tbwidget-marks tbwidget-fitted-marks">
      {children}
    </span>
  );
}

interface MarkProps {
  readonly class?: string;
  /** The visible text, which is also its name. */
  readonly text: string;
  /** The text for the space there is, where it may be cut. */
  readonly children?: ComponentChildren;
  readonly hint: string;
}

/** A short text; what it means is its tooltip and its description. Without a role, the tooltip would be its name. */
export function Mark({ text, hint, children = text, ...rest }: MarkProps) {
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: an abbreviation is not interactive
    <abbr role="note" aria-label={text} title={hint} {...rest}>
      {children}
    </abbr>
  );
}

interface Restarted {
  /** Points that a restart has superseded, and that are left out. */
  readonly superseded: number;
}

/** How many points of some series are left out of the drawing, if any. */
export function Superseded({ series }: { readonly series: readonly Restarted[] }) {
  const count = series.reduce((sum, { superseded }) => sum + superseded, 0);
  return (
    count > 0 && (
      <Mark
        text={uiTexts().superseded(formatCount(count))}
        hint={uiTexts().supersededHint(count, formatCount(count))}
      />
    )
  );
}

interface RowsProps {
  readonly series: readonly (Restarted & { readonly rows: ArrayLike<unknown>; readonly total: number })[];
  /** Runs that are shown and have no plot. */
  readonly more?: number;
}

/** How many of the rows are here, where not all are; and runs that have no plot. */
export function RowMarks({ series, more = 0 }: RowsProps) {
  const partial = series.filter(({ rows, total }) => rows.length < total);
  const held = formatCount(partial.reduce((sum, { rows }) => sum + rows.length, 0));
  const total = formatCount(partial.reduce((sum, one) => sum + one.total, 0));
  return (
    <Marks>
      <Superseded series={series} />
      {more > 0 && <Mark text={uiTexts().moreRuns(more)} hint={uiTexts().moreRunsHint(more)} />}
      {partial.length > 0 && (
        <Mark text={uiTexts().someSteps(held, total)} hint={uiTexts().someStepsHint(held, total)} />
      )}
    </Marks>
  );
}
