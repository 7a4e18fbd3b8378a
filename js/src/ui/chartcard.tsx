// Cards with a chart, drawn while it is on the screen; it can be shown over the whole window.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CardFrame, type FrameProps } from "./card";
import { CloseButton, Dialog } from "./dialog";
import { FillButton } from "./fillbutton";
import { hintAt } from "./hoverhint";
import { setLastStep } from "./laststep";
import { type ChartSource, type MountedChart, mountChart } from "./mountchart";
import { RunsLegend } from "./runname";
import { cardPicture, type SavableCard, useSavable } from "./save/cards";
import { SaveMenu } from "./save/savemenu";
import type { TableKind } from "./save/tablekind";
import { saveTexts } from "./save/texts";
import { StepControl } from "./stepcontrol";
import { AboutTags, shownName, tagHint } from "./tagtitle";
import { cardTexts, uiTexts } from "./texts";
import { useOnScreen, useView, type View } from "./view";
import { noteZoom } from "./zoomed";

/** Runs that are named above a chart over the whole window. */
export const MAX_WINDOW_RUNS = 60;

interface ChartProps<T> extends Omit<FrameProps, "active" | "cardRef" | "children" | "sized"> {
  /** The button of the logarithm, where there is one. */
  readonly log?: { readonly on: boolean; readonly hint: string; readonly name?: string; toggle(): void };
  /** Controls next to the logarithm's button; `fit` shows everything, with fitted axes. */
  tools?(fit: () => void): ComponentChildren;
  /** The toolbar above the chart where it fills the window: controls of all charts of the panel. */
  readonly fullControls?: ComponentChildren;
  /** Above the chart; where it fills the window, the runs are named there unless this is given. */
  legend?(inWindow: boolean): ComponentChildren;
  /** Upon the chart. */
  readonly over?: ComponentChildren;
  /** The source that draws into an element; called again when `data` is another object. */
  source(host: Element, view: View): ChartSource<T>;
  /** How its data are saved. */
  readonly table: TableKind;
}

export function ChartCard<T>({
  log,
  source,
  table,
  tools,
  fullControls,
  legend,
  over,
  buttons,
  ...frame
}: ChartProps<T>) {
  const view = useView();
  const { panel, tag, data, marks, title = tag } = frame;
  const tags = frame.tags ?? [frame.tag];
  const name = frame.tags === undefined ? (shownName(view, frame.tag) ?? title) : frame.label;
  const card = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const fullHost = useRef<HTMLDivElement>(null);
  const chart = useRef<MountedChart | null>(null);
  const sourceOf = useRef(source);
  sourceOf.current = source;
  const onScreen = useOnScreen(card);
  const zoomed = useSignal(false);
  const full = useSignal(false);
  const isFull = full.value;
  const drawn = onScreen || isFull;
  const wasDrawn = useRef(false);
  wasDrawn.current ||= drawn;

  useEffect(() => {
    const element = (isFull ? fullHost : host).current;
    if (!drawn || element === null || data === undefined) {
      return;
    }
    const mounted = mountChart(element, view, sourceOf.current(element, view), {
      zoomed: (limits) => {
        zoomed.value = limits !== null;
        noteZoom(view, panel, tag, limits);
      },
      lastStep: (step) => setLastStep(card.current, step),
    });
    chart.current = mounted;
    return () => {
      mounted.end();
      chart.current = null;
      zoomed.value = false;
    };
  }, [drawn, isFull, data, zoomed, view, panel, tag]);

  const savable: SavableCard = {
    element: () => card.current,
    title: name,
    tags,
    picture: (theme) => cardPicture((isFull ? fullHost : host).current, savable.title, view, theme, source, drawn),
  };
  useSavable(savable);

  const close = () => {
    full.value = false;
  };
  const controls = (
    <>
      {zoomed.value && (
        <button
          type="button"
          class="tbwidget-word"
          title={uiTexts().zoomHint}
          data-action="card.reset_zoom"
          onClick={() => chart.current?.showAll()}
        >
          {uiTexts().resetZoom}
        </button>
      )}
      {log !== undefined && (
        <button
          type="button"
          class="tbwidget-word"
          title={log.hint}
          aria-pressed={log.on}
          data-action="card.log"
          onClick={() => log.toggle()}
        >
          {log.name ?? uiTexts().log}
        </button>
      )}
      {tools?.(() => chart.current?.fit())}
      <SaveMenu
        title={saveTexts().cardHint}
        table={table}
        name={frame.tags === undefined ? title : name}
        cards={() => [savable]}
      />
    </>
  );
  return (
    <CardFrame
      {...frame}
      // Off the screen a card has its name, by which it is found and moved. Marks read all its data with each message.
      marks={drawn && marks}
      sized
      cardRef={card}
      active={zoomed.value || log?.on === true}
      buttons={
        // Their work, such as saving a table, goes on while the card is off the screen again.
        wasDrawn.current && (
          <>
            {buttons}
            {controls}
            <FillButton
              label={cardTexts().full}
              fill={() => {
                full.value = true;
              }}
            />
          </>
        )
      }
    >
      {legend?.(false)}
      <div
        ref={host}
        class="tbwidget-plot"
        onPointerEnter={({ currentTarget, pointerType }) => pointerType !== "touch" && hintAt(currentTarget, view)}
      >
        {!isFull && over}
      </div>
      {isFull && (
        <Dialog label={title} class="tbwidget-full" closed={close}>
          <header class="tbwidget-card-header">
            <h4 title={tagHint(view, frame.tag, title)}>{name}</h4>
            <AboutTags tags={tags} />
            {marks}
            <span class="tbwidget-card-buttons" data-active="">
              {controls}
              <CloseButton close={close} />
            </span>
          </header>
          {fullControls}
          {legend === undefined ? (
            <ul class="tbwidget-legend">
              <RunsLegend byRun={data.byRun ?? new Map()} most={MAX_WINDOW_RUNS} inWindow />
            </ul>
          ) : (
            legend(true)
          )}
          <div ref={fullHost} class="tbwidget-plot">
            {over}
          </div>
          <StepControl alone />
        </Dialog>
      )}
    </CardFrame>
  );
}
