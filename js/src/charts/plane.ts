// Charts between two axes, as they hang together with the choices and with all other charts: for scalars, and for what else
// is drawn along steps or times.

import { effect, untracked } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Drawing, Drawn } from "../dashboard/card";
import { showTimes, type View } from "../dashboard/view";
import { strings } from "../lib/strings";
import type { Range } from "./axis";
import { Chart, type Content, type Hover, type Near } from "./chart";
import { widened } from "./extent";
import { LinkedSteps } from "./linked";
import { type Pane, Panes } from "./panes";

export interface PlaneOf<R extends Near> {
  readonly tag: string;
  /** The runs that have a chart each; none: one chart for all of them. */
  panes(): readonly Pane[];
  /** What is drawn now, in the chart of this number. */
  content(chart: number): Content<R>;
  /** Looks at everything that panes and content are made of, so that its changes are told. */
  watch(): void;
  tooltip(hover: Hover<R>, now: Date): ComponentChildren;
  /** Values along a logarithmic axis. */
  log(): boolean;
  /** The charts are gone. */
  end(): void;
}

export function beginPlane<R extends Near>(host: HTMLElement, view: View, of: PlaneOf<R>, drawn: Drawn): Drawing {
  const { choices } = view;
  const { tag } = of;
  const linked = new LinkedSteps(choices);
  /** All charts of a card show the same part of the plane. */
  let zoom: { x: Range | null; y: Range | null } = { x: null, y: null };
  const charts: Chart<R>[] = [];
  const lastSteps: (bigint | null)[] = [];
  const showZoom = () => {
    for (const chart of charts) {
      chart.show(zoom.x, zoom.y);
    }
  };
  const compose = (i: number) =>
    untracked(() => ({
      content: of.content(i),
      xAxis: choices.xAxis.value,
      log: of.log(),
      ignoreOutliers: choices.ignoreOutliers.value,
      theme: view.theme.value,
    }));
  const make = (place: HTMLElement, i: number) =>
    new Chart<R>(place, { label: strings.chartHint(tag), stop: i === 0 }, view.frames, () => compose(i), {
      drawn: (lastStep) => {
        lastSteps[i] = lastStep;
        drawn.lastStep(largest(lastSteps));
      },
      hovered: (hover) => {
        const content = hover !== null && hover.rows.length > 0 && of.tooltip(hover, new Date());
        view.note.value = hover !== null && content ? { left: hover.left, top: hover.top, content } : null;
      },
      clicked: (step, times) => choices.clickStep(Number(step), times),
      moved: (x, y) => {
        const alone = choices.xAxis.peek() !== "step";
        zoom = { x, y };
        showZoom();
        drawn.zoomed(y !== null || (x !== null && alone));
        showTimes(view, tag, alone ? x : null);
        linked.move(x);
      },
    });
  const panes = new Panes(
    host,
    (place, i) => {
      const chart = make(place, i);
      chart.show(zoom.x, zoom.y);
      charts.push(chart);
    },
    () => {
      for (const chart of charts.splice(0)) {
        chart.destroy();
      }
      lastSteps.length = 0;
    },
    (i, outermost) => charts[i]?.label(outermost),
  );
  const ends = [
    effect(() => {
      of.watch();
      void [choices.xAxis.value, choices.ignoreOutliers.value, choices.linkedStep.value, view.theme.value, of.log()];
      panes.show(untracked(() => of.panes()));
      for (const chart of charts) {
        chart.refresh();
      }
    }),
    effect(() => {
      const axis = choices.xAxis.value;
      const range = choices.stepRange.value;
      zoom = { ...zoom, x: axis === "step" && range !== null ? widened(range) : null };
      showZoom();
    }),
    effect(() => {
      // The part of the plane that was chosen is none of another plane's.
      void [choices.xAxis.value, of.log()];
      zoom = { ...zoom, y: null };
      showZoom();
      drawn.zoomed(false);
      showTimes(view, tag, null);
    }),
  ];
  return {
    showAll: () => charts[0]?.showAll(),
    end: () => {
      for (const end of ends) {
        end();
      }
      linked.end();
      panes.end();
      of.end();
      showTimes(view, tag, null);
    },
  };
}

function largest(steps: readonly (bigint | null)[]): bigint | null {
  return steps.reduce<bigint | null>((most, step) => (most === null || (step ?? most) > most ? step : most), null);
}
