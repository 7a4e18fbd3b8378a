// The frame of a stage. It names its run and step, and says why there is nothing to see.

import type { ComponentChildren } from "preact";
import { chartTexts } from "../../charts/texts";
import { formatCount } from "../../lib/format";
import { uiTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import type { SampledRow } from "../shown";
import { type ItemSide, stateOf } from "./side";
import { viewerTexts } from "./texts";
import type { Viewing } from "./viewing";

type Framed = ItemSide<SampledRow, unknown>;

interface FrameProps {
  /** The one whose description it has. */
  readonly side: Framed;
  /** Another one that is drawn upon it. */
  readonly over?: Framed | null;
  /** Says that there is nothing at the step. */
  readonly nothing: string;
  readonly name?: ComponentChildren;
  /** Steps and keys are about it, where there are several. */
  readonly active?: boolean;
  readonly children: ComponentChildren;
}

export function Frame({ side, over = null, nothing, name, active, children }: FrameProps) {
  const sides = over === null ? [side] : [side, over];
  const broken = sides.find((one) => stateOf(one) === "broken");
  const state = broken !== undefined ? "broken" : sides.every(({ isCurrent }) => isCurrent) ? "shown" : "waits";
  const { place, row } = side;
  const reason = broken?.reason ?? nothing;
  return (
    <figure
      class="tbwidget-viewed"
      data-run={place.run}
      data-tag={place.tag}
      data-step={row?.step.toString()}
      data-sample={place.sample}
      data-state={state}
      data-active={active ? "" : undefined}
    >
      {children}
      {name}
      {broken !== undefined && (
        <p class="tbwidget-viewed-message">
          {over === null
            ? reason
            : viewerTexts().labeled(broken === side ? viewerTexts().first : viewerTexts().second, reason)}
        </p>
      )}
      {state === "waits" && sides.some(({ value }) => value === null) && (
        <p class="tbwidget-viewed-message">{uiTexts().waitsForKernel}</p>
      )}
    </figure>
  );
}

interface SideFrameProps<R extends SampledRow, V> {
  readonly viewing: Viewing<R, V>;
  readonly side: Framed;
  readonly nothing: string;
  readonly children: ComponentChildren;
}

/** The frame of one of two sides, with its letter. */
export function SideFrame<R extends SampledRow, V>({ viewing, side, ...frame }: SideFrameProps<R, V>) {
  const { a, b } = viewing;
  const letter = side.place === a.place ? viewerTexts().first : viewerTexts().second;
  return <Frame {...frame} side={side} name={b !== null && <span class="tbwidget-side-name">{letter}</span>} />;
}

/** The frame of one of all runs, with its name. */
export function RunFrame<R extends SampledRow, V>({ viewing: { a }, side, ...frame }: SideFrameProps<R, V>) {
  const { options, theme } = useView();
  const { place, row } = side;
  const isBehind = row !== undefined && a.row !== undefined && row.step !== a.row.step;
  return (
    <Frame
      {...frame}
      side={side}
      active={place.run === a.place.run}
      name={
        <figcaption class="tbwidget-viewed-run">
          <i class="tbwidget-side-dot" style={{ background: options.colorOf.value(place.run, theme.value) }} />
          {place.run}
          {isBehind && <em>{chartTexts().atLinked(formatCount(row.step))}</em>}
        </figcaption>
      }
    />
  );
}
