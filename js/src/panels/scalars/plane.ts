// A chart between two axes, as it hangs together with the choices and with all other charts: for scalars, and for what else
// is drawn along steps or times.

import { effect, untracked } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Drawing, Drawn } from "../../dashboard/card";
import { showTimes, type View } from "../../dashboard/view";
import { strings } from "../../lib/strings";
import { Chart, type Content, type Hover, type Near } from "./chart";
import { widened } from "./extent";
import { LinkedSteps } from "./linked";

export interface PlaneOf<R extends Near> {
  readonly tag: string;
  /** What is drawn now. */
  content(): Content<R>;
  /** Looks at everything that the content is made of, so that its changes are told. */
  watch(): void;
  tooltip(hover: Hover<R>, now: Date): ComponentChildren;
  /** Values along a logarithmic axis. */
  log(): boolean;
  /** The chart is gone. */
  end(): void;
}

export function beginPlane<R extends Near>(host: HTMLElement, view: View, of: PlaneOf<R>, drawn: Drawn): Drawing {
  const { choices } = view;
  const { tag } = of;
  const linked = new LinkedSteps(choices);
  const compose = () =>
    untracked(() => ({
      content: of.content(),
      xAxis: choices.xAxis.value,
      log: of.log(),
      ignoreOutliers: choices.ignoreOutliers.value,
      theme: view.theme.value,
    }));
  const chart = new Chart<R>(host, strings.chartHint(tag), view.frames, compose, {
    drawn: (lastStep) => drawn.lastStep(lastStep),
    hovered: (hover) => {
      const content = hover !== null && hover.rows.length > 0 && of.tooltip(hover, new Date());
      view.note.value = hover !== null && content ? { left: hover.left, top: hover.top, content } : null;
    },
    clicked: (step) => choices.link(Number(step)),
    moved: (x, y) => {
      const alone = choices.xAxis.peek() !== "step";
      drawn.zoomed(y !== null || (x !== null && alone));
      showTimes(view, tag, alone ? x : null);
      linked.move(x);
    },
  });
  const ends = [
    effect(() => {
      of.watch();
      void [choices.xAxis.value, choices.ignoreOutliers.value, choices.linkedStep.value, view.theme.value, of.log()];
      chart.refresh();
    }),
    effect(() => {
      const axis = choices.xAxis.value;
      const range = choices.stepRange.value;
      chart.showX(axis === "step" && range !== null ? widened(range) : null);
    }),
    effect(() => {
      // The part of the plane that was chosen is none of another plane's.
      void [choices.xAxis.value, of.log()];
      chart.showY(null);
      drawn.zoomed(false);
      showTimes(view, tag, null);
    }),
  ];
  return {
    showAll: () => chart.showAll(),
    end: () => {
      for (const end of ends) {
        end();
      }
      linked.end();
      chart.destroy();
      of.end();
      showTimes(view, tag, null);
    },
  };
}
