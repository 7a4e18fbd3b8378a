// The card of one tag's items: the runs that it shows, the frame around them, and the sliders of their steps.

import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { safeName } from "../lib/filenames";
import { CardFrame, type FrameProps } from "../ui/card";
import { FillButton } from "../ui/fillbutton";
import type { AtStep, StepOption } from "../ui/globalstep";
import { useLastStep } from "../ui/laststep";
import { Marks, Superseded } from "../ui/marks";
import { shortName } from "../ui/runname";
import { type HeldRun, heldRunsOf } from "../ui/runs";
import type { OtherFiles } from "../ui/save/filesmenu";
import { saveTexts } from "../ui/save/texts";
import { cardTexts } from "../ui/texts";
import { useView } from "../ui/view";
import type { HeldItems, TagItems } from "../wire/items";
import { allShown, OwnStepButton, OwnStepSlider, RepeatSlider } from "./playback";
import { type SavedKind, SaveItems } from "./save";
import { cardRepeat, type SampledRow, type ShownRow, shownItems, shownRows } from "./shown";
import { type CardStep, cardStep, stepsOfTag } from "./steps";

/** A run on a card. */
export interface ShownRun<R extends SampledRow> extends HeldRun<HeldItems<R>> {
  /** Its values at the last step up to the chosen one. */
  readonly rows: readonly ShownRow<R>[];
  /** The displayed name of the run. */
  readonly name: string;
}

export interface ItemCardState<R extends SampledRow> {
  readonly tag: string;
  readonly element: RefObject<HTMLElement | null>;
  /** The runs that are shown, in natural order. */
  readonly runs: readonly ShownRun<R>[];
  readonly at: AtStep;
  readonly step: CardStep;
  readonly steps: readonly bigint[];
  /** The chosen value, where a step has several. */
  readonly repeat: StepOption;
  /** True once every visible item shows the chosen step. */
  readonly ready: ReadonlySignal<boolean>;
  /** A part of the card shows a step, or why that cannot be shown; null: it shows none any more. */
  settled(part: string, step: bigint | null): void;
}

/** Collect what the card of a tag shows. */
export function useItemCard<R extends SampledRow>(panel: string, tag: string, data: TagItems<R>): ItemCardState<R> {
  const view = useView();
  const element = useRef<HTMLElement>(null);
  const step = cardStep(view, panel, tag);
  const repeat = cardRepeat(view, panel, tag);
  const runs = heldRunsOf(data, view).map((one): ShownRun<R> => {
    return { ...one, rows: shownRows(one.held, step.at, repeat.at), name: shortName(one.run, view) };
  });
  const ready = useMemo(() => allShown(view, panel, tag), [view, panel, tag]);
  const settled = useLastStep<string>(element);
  return { tag, element, runs, at: step.at, step, steps: stepsOfTag(data, view), repeat, ready, settled };
}

interface CardProps<R extends SampledRow, V> extends Pick<FrameProps, "label" | "wide" | "span" | "active"> {
  readonly kind: SavedKind<R, V>;
  readonly card: ItemCardState<R>;
  readonly data: TagItems<R>;
  /** Stand before the step and the save menu. */
  readonly buttons?: ComponentChildren;
  /** Further lines of the save menu. */
  readonly others?: readonly OtherFiles[];
  /** Shows its items over the whole window; absent where that cannot be. */
  fill?(): void;
  readonly children: ComponentChildren;
}

/** The frame of a card: its name, the number of superseded items, and the menu that saves the shown ones. */
export function ItemCard<R extends SampledRow, V>({ kind, card, buttons, children, ...props }: CardProps<R, V>) {
  const { others, fill, ...frame } = props;
  const view = useView();
  const { tag, runs, element } = card;
  const panel = kind.codec.kind;
  return (
    <CardFrame
      {...frame}
      panel={panel}
      tag={tag}
      cardRef={element}
      marks={
        <Marks>
          <Superseded series={runs.map(({ held }) => held)} />
        </Marks>
      }
      buttons={
        <>
          {buttons}
          <OwnStepButton steps={card.steps} option={card.step} />
          <SaveItems
            kind={kind}
            title={saveTexts().filesCardHint}
            places={() => shownItems(view, kind.codec, tag)}
            name={[panel, safeName(tag)].filter((part) => part !== "").join("_")}
            others={others}
          />
          {fill && <FillButton label={cardTexts().full} fill={fill} />}
        </>
      }
    >
      {children}
    </CardFrame>
  );
}

/** The sliders of a card: its own step, if it has one, and which of the values of that step it shows. */
export function ItemCardSliders<R extends SampledRow>({ card }: { readonly card: ItemCardState<R> }) {
  const { tag, steps, step, repeat, ready, runs } = card;
  return (
    <>
      <OwnStepSlider tag={tag} steps={steps} option={step} ready={ready} />
      <RepeatSlider tag={tag} option={repeat} repeats={runs.flatMap(({ rows }) => rows)} ready={ready} />
    </>
  );
}
