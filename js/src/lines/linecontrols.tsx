// The controls of how lines are drawn: in the toolbars of their panels, and above a chart over the whole window.

import { XAxis } from "../ui/controls";
import { AxesMenu } from "./axes";
import { LinesMenu } from "./linesmenu";
import { Smoothing } from "./smoothing";
import { lineTexts } from "./texts";

interface Props {
  /** The cards are those of layouts: none of them is hidden. */
  readonly ofLayouts?: boolean;
}

export function LineControls({ ofLayouts = false }: Props) {
  return (
    <>
      <Smoothing />
      <XAxis hints={lineTexts().axisHints} />
      <AxesMenu />
      <LinesMenu ofLayouts={ofLayouts} />
    </>
  );
}
