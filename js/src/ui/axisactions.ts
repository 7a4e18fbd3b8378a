// Actions of panels that draw along steps or times.

import { timeAxis } from "../lib/xaxis";
import { overlayRunsOptions, stepOverviewOptions, timeAxisOptions } from "../options/shared";
import type { Choice, Toggle } from "./actions";
import { choiceAmong } from "./choices";
import { menuTexts, stepTexts, uiTexts } from "./texts";
import type { View } from "./view";

const AXES = ["step", "relative", "wall"] as const;

type Axis = (typeof AXES)[number];

const isAxis = (value: string): value is Axis => AXES.some((axis) => axis === value);

/** Chooses what runs from left to right: steps or times. */
export function xAxisAction(hints: () => Readonly<Record<Axis, string>>): Choice {
  const option = ({ options }: View) => options.of(timeAxisOptions).x_axis;
  return {
    kind: "choice",
    id: "axes.x_axis",
    bar: "x",
    name: () => uiTexts().xAxis,
    values: () => AXES,
    nameOf: (value) => uiTexts().axes[value as Axis],
    hintOf: (value) => hints()[value as Axis],
    chosen: (view) => {
      const axis = option(view).value;
      return axis === "tag" ? null : axis;
    },
    choose: (view, value) => isAxis(value) && option(view).set(value),
  };
}

export function outliersAction(hint: () => string, section = () => menuTexts().sections.y): Toggle {
  return {
    kind: "toggle",
    id: "axes.ignore_outliers",
    menu: "axes",
    section,
    name: () => uiTexts().outliers,
    hint,
    option: ({ options }) => options.of(timeAxisOptions).ignore_outliers,
  };
}

/** Shows the strip of all steps at the foot. */
export const stepOverview: Toggle = {
  menu: "view",
  section: () => menuTexts().sections.steps,
  kind: "toggle",
  id: "steps.step_overview",
  isBelow: true,
  name: () => stepTexts().overview,
  hint: () => stepTexts().overviewHint,
  option: ({ options }) => options.of(stepOverviewOptions).step_overview,
  // Along times, no strip is drawn.
  applies: ({ options }) => timeAxis(options.of(timeAxisOptions).x_axis.value) === "step",
};

/** Chooses between one plot for each run and one for all; only where there are several runs. */
export function overlayRunsAction(applies: (view: View) => boolean = () => true): Choice {
  return choiceAmong({
    id: "axes.overlay_runs",
    menu: "axes",
    section: () => menuTexts().sections.plots,
    name: () => uiTexts().runsIn,
    values: ["apart", "together"],
    names: () => uiTexts().runsInNames,
    hints: () => uiTexts().runsInHints,
    option: ({ options }) => {
      const { overlay_runs } = options.of(overlayRunsOptions);
      return {
        get value() {
          return overlay_runs.value ? "together" : "apart";
        },
        peek: () => (overlay_runs.peek() ? "together" : "apart"),
        set: (value) => overlay_runs.set(value === "together"),
      };
    },
    applies: (view) => view.channel.store.runs.value.length > 1 && applies(view),
  });
}
