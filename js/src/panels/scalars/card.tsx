// The card of one tag: its name, what can be done with it, and its chart while it is on the screen.

import { effect, untracked, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { showTimes, useOnScreen, useView, type View } from "../../dashboard/view";
import { runColour } from "../../lib/colours";
import { strings } from "../../lib/strings";
import type { TagData } from "../../wire/store";
import { Chart, type Scene } from "./chart";
import { bytesBeside, curveOf, forgetCurve } from "./curve";
import { widened } from "./extent";
import { LinkedSteps } from "./linked";
import { Marks } from "./marks";
import { Tooltip } from "./tooltip";

interface Props {
  readonly tag: string;
  readonly label: string;
  readonly data: TagData;
}

export function ScalarCard({ tag, label, data }: Props) {
  const view = useView();
  const { choices } = view;
  const card = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const onScreen = useOnScreen(card);
  /** In another part of the plane than the axes alone would show; steps in sight are every card's. */
  const zoomed = useSignal(false);
  const log = choices.logY.value.has(tag);
  const pinned = choices.pinned.value.includes(tag);

  useEffect(() => {
    const element = host.current;
    if (!onScreen || element === null) {
      return;
    }
    const linked = new LinkedSteps(choices);
    const made = new Chart(
      element,
      strings.chartHint(tag),
      view.frames,
      () => untracked(() => sceneOf(tag, data, view, element)),
      {
        drawn: (lastStep) => setLastStep(card.current, lastStep),
        hovered: (hover) => {
          const content = hover !== null && hover.rows.length > 0 && <Tooltip hover={hover} now={new Date()} />;
          view.note.value = content ? { left: hover.left, top: hover.top, content } : null;
        },
        moved: (x, y) => {
          const alone = choices.xAxis.peek() !== "step";
          zoomed.value = y !== null || (x !== null && alone);
          showTimes(view, tag, alone ? x : null);
          linked.move(x);
        },
      },
    );
    chart.current = made;
    const ends = [
      effect(() => {
        watch(data, view);
        made.refresh();
      }),
      effect(() => {
        const axis = choices.xAxis.value;
        const range = choices.stepRange.value;
        made.showX(axis === "step" && range !== null ? widened(range) : null);
      }),
      effect(() => {
        // The part of the plane that was chosen is none of another plane's.
        void [choices.xAxis.value, choices.logY.value.has(tag)];
        made.showY(null);
        zoomed.value = false;
        showTimes(view, tag, null);
      }),
    ];
    return () => {
      for (const end of ends) {
        end();
      }
      linked.end();
      made.destroy();
      view.session.store.beside(element, 0);
      for (const { series } of data.byRun.values()) {
        forgetCurve(series);
      }
      chart.current = null;
      view.note.value = null;
      zoomed.value = false;
      showTimes(view, tag, null);
    };
  }, [onScreen, tag, data, view, choices, zoomed]);

  return (
    <article ref={card} class="tbwidget-card" data-panel="scalars" data-tag={tag} aria-label={tag}>
      <header class="tbwidget-card-header">
        <h4 title={tag}>{label}</h4>
        <Marks tag={tag} data={data} />
        <span class="tbwidget-card-buttons" data-active={zoomed.value || log || pinned ? "" : undefined}>
          {zoomed.value && (
            <button
              type="button"
              class="tbwidget-word"
              title={strings.zoomHint}
              onClick={() => chart.current?.showAll()}
            >
              {strings.resetZoom}
            </button>
          )}
          <button
            type="button"
            class="tbwidget-word"
            title={strings.logHint}
            aria-label={strings.logHint}
            aria-pressed={log}
            onClick={() => choices.toggleLogY(tag)}
          >
            {strings.log}
          </button>
          <button
            type="button"
            class="tbwidget-pin"
            title={pinned ? strings.unpin : strings.pin}
            aria-label={pinned ? strings.unpin : strings.pin}
            aria-pressed={pinned}
            onClick={() => choices.togglePin(tag)}
          >
            <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
              <path d="M4 1.2h4L7.4 5l1.9 2v1H2.7V7l1.9-2zM6 8v3.3" />
            </svg>
          </button>
        </span>
      </header>
      <div ref={host} class="tbwidget-plot" />
    </article>
  );
}

/** Looks at everything that a scene is made of, so that its changes are told. */
function watch(data: TagData, { choices, theme, pointedOut }: View): void {
  void data.version.value;
  void theme.value;
  void pointedOut.value;
  void choices.selection.value;
  void choices.runPattern.value;
  void choices.colours.value;
  void choices.smoothing.value;
  void choices.xAxis.value;
  void choices.logY.value;
  void choices.ignoreOutliers.value;
}

/** Lines of the runs shown, in their order of appearance, and how they are drawn. */
function sceneOf(tag: string, data: TagData, { session, choices, theme, pointedOut }: View, owner: HTMLElement): Scene {
  const { store } = session;
  const look = {
    xAxis: choices.xAxis.value,
    smoothing: choices.smoothing.value,
    log: choices.logY.value.has(tag),
  };
  const pointed = pointedOut.value;
  const shown = [...data.byRun].filter(([run]) => choices.shows(run));
  const fading = pointed !== null && shown.some(([run]) => run === pointed);
  const lines = shown
    .sort(([a], [b]) => store.place(a) - store.place(b))
    .map(([run, { series }]) => ({
      run,
      colour: choices.colours.value.get(run) ?? runColour(store.place(run), theme.value),
      curve: curveOf(series, look),
      faded: fading && run !== pointed,
    }));
  store.beside(
    owner,
    lines.reduce((sum, { curve }) => sum + bytesBeside(curve.series), 0),
  );
  return { lines, look, ignoreOutliers: choices.ignoreOutliers.value, theme: theme.value };
}

function setLastStep(card: HTMLElement | null, lastStep: bigint | null): void {
  if (lastStep === null) {
    card?.removeAttribute("data-last-step");
  } else {
    card?.setAttribute("data-last-step", lastStep.toString());
  }
}
