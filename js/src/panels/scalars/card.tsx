// The card of one tag: its name, what is to be known about its points, and its chart while it is on the screen.

import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useOnScreen, useView } from "../../dashboard/view";
import { runColour } from "../../lib/colours";
import { formatCount, formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import type { TagData } from "../../wire/store";
import { Chart, type Hover, type Line } from "./chart";
import { Tooltip } from "./tooltip";

interface Props {
  readonly tag: string;
  readonly label: string;
  readonly data: TagData;
}

export function ScalarCard({ tag, label, data }: Props) {
  const view = useView();
  const card = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const onScreen = useOnScreen(card);
  const hover = useSignal<Hover | null>(null);
  const zoomed = useSignal(false);
  const chart = useRef<Chart | null>(null);

  useEffect(() => {
    const element = host.current;
    if (!onScreen || element === null) {
      return;
    }
    const made = new Chart(element, {
      drawn: (lastStep) => setLastStep(card.current, lastStep),
      hovered: (value) => {
        hover.value = value;
      },
      zoomed: (value) => {
        zoomed.value = value;
      },
    });
    chart.current = made;
    const stop = effect(() => {
      void data.version.value;
      made.update(linesOf(data, view), view.theme.value);
    });
    return () => {
      stop();
      made.destroy();
      chart.current = null;
      hover.value = null;
      zoomed.value = false;
    };
  }, [onScreen, data, view, hover, zoomed]);

  return (
    <article ref={card} class="tbwidget-card" data-panel="scalars" data-tag={tag}>
      <header class="tbwidget-card-header">
        <h4 title={tag}>{label}</h4>
        <Marks data={data} />
        {zoomed.value && (
          <button type="button" class="tbwidget-link" onClick={() => chart.current?.resetZoom()}>
            {strings.resetZoom}
          </button>
        )}
      </header>
      <div ref={host} class="tbwidget-plot" />
      <Tooltip hover={hover} />
    </article>
  );
}

/** Lines of the runs shown, in their order of appearance. */
function linesOf(data: TagData, view: ReturnType<typeof useView>): Line[] {
  const { store, choices } = view.session;
  const pointedOut = view.pointedOut.value;
  const shown = [...data.byRun].filter(([run]) => choices.shows(run));
  const fading = pointedOut !== null && shown.some(([run]) => run === pointedOut);
  return shown
    .sort(([a], [b]) => store.place(a) - store.place(b))
    .map(([run, { series }]) => ({
      run,
      series,
      colour: runColour(store.place(run), view.theme.value),
      faded: fading && run !== pointedOut,
    }));
}

/** The last value where there is but one run, and what was left out of the drawing. */
function Marks({ data }: { readonly data: TagData }) {
  const { choices } = useView().session;
  void data.version.value;
  const shown = [...data.byRun].filter(([run]) => choices.shows(run)).map(([, held]) => held.series);
  const decimated = shown.filter((series) => series.width > 1);
  const superseded = sum(shown.map((series) => series.superseded));
  const only = shown.length === 1 ? shown[0] : undefined;
  const last = only?.values.at(-1);
  return (
    <span class="tbwidget-marks">
      {superseded > 0 && (
        <abbr title={strings.supersededHint(formatCount(superseded))}>
          {strings.superseded(formatCount(superseded))}
        </abbr>
      )}
      {decimated.length > 0 && (
        <abbr
          title={strings.decimatedHint(
            formatCount(sum(decimated.map((series) => series.values.length))),
            formatCount(sum(decimated.map((series) => series.total))),
          )}
        >
          {strings.decimated}
        </abbr>
      )}
      {last !== undefined && <output>{formatValue(last)}</output>}
    </span>
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function setLastStep(card: HTMLElement | null, lastStep: bigint | null): void {
  if (lastStep === null) {
    card?.removeAttribute("data-last-step");
  } else {
    card?.setAttribute("data-last-step", lastStep.toString());
  }
}
