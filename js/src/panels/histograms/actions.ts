// Actions of the histograms.

import { histogramTexts } from "../../histograms/texts";
import type { Action } from "../../ui/actions";
import { outliersAction, overlayRunsAction, stepOverview, xAxisAction } from "../../ui/axisactions";
import { cardActions } from "../../ui/cardactions";
import { arrangeActions, chartCardActions, onCard } from "../../ui/cardcommands";
import { choiceAmong } from "../../ui/choices";
import { cardGestures, chartGestures } from "../../ui/gestures";
import { menuTexts, uiTexts } from "../../ui/texts";
import type { View } from "../../ui/view";
import { BIN_SORTS, HISTOGRAM_MODES, histogramsOptions } from "./options";
import { histogramPanelTexts } from "./texts";

const optionsOf = ({ options }: View) => options.of(histogramsOptions);

/** Actions on the charts themselves: above one that fills the window, too. */
export const chartActions: readonly Action[] = [
  choiceAmong({
    id: "histograms.histogram_mode",
    bar: "drawn",
    name: () => histogramPanelTexts().histogramModesTitle,
    values: HISTOGRAM_MODES,
    names: () => histogramPanelTexts().histogramModes,
    hints: () => histogramPanelTexts().histogramModeHints,
    option: (view) => optionsOf(view).histogram_mode,
  }),
  xAxisAction(() => histogramPanelTexts().histogramAxisHints),
  overlayRunsAction((view) => optionsOf(view).histogram_mode.value !== "heatmap"),
  choiceAmong({
    id: "axes.bins",
    menu: "axes",
    section: () => menuTexts().sections.values,
    name: () => histogramTexts().binsTitle,
    values: BIN_SORTS,
    names: () => histogramTexts().bins,
    hints: () => histogramTexts().binHints,
    option: (view) => optionsOf(view).bins,
  }),
  outliersAction(
    () => histogramPanelTexts().outliersOfHistogramsHint,
    () => menuTexts().sections.values,
  ),
];

export const histogramActions: readonly Action[] = [
  ...chartActions,
  stepOverview,
  ...cardActions(),
  ...chartCardActions,
  onCard("card.log", () => uiTexts().log, {
    isOn: ({ tags }, view) => tags.some((tag) => optionsOf(view).log_counts.value.has(tag)),
  }),
  ...arrangeActions,
  ...chartGestures(),
  ...cardGestures(true),
];
