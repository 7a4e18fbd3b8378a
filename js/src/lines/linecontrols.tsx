// The controls of how lines are drawn: in the toolbars of their panels, and above a chart over the whole window.

import { strings } from "../lib/strings";
import { XAxis } from "../ui/controls";
import { AxesMenu } from "./axes";
import { LinesMenu } from "./linesmenu";
import { Smoothing } from "./smoothing";

interface Props {
  /** The cards are those of layouts: none of them is hidden. */
  readonly ofLayouts?: boolean;
}

export function LineControls({ ofLayouts = false }: Props) {
  return (
    <>
      <Smoothing />
      <XAxis hints={strings.axisHints} />
      <AxesMenu />
      <LinesMenu ofLayouts={ofLayouts} />
    </>
  );
}
