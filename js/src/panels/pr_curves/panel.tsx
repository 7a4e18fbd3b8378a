// The PR curves: cards by tag, and the controls that hold for all of them.

import { AllStepsSlider } from "../../items/playback";
import { CardsMenu } from "../../ui/cardsmenu";
import { Check, FilterTags, Segments } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { SavePanel } from "../../ui/save/savepanel";
import { useOptions, useView } from "../../ui/view";
import { AreaMap } from "./areamap";
import { CurveCard, SeveralCurves } from "./card";
import { curves } from "./codec";
import { DRAWS, prCurvesOptions } from "./options";
import { curvesTable } from "./table";
import { prCurveTexts } from "./texts";
import { Threshold } from "./threshold";

export function PRCurvesPanel() {
  const { channel } = useView();
  return (
    <div class="tbwidget-pr">
      <AreaMap />
      <Groups of={channel.store.items(curves)} Card={CurveCard} Several={SeveralCurves} />
    </div>
  );
}

export function PRCurvesToolbar() {
  const { tags } = useView().channel.store.items(curves);
  const { pr_curve, pr_threshold, pr_iso_f1, pr_earlier_steps } = useOptions(prCurvesOptions);
  const draws = pr_curve.value;
  return (
    <div class="tbwidget-toolbar">
      <Segments
        title={prCurveTexts().drawsTitle}
        options={DRAWS}
        names={prCurveTexts().draws}
        hints={prCurveTexts().drawHints}
        chosen={draws}
        choose={(one) => pr_curve.set(one)}
      />
      <AllStepsSlider codec={curves} />
      <Threshold option={pr_threshold} />
      {draws === "pr" && <Check option={pr_iso_f1} name={prCurveTexts().isoF1} hint={prCurveTexts().isoF1Hint} />}
      {draws !== "average_precision" && (
        <Check option={pr_earlier_steps} name={prCurveTexts().earlier} hint={prCurveTexts().earlierHint} />
      )}
      <CardsMenu tags={tags.value} />
      <SavePanel table={curvesTable} />
      <FilterTags tags={tags.value} />
    </div>
  );
}
