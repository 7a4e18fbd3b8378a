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

interface Restarted {
  /** Points that a restart has superseded, and that are left out. */
  readonly superseded: number;
}

/** How many points of some series are left out of the drawing, if any. */
export function Superseded({ series }: { readonly series: readonly Restarted[] }) {
  const count = series.reduce((sum, { superseded }) => sum + superseded, 0);
  return (
    count > 0 && (
      <abbr title={uiTexts().supersededHint(count, formatCount(count))}>
        {uiTexts().superseded(formatCount(count))}
      </abbr>
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
      {more > 0 && <abbr title={uiTexts().moreRunsHint(more)}>{uiTexts().moreRuns(more)}</abbr>}
      {partial.length > 0 && (
        <abbr title={uiTexts().someStepsHint(held, total)}>{uiTexts().someSteps(held, total)}</abbr>
      )}
    </Marks>
  );
}
